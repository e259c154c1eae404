import type { TurnSpent, TurnUse } from '../ports/turn-use.ts'
import type { Turn } from './turn.ts'

/** How far a turn has come: whoever goes on with it keeps its limits. */
export function useOf(turn: Turn): TurnUse {
  const { step, continues, budgetedSteps } = turn.progress
  return { step, continues, budgetedSteps, ...spentBy(turn) }
}

export function spentBy(turn: Turn): TurnSpent {
  const { toolCalls, usage, cost } = turn.tally
  return { toolCalls, usage, cost, workedMs: workedMs(turn) }
}

/** How long a turn was at work, in every process; people take their own time. */
export function workedMs({ open, parts, startedMs, tally }: Turn): number {
  const now = parts.clock.now()
  const before = open?.used?.workedMs ?? 0
  return before + Math.max(0, now - startedMs - tally.waitedMs(now))
}
