import type { ModelContent, Reply, ToolCallBlock } from 'hookline/lifecycle'

// These lists are frozen, and an iterator costs many times as much on them as
// an index does.

/** What was said, without the calls. */
export function spoken(content: ModelContent): Reply {
  for (let at = 0; at < content.length; at++) {
    if (content[at]?.type !== 'tool_call') continue
    return content.filter((block) => block.type !== 'tool_call')
  }
  return content as Reply // there is no call in it
}

/** The calls that are ours to make. */
export function callsIn(content: ModelContent): readonly ToolCallBlock[] {
  const calls: ToolCallBlock[] = []
  for (let at = 0; at < content.length; at++) {
    const block = content[at]
    const isOurs = block?.type === 'tool_call' && !block.providerExecuted
    if (isOurs) calls.push(block)
  }
  return calls
}

export function textOf(reply: Reply): string {
  let text = ''
  for (let at = 0; at < reply.length; at++) {
    const block = reply[at]
    if (block?.type === 'text') text += block.text
  }
  return text
}
