import type { ServerResponse } from 'node:http'
import { drained, letGo } from './drained.ts'
import { commonHeaders } from './reply.ts'

export interface LinesParts {
  readonly items: AsyncIterator<unknown>
  readonly headers: Readonly<Record<string, string>>
  /** How long whoever reads may take nothing. */
  readonly stalledMs: number
  readonly isHead: boolean
}

/**
 * Writes an item on each line. A failure in the middle breaks the connection
 * off, so that nobody takes a part for the whole.
 */
export async function sendLines(
  response: ServerResponse,
  { items, headers, stalledMs, isHead }: LinesParts,
): Promise<void> {
  try {
    // What is wrong from the start still gets an answer of its own.
    let next = await items.next()
    if (response.headersSent || response.destroyed) return
    response.writeHead(200, {
      ...commonHeaders,
      ...headers,
      'content-type': 'application/x-ndjson; charset=utf-8',
    })
    while (!isHead && next.done !== true && !response.destroyed) {
      const isRoom = response.write(`${JSON.stringify(next.value)}\n`)
      if (!isRoom) await drained(response, stalledMs)
      next = await items.next()
    }
    response.end()
  } finally {
    letGo(items)
  }
}
