import { HookError } from 'hookline'
import { namelessText } from '../data/error-text.ts'
import { isA } from '../data/is-a.ts'
import { AgentError } from '../ports/agent-error.ts'

/**
 * What a failed registration throws. Who has a sub-agent made may be a model,
 * which hears of a hook and not which.
 */
export function registrationRefused(
  name: string,
  thrown: unknown,
  isSubagent: boolean,
): unknown {
  if (!isA(thrown, HookError)) return thrown
  const why = isSubagent ? namelessText(thrown) : thrown.message
  const message = `Agent "${name}" was refused: ${why}`
  return new AgentError('registration-refused', message, thrown)
}
