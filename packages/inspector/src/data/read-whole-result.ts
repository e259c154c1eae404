import type { Client } from '@hookline/daemon/client'

interface ResultPlace {
  readonly sessionId: string
  readonly callId: string
}

/** Small enough that the page can be used meanwhile. */
const limit = 500_000

/** All parts of a result, one after the other, each encoded by itself. */
export async function readWholeResult(
  client: Pick<Client, 'getResult'>,
  place: ResultPlace,
  onShare: (share: number) => void,
): Promise<readonly Blob[]> {
  const parts: Blob[] = []
  let from = 0
  for (;;) {
    const part = await client.getResult({ ...place, from, limit })
    parts.push(new Blob([part.text]))
    from = part.from + part.text.length
    if (part.text === '' || from >= part.length) return parts
    onShare(from / part.length)
  }
}
