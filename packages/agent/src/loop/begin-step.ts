import type { MaybePromise } from 'hookline'
import { turnStop } from 'hookline/lifecycle'
import type { CoreEnd } from '../ports/core.ts'
import { ask } from './ask.ts'
import { compact, isOverShare } from './compact.ts'
import { endOfAbort, endWith } from './ends.ts'
import { keepGoing, mayKeepGoing } from './keep-going.ts'
import { addSteering, judgeSteering } from './steering.ts'
import type { Turn } from './turn.ts'

const defaultMaxSteps = 50

/** Begins a step, unless a limit has been reached. */
export function beginStep(turn: Turn): MaybePromise<CoreEnd | undefined> {
  const { limits, progress, signal, events, steering } = turn
  const { maxSteps = defaultMaxSteps } = limits
  const isQuiet =
    steering.length === 0 &&
    progress.budgetedSteps < maxSteps &&
    !events.isWatched &&
    !isOverShare(turn, 'hard')
  if (!isQuiet) return beginBusyStep(turn, maxSteps)
  if (signal.aborted) return endOfAbort(signal)
  return overBudget(turn) ?? countStep(turn)
}

/** The same where there is something to wait for. */
async function beginBusyStep(
  turn: Turn,
  maxSteps: number,
): Promise<CoreEnd | undefined> {
  const { progress, signal, events } = turn
  if (signal.aborted) return endOfAbort(signal)
  if (progress.isInStep) await endStep(turn)
  if (turn.steering.length > 0) {
    await addSteering(turn, await judgeSteering(turn))
  }
  const isOutOfSteps = progress.budgetedSteps >= maxSteps
  const end =
    overBudget(turn) ??
    (isOutOfSteps ? await askForSteps(turn, maxSteps) : undefined) ??
    (isOverShare(turn, 'hard') ? await compactNow(turn) : undefined)
  if (end !== undefined) return end
  countStep(turn)
  const { step } = progress
  if (events.isWatched) await events.emit({ type: 'step-start', step })
  return undefined
}

function countStep({ progress }: Turn): undefined {
  progress.isInStep = true
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

/** Tokens and money: what is used up cannot be renewed. */
function overBudget({ budgets }: Turn): CoreEnd | undefined {
  for (const { limits, tally } of budgets) {
    const { maxTokens = Infinity, maxCost = Infinity } = limits
    if (tally.tokens >= maxTokens) {
      const reason = `The turn reached its limit of ${maxTokens} tokens.`
      return endWith('limited', reason)
    }
    if (tally.cost >= maxCost) {
      const reason = `The turn reached its limit of ${maxCost} in cost.`
      return endWith('limited', reason)
    }
  }
  return undefined
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
