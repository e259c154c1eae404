import type { RunState } from 'hookline'

/** How far a run has come, or how it ended. */
export const runStates = [
  'started',
  'completed',
  'skipped',
  'failed',
  'timed_out',
  'backgrounded',
  'cancelled',
] as const satisfies readonly RunState[]

/**
 * Runs are written in groups, by several daemons, each with a clock of its own:
 * whoever has read up to now looks again at all that began so long before.
 */
export const runOverlapMs = 60_000

/** What can come of a run of a hook; everybody has these names for it. */
export const runOutcomes = [
  'proceeded',
  'added',
  'transformed',
  'replaced',
  'responded',
  'rejected',
  'asked',
  'ended_turn',
  'kept_going',
  'failed_open',
  'failed',
  'timed_out',
  'evaluated',
  'observed',
  'skipped',
  'cancelled',
  'background',
  'running',
] as const

export type RunOutcome = (typeof runOutcomes)[number]

const byAnswer: ReadonlyMap<string, RunOutcome> = new Map([
  ['proceed', 'proceeded'],
  ['transform', 'transformed'],
  ['replace', 'replaced'],
  ['respond', 'responded'],
  ['reject', 'rejected'],
  ['ask', 'asked'],
  ['endTurn', 'ended_turn'],
  ['keepGoing', 'kept_going'],
])

const byState: ReadonlyMap<RunState, RunOutcome> = new Map<
  RunState,
  RunOutcome
>([
  ['started', 'running'],
  ['skipped', 'skipped'],
  ['failed', 'failed'],
  ['timed_out', 'timed_out'],
  ['cancelled', 'cancelled'],
  ['backgrounded', 'background'],
])

/** As much of a run as says what came of it. */
export interface JudgedRun {
  readonly state: RunState
  readonly failedOpen: boolean
  readonly mode?: string | undefined
  readonly answer?: string | undefined
  readonly contributions?: readonly unknown[] | undefined
}

/** What a hook did; what it only would have done is told apart. */
export function outcomeOfRun(run: JudgedRun): RunOutcome {
  const { state, mode, failedOpen, answer = '', contributions = [] } = run
  if (failedOpen && state !== 'timed_out') return 'failed_open'
  const ended = byState.get(state)
  if (ended !== undefined) return ended
  if (mode === 'evaluate') return 'evaluated'
  const said = byAnswer.get(answer) ?? 'observed'
  return said === 'proceeded' && contributions.length > 0 ? 'added' : said
}

/** The state of all runs of which this came; undefined: it may be several. */
export function stateOfOutcome(outcome: RunOutcome): RunState | undefined {
  return [...byState].find(([, one]) => one === outcome)?.[0]
}
