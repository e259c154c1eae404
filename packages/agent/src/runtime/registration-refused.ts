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
  const refused = `Agent "${name}" was refused:`
  if (isA(thrown, HookError)) {
    const why = isSubagent ? namelessText(thrown) : thrown.message
    return new AgentError('registration-refused', `${refused} ${why}`, thrown)
  }
  if (!isSubagent || !isA(thrown, AgentError)) return thrown
  const { code } = thrown
  if (code !== 'point-not-honoured') return thrown
  const why = 'A hook is on a point that its core does not pass.'
  return new AgentError(code, `${refused} ${why}`, thrown)
}
