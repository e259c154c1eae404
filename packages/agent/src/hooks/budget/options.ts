import { described, flag, number, object, word } from '../../define-hooks.ts'
import { timeZoneShape } from '../shared/spending/day-of.ts'
import { type Prices, pricesShape } from '../shared/spending/price-table.ts'

/** What may be used, and no more. What is absent has no limit. */
export interface BudgetLimits {
  /** Tokens in and out. */
  readonly tokens?: number
  /** In the currency of the prices. */
  readonly cost?: number
  /** Calls of models, tries and calls by hooks among them. */
  readonly calls?: number
  /** How long calls of models take, added up. */
  readonly modelMs?: number
}

export interface BudgetOptions {
  /** For each turn of the session at the top, with what its sub-agents do. */
  readonly turn?: BudgetLimits
  /** For a session, with all that work for it. */
  readonly session?: BudgetLimits
  /** For all sessions that share state, each day. */
  readonly day?: BudgetLimits
  /** For each actor, each day. */
  readonly actorDay?: BudgetLimits
  readonly prices?: Prices
  readonly timeZone?: string
  /** What a call may give that says no `maxOutputTokens`; default 4096. */
  readonly maxOutputTokens?: number
  /** Whether `maxOutputTokens` of a call is lowered to fit; default true. */
  readonly lowersOutput?: boolean
  /** Below this a call is refused rather than lowered; default 256. */
  readonly minOutputTokens?: number
  /** How many characters of plain text are at least a token; default 3. */
  readonly charsPerToken?: number
  /** What a call counts whose use nobody told; default: all it could be. */
  readonly unknownUse?: 'worst' | 'input' | 'nothing'
  /** After how long a reservation counts as used; default: an hour. */
  readonly reserveMs?: number
  /** What becomes of the turn; default: it is rejected. */
  readonly onLimit?: 'reject' | 'end-turn'
}

const count = number({ isWhole: true, min: 0 })
const output = number({ isWhole: true, min: 1, max: 10_000_000 })

const limits = object<BudgetLimits>(
  {
    tokens: described(count, 'How many tokens, in and out.'),
    cost: described(
      number({ min: 0 }),
      'How much money, in the currency of the prices. A model without a price is then refused.',
    ),
    calls: described(
      count,
      'How many calls of models, tries and calls by hooks among them.',
    ),
    modelMs: described(
      count,
      'How long calls of models take, added up. A call that has begun is not cut off.',
    ),
  },
  [],
)

export const budgetOptions = object<BudgetOptions>(
  {
    turn: described(
      limits,
      'For each turn of the session at the top, with what its sub-agents do meanwhile.',
    ),
    session: described(limits, 'For a session, with all that work for it.'),
    day: described(limits, 'For all sessions that share state, each day.'),
    actorDay: described(limits, 'For each actor, each day.'),
    prices: pricesShape,
    timeZone: timeZoneShape,
    maxOutputTokens: described(
      output,
      'What a call may give that says no maxOutputTokens; default: 4096.',
    ),
    lowersOutput: described(
      flag,
      'Whether maxOutputTokens of a call is lowered to what is left; default: true.',
    ),
    minOutputTokens: described(
      output,
      'Where less than this is left, a call is refused and not lowered; default: 256.',
    ),
    charsPerToken: described(
      number({ min: 0.5, max: 10 }),
      'How many characters of plain text are a token, at the least; default: 3.',
    ),
    unknownUse: described(
      word(['worst', 'input', 'nothing']),
      'What a call counts whose use nobody told, such as one that was cancelled, or of a provider that does not count; default: worst.',
    ),
    reserveMs: described(
      number({ isWhole: true, min: 1000, max: 86_400_000 }),
      'After how long a reservation that nobody settled counts as used; default: an hour.',
    ),
    onLimit: described(
      word(['reject', 'end-turn']),
      'Whether the turn is rejected at a limit, or ends with what it has; default: reject.',
    ),
  },
  [],
)
