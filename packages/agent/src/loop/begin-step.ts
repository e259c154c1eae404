import type { MaybePromise } from 'hookline'
import { turnStop } from 'hookline/lifecycle'
import type { CoreEnd } from '../ports/core.ts'
import { ask } from './ask.ts'
import { compact, isOverShare } from './compact.ts'
import { endOfAbort, endWith } from './ends.ts'
import { keepGoing, mayKeepGoing } from './keep-going.ts'
import { limitReached } from './limits.ts'
import { takeSteering } from './steering.ts'
import type { Turn } from './turn.ts'

const defaultMaxSteps = 50

/** Begins a step, unless a limit has been reached. */
export function beginStep(turn: Turn): MaybePromise<CoreEnd | undefined> {
  const { limits, progress, signal, events, steering } = turn
  const { maxSteps = defaultMaxSteps } = limits
  if (signal.aborted) return endOfAbort(signal)
  const isQuiet =
    steering.length === 0 &&
    progress.budgetedSteps < maxSteps &&
    !events.isWatched &&
    !isOverShare(turn, 'hard')
  if (!isQuiet) return prepareStep(turn, maxSteps)
  const reached = limitReached(turn)
  if (reached !== undefined) return endWith('limited', reached)
  countStep(turn)
  return undefined
}

/** The same where there is something to wait for. */
async function prepareStep(
  turn: Turn,
  maxSteps: number,
): Promise<CoreEnd | undefined> {
  const { progress, events, steering } = turn
  if (progress.isInStep) await endStep(turn)
  if (steering.length > 0) await takeSteering(turn)
  const reached = limitReached(turn)
  if (reached !== undefined) return endWith('limited', reached)
  const isOutOfSteps = progress.budgetedSteps >= maxSteps
  const end =
    (isOutOfSteps ? await askForSteps(turn, maxSteps) : undefined) ??
    (isOverShare(turn, 'hard') ? await compactNow(turn) : undefined)
  if (end !== undefined) return end
  countStep(turn)
  const { step } = progress
  if (events.isWatched) await events.emit({ type: 'step-start', step })
  return undefined
}

function countStep({ progress, tally }: Turn): void {
  progress.isInStep = true
  tally.isNoted = false
  progress.step++
  progress.budgetedSteps++
  const { step } = progress
  progress.scope = Object.freeze({ ...progress.scope, step })
  progress.stream = undefined
}

/** Ends the step that has begun. */
export async function endStep({ events, progress }: Turn): Promise<void> {
  progress.isInStep = false
  const { step } = progress
  if (events.isWatched) await events.emit({ type: 'step-end', step })
}

/** A hook can renew the steps of a turn, as often as it can keep it going. */
async function askForSteps(
  turn: Turn,
  maxSteps: number,
): Promise<CoreEnd | undefined> {
  const { progress } = turn
  const stop = await ask(turn, turnStop, {
    stopReason: 'tool_calls',
    reply: [],
    continuesSoFar: progress.continues,
    isVoluntary: false,
  })
  if (stop.type === 'keepGoing' && mayKeepGoing(turn, stop)) {
    keepGoing(turn, stop)
    progress.budgetedSteps = 0
    return undefined
  }
  return endWith('limited', `The turn reached its limit of ${maxSteps} steps.`)
}

/** Nothing goes to the model while the conversation is too long for it. */
async function compactNow(turn: Turn): Promise<CoreEnd | undefined> {
  if ((await compact(turn, 'threshold')) !== 'vetoed') return undefined
  return endWith('limited', 'The conversation is too long to go on.')
}
