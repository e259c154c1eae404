import { type CancelSignal, HookError } from 'hookline'
import type { Reply, TurnStatus } from 'hookline/lifecycle'
import { namelessText } from '../data/error-text.ts'
import { hookOf } from '../data/hook-of.ts'
import { isA } from '../data/is-a.ts'
import { AgentError } from '../ports/agent-error.ts'
import { Suspension } from '../ports/approvals.ts'
import type { CoreEnd } from '../ports/core.ts'
import { ModelFailure, modelErrorOf } from '../ports/model-failure.ts'
import type { Turn } from './turn.ts'

const noReply: Reply = Object.freeze([])

/** An end that a hook or a limit has brought about. */
export function endWith(
  status: TurnStatus,
  reason: string,
  by?: string,
  reply: Reply = noReply,
): CoreEnd {
  return { type: 'end', status, reason, reply, ...(by && { by }) }
}

/** Why the signal of a turn was aborted, where it was not simply cancelled. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached'
}

/** What a turn that was broken off comes to. */
export function endOfThrown({ signal }: Turn, thrown: unknown): CoreEnd {
  return signal.aborted ? endOfAbort(signal) : failedEnd(thrown)
}

export function failedEnd(thrown: unknown): CoreEnd {
  const said = { code: codeOf(thrown), message: namelessText(thrown) }
  const hook = hookOf(thrown)
  const error = hook === undefined ? said : { ...said, hook }
  return { type: 'end', status: 'failed', reply: noReply, error }
}

export function endOfAbort({ reason }: CancelSignal): CoreEnd {
  if (reason instanceof LimitReached) return endWith('limited', reason.message)
  if (reason instanceof Suspension) return endWith('cancelled', reason.message)
  const why = typeof reason === 'string' && reason !== '' ? reason : undefined
  return endWith('cancelled', why ?? 'The turn was cancelled.')
}

function codeOf(thrown: unknown): string {
  if (isA(thrown, ModelFailure)) return modelErrorOf(thrown).code
  const isOurs = isA(thrown, HookError) || isA(thrown, AgentError)
  return isOurs ? thrown.code : 'unexpected'
}
