import {
  type JudgedRun,
  outcomeOfRun,
  type RunOutcome,
  runOutcomes,
} from '../data/protocol.ts'
import type { Tone } from '../ui/tone.ts'

/** What became of something: its word, its colour, and how its bar is drawn. */
export interface OutcomeLook {
  readonly word: string
  readonly tone: Tone
  /** Colour alone says nothing: two of one colour differ in this. */
  readonly fill: 'solid' | 'striped' | 'outline' | 'dashed' | 'dotted'
}

/** What becomes of anything but a hook, beside what hooks have as well. */
type OtherOutcome = 'done' | 'denied' | 'unknown'

export type Outcome = RunOutcome | OtherOutcome

export const outcomes: Readonly<Record<Outcome, OutcomeLook>> = {
  proceeded: { word: 'Proceeded', tone: 'good', fill: 'solid' },
  added: { word: 'Added to it', tone: 'changed', fill: 'outline' },
  transformed: { word: 'Transformed', tone: 'changed', fill: 'solid' },
  replaced: { word: 'Replaced', tone: 'changed', fill: 'striped' },
  responded: { word: 'Responded', tone: 'changed', fill: 'dashed' },
  rejected: { word: 'Rejected', tone: 'bad', fill: 'solid' },
  asked: { word: 'Asked a person', tone: 'caution', fill: 'solid' },
  ended_turn: { word: 'Ended turn', tone: 'bad', fill: 'dashed' },
  kept_going: { word: 'Kept going', tone: 'changed', fill: 'dotted' },
  failed_open: { word: 'Failed open', tone: 'caution', fill: 'striped' },
  failed: { word: 'Failed', tone: 'bad', fill: 'striped' },
  timed_out: { word: 'Timed out', tone: 'bad', fill: 'outline' },
  evaluated: { word: 'Evaluated only', tone: 'noted', fill: 'outline' },
  observed: { word: 'Observed', tone: 'neutral', fill: 'solid' },
  skipped: { word: 'Skipped', tone: 'neutral', fill: 'outline' },
  cancelled: { word: 'Cancelled', tone: 'neutral', fill: 'dashed' },
  background: { word: 'In background', tone: 'neutral', fill: 'striped' },
  running: { word: 'Running', tone: 'noted', fill: 'solid' },
  done: { word: 'Done', tone: 'neutral', fill: 'solid' },
  denied: { word: 'Denied', tone: 'bad', fill: 'solid' },
  unknown: { word: 'Unknown outcome', tone: 'caution', fill: 'outline' },
}

export function isOutcome(given: string | undefined): given is Outcome {
  return given !== undefined && Object.hasOwn(outcomes, given)
}

export function isRunOutcome(given: string | undefined): given is RunOutcome {
  return runOutcomes.some((one) => one === given)
}

/** What a hook did, as it is shown everywhere. */
export function lookOfRun(run: JudgedRun): OutcomeLook {
  return outcomes[outcomeOfRun(run)]
}

/** To choose one from: of those of hooks, or of all there are. */
export function outcomeChoices(all: string, among: readonly Outcome[]) {
  const choices = among.map((value) => ({ value, label: outcomes[value].word }))
  return [{ value: '', label: all }, ...choices]
}

const byStatus: ReadonlyMap<string, Outcome> = new Map([
  ['executed', 'done'],
  ['synthesized', 'responded'],
  ['denied', 'denied'],
  ['cancelled', 'cancelled'],
  ['unknown_outcome', 'unknown'],
  ['succeeded', 'done'],
  ['rejected', 'rejected'],
  ['withheld', 'rejected'],
  ['failed', 'failed'],
  ['limited', 'cancelled'],
  ['running', 'running'],
])

/** What has no bar. */
type Look = Omit<OutcomeLook, 'fill'>

const turnLooks: ReadonlyMap<string, Look> = new Map<string, Look>([
  ['running', outcomes.running],
  ['succeeded', { word: 'Succeeded', tone: 'good' }],
  ['rejected', outcomes.rejected],
  ['withheld', { word: 'Withheld', tone: 'bad' }],
  ['failed', outcomes.failed],
  ['cancelled', outcomes.cancelled],
  ['limited', { word: 'Limited', tone: 'caution' }],
])

/** How a turn stands, or how it ended. */
export function lookOfTurn(status: string): Look {
  return turnLooks.get(status) ?? { word: status, tone: 'neutral' }
}

/** How a call, a sub-agent or the turn itself ended. */
export function outcomeOfStatus(status: string | undefined): Outcome {
  return status === undefined ? 'running' : (byStatus.get(status) ?? 'done')
}
