import { AgentError } from '../ports/agent-error.ts'

const maxChars = 200
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it refuses
const isId = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$/

/** Ids stand in logs, in addresses and beside other columns: one short line. */
export function checkSessionId(id: string): void {
  if (id.length <= maxChars && isId.test(id) && id.isWellFormed()) return
  const message = `The id of a session is one line of at most ${maxChars} characters.`
  throw new AgentError('invalid-config', message)
}
