import { turnStop } from 'hookline/lifecycle'
import type { CoreEnd } from '../ports/core.ts'
import { ask } from './ask.ts'
import { compactIfFull } from './compact.ts'
import { endOfAbort, endWith } from './ends.ts'
import { keepGoing, mayKeepGoing } from './keep-going.ts'
import { takeSteering } from './steering.ts'
import type { Turn } from './turn.ts'

const defaultMaxSteps = 50

/** Begins a step, unless a limit has been reached. */
export async function beginStep(turn: Turn): Promise<CoreEnd | undefined> {
  const { progress, signal, events } = turn
  if (signal.aborted) return endOfAbort(signal)
  await endStep(turn)
  if (turn.steering.length > 0) await takeSteering(turn)
  const end =
    overBudget(turn) ?? (await overSteps(turn)) ?? (await compactIfFull(turn))
  if (end !== undefined) return end
  progress.isInStep = true
  progress.step++
  progress.budgetedSteps++
  const { step } = progress
  progress.scope = Object.freeze({ ...progress.scope, step })
  progress.stream = undefined
  if (events.isWatched) await events.emit({ type: 'step-start', step })
  return undefined
}

/** Ends the step that has begun, if one has. */
export async function endStep({ events, progress }: Turn): Promise<void> {
  if (!progress.isInStep) return
  progress.isInStep = false
  const { step } = progress
  if (events.isWatched) await events.emit({ type: 'step-end', step })
}

/** Tokens and money: what is used up cannot be renewed. */
function overBudget({ limits, tally }: Turn): CoreEnd | undefined {
  const { maxTokens = Infinity, maxCost = Infinity } = limits
  if (tally.tokens >= maxTokens) {
    const reason = `The turn reached its limit of ${maxTokens} tokens.`
    return endWith('limited', reason)
  }
  if (tally.cost < maxCost) return undefined
  return endWith('limited', `The turn reached its limit of ${maxCost} in cost.`)
}

/** A hook can renew the steps of a turn, as often as it can keep it going. */
async function overSteps(turn: Turn): Promise<CoreEnd | undefined> {
  const { limits, progress } = turn
  const { maxSteps = defaultMaxSteps } = limits
  if (progress.budgetedSteps < maxSteps) return undefined
  const reason = `The turn reached its limit of ${maxSteps} steps.`
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
  return endWith('limited', reason)
}
