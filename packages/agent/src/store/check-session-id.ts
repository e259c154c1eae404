import { AgentError } from '../ports/agent-error.ts'

const maxChars = 200
const isId = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u

/**
 * Ids stand in logs, in addresses and beside other columns: one short line,
 * which reads as it is written.
 */
export function checkSessionId(id: unknown): void {
  const isText = typeof id === 'string'
  if (isText && id.length <= maxChars && isId.test(id)) return
  const message = `The id of a session is one line of at most ${maxChars} characters that can be seen.`
  throw new AgentError('invalid-session-id', message)
}
