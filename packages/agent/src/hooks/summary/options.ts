import {
  described,
  flag,
  number,
  object,
  text,
  word,
} from '../../define-hooks.ts'

export interface SummaryOptions {
  /** The model that writes them; default: the agent's. */
  readonly model?: string
  /** After how many turns it is asked again; default 5. */
  readonly everyTurns?: number
  /** Also when a session ends, which then takes as long; default: true. */
  readonly atEnd?: boolean
  /** Whose last session counts: of the same folder, or of any; default: folder. */
  readonly per?: 'folder' | 'agent'
  /** How long a summary is at most; default 1 500. */
  readonly maxChars?: number
  /** Older ones are not told, and forgotten; default 30. */
  readonly maxAgeDays?: number
  /** How long the model may take; default 30 000. */
  readonly timeoutMs?: number
}

export const summaryShape = object<SummaryOptions>(
  {
    model: described(
      text({ maxLength: 200 }),
      "The model that writes them; default: the agent's.",
    ),
    everyTurns: described(
      number({ isWhole: true, min: 1, max: 10 }),
      'After how many turns it is asked again; default: 5.',
    ),
    atEnd: described(
      flag,
      'Also when a session ends, which then takes as long; default: true.',
    ),
    per: described(
      word(['folder', 'agent']),
      'Whose last session counts: one of the same folder, or of any; default: folder.',
    ),
    maxChars: described(
      number({ isWhole: true, min: 200, max: 4_000 }),
      'How long a summary is at most; default: 1500.',
    ),
    maxAgeDays: described(
      number({ min: 0.01, max: 365 }),
      'Older ones are not told, and forgotten; default: 30.',
    ),
    timeoutMs: described(
      number({ isWhole: true, min: 100, max: 120_000 }),
      'How long the model may take, in milliseconds; default: 30000.',
    ),
  },
  [],
)
