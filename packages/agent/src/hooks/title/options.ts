import { described, number, object, text } from '../../define-hooks.ts'

export interface TitleOptions {
  /** The model that is asked for titles; default: the agent's. */
  readonly model?: string
  /** After so many turns it is asked again; default: never. */
  readonly everyTurns?: number
  /** What titles have to be like, beside short. */
  readonly instructions?: string
  /** How long the model may take; default 30 000. */
  readonly timeoutMs?: number
}

export const titleShape = object<TitleOptions>(
  {
    model: described(
      text({ maxLength: 200 }),
      "The model that is asked for titles; default: the agent's.",
    ),
    everyTurns: described(
      number({ isWhole: true, min: 1, max: 1_000 }),
      'After so many turns it is asked again; default: never.',
    ),
    instructions: described(
      text({ maxLength: 2_000 }),
      'What titles have to be like, beside short.',
    ),
    timeoutMs: described(
      number({ isWhole: true, min: 100, max: 120_000 }),
      'How long the model may take, in milliseconds; default: 30000.',
    ),
  },
  [],
)
