import type { ModelErrorCode } from 'hookline/lifecycle'
import {
  described,
  list,
  number,
  object,
  record,
  text,
  word,
  wordOr,
} from '../../define-hooks.ts'

export interface ProviderFallbackOptions {
  /** The models after the agent's own, in the order they are tried. */
  readonly models: readonly FallbackModel[]
  /** The errors that lead to the next one. */
  readonly codes?: readonly ModelErrorCode[]
  /** For single errors, other models and another order. */
  readonly byCode?: { readonly [code: string]: readonly string[] }
  /** How long calls begin with another model than one that has failed. */
  readonly stickFor?: 'call' | 'session' | { readonly minutes: number }
  /** Who shares what is known of a model that has failed. */
  readonly per?: 'session' | 'global'
  /** The name of the circuit-breaker that is asked, if there is one. */
  readonly breaker?: string
}

export interface FallbackModel {
  readonly model: string
  /** What it cannot take; a call that has such things skips it. */
  readonly cannot?: readonly ('tools' | 'images' | 'files')[]
  /** A call that is longer, as far as can be guessed, skips it. */
  readonly contextTokens?: number
}

/** What another model may do better. */
const allCodes = [
  'rate_limited',
  'overloaded',
  'unavailable',
  'timeout',
  'unknown',
  'unauthorized',
  'context_too_long',
  'invalid_request',
  'content_filtered',
] as const

export const defaultCodes: readonly ModelErrorCode[] = allCodes.slice(0, 5)

const modelName = text({ maxLength: 200 })

export const providerFallbackShape = object<ProviderFallbackOptions>(
  {
    models: described(
      list(
        object<FallbackModel>(
          {
            model: described(modelName, 'The name of the model.'),
            cannot: described(
              list(word(['tools', 'images', 'files']), { max: 3 }),
              'What it cannot take; a call that has such things skips it.',
            ),
            contextTokens: described(
              number({ isWhole: true, min: 1 }),
              'A call that is longer, as far as can be guessed, skips it.',
            ),
          },
          ['model'],
        ),
        { min: 1, max: 19 },
      ),
      "The models after the agent's own, in the order they are tried.",
    ),
    codes: described(
      list(word(allCodes), { min: 1, max: allCodes.length }),
      'The errors that lead to the next one; default: rate_limited, overloaded, unavailable, timeout, unknown.',
    ),
    byCode: described(
      record(list(modelName, { max: 20 }), {
        keys: new RegExp(`^(?:${allCodes.join('|')})$`),
        kind: 'error of a model',
        max: allCodes.length,
      }),
      'For single errors, other models and another order.',
    ),
    stickFor: described(
      wordOr(
        ['call', 'session'],
        object<{ readonly minutes: number }>(
          {
            minutes: described(
              number({ min: 0.01, max: 525_600 }),
              'After so many minutes the failed one is tried first again.',
            ),
          },
          ['minutes'],
        ),
        'minutes',
      ),
      'How long calls begin with another model than one that has failed; default: 5 minutes.',
    ),
    per: described(
      word(['session', 'global']),
      'Who shares what is known of a model that has failed; default: the session.',
    ),
    breaker: described(
      text({ maxLength: 64 }),
      'The name of the circuit-breaker that is asked; default: circuit-breaker.',
    ),
  },
  ['models'],
)
