import type { PermissionQuestion } from 'hookline/lifecycle'
import type { LiveAgent } from '../loop/parts.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { OpenTurn } from '../ports/store.ts'
import { checkSameInput } from './known-inputs.ts'
import type { ResumeOptions } from './start-turn.ts'

/** A turn that began in a process which stopped before it had ended. */
export interface InterruptedTurn {
  readonly turnId: string
  /** The sender's own id of the input. */
  readonly inputId?: string
  /** What tells another input with that id from the same one. */
  readonly digest?: string
  /** How many wakes led to it. */
  readonly depth: number
  /** What people were being asked, and may have answered since. */
  readonly questions: readonly PermissionQuestion[]
}

export function interruptedTurn({ start, calls }: OpenTurn): InterruptedTurn {
  const { turnId, inputId, digest, depth = 0 } = start
  const questions = [...calls.values()].flatMap(
    ({ waiting, sealed, ended }) => {
      const isOpen = sealed === undefined && ended === undefined
      return waiting !== undefined && isOpen ? [waiting.question] : []
    },
  )
  return {
    turnId,
    questions,
    depth,
    ...(inputId !== undefined && { inputId }),
    ...(digest !== undefined && { digest }),
  }
}

/** Whether the same input has come again; throws if another has its id. */
export function isInputOf(
  { start }: OpenTurn,
  id: string | undefined,
  digest: string | undefined,
): boolean {
  if (id === undefined || start.inputId !== id) return false
  checkSameInput(id, start.digest, digest)
  return true
}

/**
 * Whether an agent goes on with a turn, or only brings it to an end. What
 * people were asked about is done where its tool is, or not at all.
 */
export function canGoOn(
  { core, tools }: Pick<LiveAgent, 'core' | 'tools'>,
  open: OpenTurn,
  { signal }: Pick<ResumeOptions, 'signal'>,
): boolean {
  if (core.canResume !== true) return false
  if (signal?.aborted) return true
  for (const { call } of interruptedTurn(open).questions) {
    if (tools.byName.has(call.tool)) continue
    const message = `Turn "${open.start.turnId}" waits for tool "${call.tool}", which is not here; go on where it is, or cancel the turn.`
    throw new AgentError('missing-tool', message)
  }
  return true
}

/** The turn that is to go on; if there is none, whoever asked is told so. */
export function openTurnOf(
  sessionId: string,
  open: OpenTurn | undefined,
): OpenTurn {
  if (open !== undefined) return open
  const message = `No turn of session "${sessionId}" was interrupted.`
  throw new AgentError('invalid-call', message)
}
