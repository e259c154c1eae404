import type { AgentEvent, ContentBlock } from 'hookline/lifecycle'

/** One line for one event: its type, and what there is to say about it. */
export function describeEvent(event: AgentEvent): string {
  return `${event.type.padEnd(17)}${about(event)}`.trimEnd()
}

function about(event: AgentEvent): string {
  if ('subject' in event) {
    return `${event.subject} by ${event.hook} at ${event.point}`
  }
  if ('text' in event) return event.text
  if ('content' in event) return textOf(event.content)
  if ('call' in event) {
    return `${event.call.tool} ${JSON.stringify(event.call.args)}`
  }
  if ('result' in event) {
    return `${event.tool} ${event.status}: ${textOf(event.result.content)}`
  }
  if ('question' in event) {
    return event.question.questions.map(({ question }) => question).join(' ')
  }
  if ('decision' in event) {
    const { by, decision } = event
    return `${by.kind === 'nobody' ? by.kind : by.name}: ${decision.type}`
  }
  if ('usage' in event) return `${event.model}: ${event.usage.inputTokens} in`
  if (event.type !== 'turn-end') return ''
  return event.reason ? `${event.status}: ${event.reason}` : event.status
}

function textOf(content: readonly ContentBlock[]): string {
  return content
    .map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
    .join(' ')
}
