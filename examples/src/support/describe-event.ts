import type { AgentEvent, ContentBlock } from 'hookline/lifecycle'

/** One line for one event: its type, and what there is to say about it. */
export function describeEvent(event: AgentEvent): string {
  return `${event.type.padEnd(17)}${about(event)}`.trimEnd()
}

function about(event: AgentEvent): string {
  switch (event.type) {
    case 'turn-input':
      return textOf(event.content)
    case 'turn-end':
      return `${event.status}${event.reason ? `: ${event.reason}` : ''}`
    case 'text-delta':
    case 'reasoning-delta':
      return event.text
    case 'tool-start':
      return `${event.call.tool} ${JSON.stringify(event.call.args)}`
    case 'tool-end':
      return `${event.tool} ${event.status}: ${textOf(event.result.content)}`
    case 'permission-start':
      return event.question.questions.map((one) => one.question).join(' ')
    case 'permission-end':
      return `${event.by}: ${event.decision.type}`
    case 'hook-inject':
    case 'hook-replace':
    case 'hook-withhold':
      return `${event.subject} by ${event.hook} at ${event.point}`
    case 'usage-delta':
      return `${event.model}: ${event.usage.inputTokens} tokens in`
    default:
      return ''
  }
}

function textOf(content: readonly ContentBlock[]): string {
  return content
    .map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
    .join(' ')
}
