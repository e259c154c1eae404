import type { ModelErrorCode, ToolErrorKind } from 'hookline/lifecycle'
import {
  described,
  flag,
  list,
  number,
  object,
  text,
  word,
} from '../../define-hooks.ts'

export interface CircuitBreakerOptions {
  /** Whether models are watched. */
  readonly models?: boolean
  /** Names of the tools that are watched. */
  readonly tools?: readonly string[]
  /** The errors of a model that count. */
  readonly codes?: readonly ModelErrorCode[]
  /** The errors of a tool that count. */
  readonly errors?: readonly ToolErrorKind[]
  /** How long back calls count. */
  readonly windowMs?: number
  /** How many calls there have to be. */
  readonly minCalls?: number
  /** Which share of them has to fail. */
  readonly share?: number
  /** How long nothing is tried then. */
  readonly openMs?: number
}

/** A model that says one of these is not well; others are about the call. */
export const defaultCodes: readonly ModelErrorCode[] = [
  'rate_limited',
  'overloaded',
  'unavailable',
  'timeout',
  'unknown',
]

export const defaultErrors: readonly ToolErrorKind[] = [
  'tool',
  'dispatch',
  'timeout',
  'unknown_outcome',
]

export const circuitBreakerShape = object<CircuitBreakerOptions>(
  {
    models: described(flag, 'Whether models are watched; default: true.'),
    tools: described(
      list(text({ maxLength: 128 }), { max: 100 }),
      'Names of the tools that are watched; default: none.',
    ),
    codes: described(
      list(word([...defaultCodes, 'unauthorized']), { min: 1, max: 6 }),
      'The errors of a model that count; default: all but unauthorized.',
    ),
    errors: described(
      list(word(defaultErrors), { min: 1, max: 4 }),
      'The errors of a tool that count; default: all of them.',
    ),
    windowMs: described(
      number({ isWhole: true, min: 1_000, max: 86_400_000 }),
      'How long back calls count, in milliseconds; default: 60000.',
    ),
    minCalls: described(
      number({ isWhole: true, min: 1, max: 10_000 }),
      'How many calls there have to be in that time; default: 5.',
    ),
    share: described(
      number({ min: 0.01, max: 1 }),
      'Which share of them has to fail, from 0.01 to 1; default: 0.5.',
    ),
    openMs: described(
      number({ isWhole: true, min: 100, max: 86_400_000 }),
      'How long nothing is tried then, in milliseconds; default: 30000.',
    ),
  },
  [],
)
