import type { TurnSpent, TurnUse } from '../ports/turn-use.ts'
import type { Turn } from './turn.ts'

/**
 * How far a turn has come: whoever goes on with it keeps its limits. The time
 * counts where one is set: the clock is not asked for nothing.
 */
export function useOf(turn: Turn): TurnUse {
  const { tally, limits } = turn
  const { step, continues, budgetedSteps } = turn.progress
  const { toolCalls, usage, cost } = tally
  tally.isNoted = true
  const used = { step, continues, budgetedSteps, toolCalls, usage, cost }
  if (limits.maxWallMs === undefined) return used
  return { ...used, workedMs: workedMs(turn) }
}

/** The same, if the journal has less. */
export function useSince(turn: Turn): TurnUse | undefined {
  return isNoted(turn) ? undefined : useOf(turn)
}

/** What it has spent, if the journal has less. */
export function spentSince(turn: Turn): TurnSpent | undefined {
  if (isNoted(turn)) return undefined
  const { toolCalls, usage, cost, workedMs } = useOf(turn)
  const spent = { toolCalls, usage, cost }
  return workedMs === undefined ? spent : { ...spent, workedMs }
}

/** Time always goes on. */
function isNoted({ tally, limits }: Turn): boolean {
  return tally.isNoted && limits.maxWallMs === undefined
}

/** How long a turn was at work, in every process; people take their own time. */
export function workedMs({ open, parts, startedMs, tally }: Turn): number {
  const now = parts.clock.now()
  const before = open?.used?.workedMs ?? 0
  return before + Math.max(0, now - startedMs - tally.waitedMs(now))
}
