import type { UserContent } from 'hookline/lifecycle'
import { isUserContent } from '../data/shapes.ts'
import { AgentError } from '../ports/agent-error.ts'

/** What was said, as content; throws if nobody could say that. */
export function contentOf(input: string | UserContent): UserContent {
  if (typeof input === 'string') return [{ type: 'text', text: input }]
  if (isUserContent(input)) return input
  const message = 'What is said is text, or a list of texts, images and files.'
  throw new AgentError('invalid-input', message)
}
