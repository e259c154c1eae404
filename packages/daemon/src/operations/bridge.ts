import { answerAs, type DialectName } from '@hookline/agent/config'
import type { Engine } from 'hookline'
import { ProtocolError } from '../protocol/errors.ts'
import type { Workspace } from '../reload/workspace.ts'
import type { OperationService } from '../service/service-parts.ts'
import { brokenFilesOfProject } from './broken-files.ts'

const dialects: readonly DialectName[] = [
  'claude-code',
  'codex',
  'gemini',
  'cursor',
  'copilot',
  'vs-code',
]

/** Our hooks as a hook of another product. */
export function bridgeOperations(
  workspace: Workspace,
): Pick<OperationService, 'bridge'> {
  const engine = engineOf(workspace)
  return {
    async bridge({ dialect: given, event, stdin }) {
      const dialect = dialects.find((one) => one === given)
      if (dialect === undefined) {
        const message = `There is no dialect "${given}"; there are: ${dialects.join(', ')}.`
        throw new ProtocolError('bad-request', message)
      }
      const request = {
        stdinJson: stdin,
        ...(event !== undefined && { event }),
      }
      const { stdout, stderr, exitCode } = await answerAs(dialect, request, {
        engine,
        refusal: refusalFor(workspace),
      })
      return { stdout, stderr, exitCode }
    },
  }
}

/** Of a file that is wrong nobody can say what it would have kept from happening. */
function refusalFor({ hooks }: Workspace): string | undefined {
  const broken = brokenFilesOfProject(hooks.state).map(
    ({ file, line, column, message }) => {
      const place = [file, line, column].filter((part) => part !== undefined)
      return `${place.join(':')}: ${message}`
    },
  )
  if (broken.length === 0) return undefined
  return `What came with this project is wrong: ${broken.join(' ')} Mend it; "hookline hooks lint <file>" says all that is wrong.`
}

/**
 * The engine with the newest table of an agent: products have agents of their
 * own, and what holds for the first of ours holds for them. Without an agent
 * there is no table, and then whoever asks is refused.
 */
function engineOf({ runtime }: Workspace): Engine {
  return runtime.engineFor(() => {
    const [first] = runtime.agents
    if (first !== undefined) return first.name
    const message =
      'There is no agent, and so there are no hooks; add one to the configuration.'
    throw new ProtocolError('unavailable', message)
  })
}
