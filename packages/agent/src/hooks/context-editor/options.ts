import { described, list, number, object, text } from '../../define-hooks.ts'

export interface ContextEditorOptions {
  /** How many tokens the model can take. */
  readonly contextTokens?: number
  /** From this share of them on, old results are shortened. */
  readonly startShare?: number
  /** Down to this share, so that the next time is far away. */
  readonly targetShare?: number
  /** What would save less than this share is not done. */
  readonly minSavedShare?: number
  /** How many of the latest results stay as they are. */
  readonly keepLatest?: number
  /** How much of a result is left; 0: none of it. */
  readonly keepChars?: number
  /** Results of these tools stay as they are. */
  readonly keepTools?: readonly string[]
}

const share = number({ min: 0.01, max: 1 })

export const contextEditorShape = object<ContextEditorOptions>(
  {
    contextTokens: described(
      number({ isWhole: true, min: 100, max: 100_000_000 }),
      'How many tokens the model can take; default: as the model says.',
    ),
    startShare: described(
      share,
      'From this share of the window on, old results are shortened; default: 0.5.',
    ),
    targetShare: described(
      share,
      'Down to this share, so that the next time is far away; default: 0.3.',
    ),
    minSavedShare: described(
      number({ min: 0, max: 1 }),
      'What would save less than this share of the window is not done; default: 0.05.',
    ),
    keepLatest: described(
      number({ isWhole: true, min: 1, max: 1_000 }),
      'How many of the latest results stay as they are; default: 5.',
    ),
    keepChars: described(
      number({ isWhole: true, min: 0, max: 100_000 }),
      'How much of a result is left, in characters; default: 200.',
    ),
    keepTools: described(
      list(text({ maxLength: 128 }), { max: 100 }),
      'Results of these tools stay as they are; default: none.',
    ),
  },
  [],
)
