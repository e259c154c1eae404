import type { Client } from '../../protocol/client.ts'

const maxEntries = 500

/** What the user has said in a session, the latest first. */
export async function readHistory(
  client: Client,
  sessionId: string,
): Promise<readonly string[]> {
  const { messages } = await client.listMessages({ sessionId })
  return messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => textsOf(content))
    .reverse()
    .slice(0, maxEntries)
}

function textsOf(content: unknown): readonly string[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : []
  return blocks.flatMap((block) => {
    const { type, text }: Partial<Record<string, unknown>> = Object(block)
    // A line of a terminal is one line.
    const isLine = typeof text === 'string' && !/[\r\n]/.test(text)
    return type === 'text' && isLine ? [text] : []
  })
}
