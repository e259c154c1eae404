import type { ModelContent, Reply, ToolCallBlock } from 'hookline/lifecycle'

/** What was said, without the calls. */
export function spoken(content: ModelContent): Reply {
  for (const { type } of content) {
    if (type !== 'tool_call') continue
    return content.filter((block) => block.type !== 'tool_call')
  }
  return content as Reply // there is no call in it
}

/** The calls that are ours to make. */
export function callsIn(content: ModelContent): readonly ToolCallBlock[] {
  const calls: ToolCallBlock[] = []
  for (const block of content) {
    const isOurs = block.type === 'tool_call' && !block.providerExecuted
    if (isOurs) calls.push(block)
  }
  return calls
}

export function textOf(reply: Reply): string {
  let text = ''
  for (const block of reply) if (block.type === 'text') text += block.text
  return text
}
