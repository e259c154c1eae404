import type { ModelContent, Reply } from 'hookline/lifecycle'

/** What was said, without the calls. */
export function spoken(content: ModelContent): Reply {
  return content.filter((block) => block.type !== 'tool_call')
}

export function textOf(reply: Reply): string {
  return reply
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
}
