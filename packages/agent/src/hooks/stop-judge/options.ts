import {
  described,
  flag,
  list,
  number,
  object,
  text,
  word,
} from '../../define-hooks.ts'

export interface StopJudgeOptions {
  /** What has to be true of the work before the turn may stop. */
  readonly rubric?: string
  /** The model that judges. */
  readonly model?: string
  /** How often a turn is kept going. */
  readonly maxRounds?: number
  /** A reply that has one of these in it is done; the judge is not asked. */
  readonly donePatterns?: readonly string[]
  /** A reply that has one of these in it is not; the judge is not asked. */
  readonly openPatterns?: readonly string[]
  /** What happens if the judge gives no clear answer. */
  readonly onFailure?: 'open' | 'closed'
  /** Whether agents that work for others are judged, too. */
  readonly subagents?: boolean
  /** How much of the newest conversation the judge is shown. */
  readonly maxTranscriptChars?: number
  /** How long the judge may take. */
  readonly timeoutMs?: number
}

const patterns = list(text({ maxLength: 1_000, kind: 'a pattern' }), {
  max: 100,
})

export const stopJudgeShape = object<StopJudgeOptions>(
  {
    rubric: described(
      text({ maxLength: 8_000 }),
      'What has to be true of the work before the turn may stop; default: all that the user asked for is done.',
    ),
    model: described(
      text({ maxLength: 200 }),
      'The model that judges; default: the one that the turn has called last.',
    ),
    maxRounds: described(
      number({ isWhole: true, min: 1, max: 3 }),
      'How often a turn is kept going; default: 2.',
    ),
    donePatterns: described(
      patterns,
      'RE2 patterns. A reply that has one of these in it is done; the judge is not asked.',
    ),
    openPatterns: described(
      patterns,
      'RE2 patterns. A reply that has one of these in it is not done; the judge is not asked.',
    ),
    onFailure: described(
      word(['open', 'closed']),
      'If the judge gives no clear answer, the turn stops (open) or goes on (closed); default: open.',
    ),
    subagents: described(
      flag,
      'Whether agents that work for others are judged, too; default: false.',
    ),
    maxTranscriptChars: described(
      number({ isWhole: true, min: 500, max: 50_000 }),
      'How much of the newest conversation the judge is shown, in characters; default: 12000.',
    ),
    timeoutMs: described(
      number({ isWhole: true, min: 100, max: 120_000 }),
      'How long the judge may take, in milliseconds; default: 20000.',
    ),
  },
  [],
)
