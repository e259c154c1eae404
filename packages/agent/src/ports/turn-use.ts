import type { SystemMessage, Usage } from 'hookline/lifecycle'

/** What a turn has spent, with all that was done on its behalf. */
export interface TurnSpent {
  readonly toolCalls: number
  readonly usage: Usage
  readonly cost: number
  /** How long it was at work, without waiting for people. */
  readonly workedMs?: number
}

/** How far a turn has come, as its limits count it. */
export interface TurnUse extends TurnSpent {
  readonly step: number
  readonly continues: number
  /** Steps since the step limit was last renewed. */
  readonly budgetedSteps: number
}

/** What a turn has used up, and was told, when it was interrupted. */
export interface StoredProgress extends Omit<TurnUse, 'step'> {
  /** The system prompt that hooks had a part in. */
  readonly system?: SystemMessage
}

// Written out: each step comes by here, and to spread costs.

export function progressIn(use: TurnUse): StoredProgress {
  const { continues, budgetedSteps, toolCalls, usage, cost, workedMs } = use
  const progress = { continues, budgetedSteps, toolCalls, usage, cost }
  return workedMs === undefined ? progress : { ...progress, workedMs }
}

export function useAt(step: number, progress: StoredProgress): TurnUse {
  const { continues, budgetedSteps, toolCalls, usage, cost } = progress
  const { workedMs } = progress
  const use = { step, continues, budgetedSteps, toolCalls, usage, cost }
  return workedMs === undefined ? use : { ...use, workedMs }
}
