import { described, list, number, object, text } from '../../define-hooks.ts'

export interface TimeoutBudgetOptions {
  /** How long a turn may work, with its sub-agents. */
  readonly turnMs?: number
  /** How long one step may work. */
  readonly stepMs?: number
  /** How long all turns of a session may work, added up. */
  readonly sessionMs?: number
  /** Tools in which people are waited for; default: `ask_user`. */
  readonly peopleTools?: readonly string[]
}

const ms = number({ isWhole: true, min: 1, max: 30 * 86_400_000 })

export const timeoutBudgetShape = object<TimeoutBudgetOptions>(
  {
    turnMs: described(ms, 'How long a turn may work, with its sub-agents.'),
    stepMs: described(
      ms,
      'How long one step, a call of the model and its tools, may work.',
    ),
    sessionMs: described(
      ms,
      'How long all turns of a session may work, added up.',
    ),
    peopleTools: described(
      list(text({ maxLength: 128 }), { max: 100 }),
      'Names or patterns of tools in which people are waited for; default: ask_user.',
    ),
  },
  [],
)
