import {
  described,
  type HooksHost,
  number,
  object,
  record,
} from '../../../define-hooks.ts'
import type { ModelPrice } from '../../../index.ts'

/** Prices by the names of models. */
export type Prices = Readonly<Record<string, ModelPrice>>

const millionTokens = number({ min: 0, max: 1_000_000 })

/** For the options of hooks that count money. */
export const pricesShape = described(
  record(
    object<ModelPrice>(
      {
        input: described(millionTokens, 'For a million tokens of input.'),
        output: described(millionTokens, 'For a million tokens of output.'),
        cacheRead: described(
          millionTokens,
          'For a million tokens read from a cache; default: as input.',
        ),
        cacheWrite: described(
          millionTokens,
          'For a million tokens written to a cache; default: as input.',
        ),
      },
      ['input', 'output'],
    ),
    { keys: /^.{1,256}$/, kind: 'name of a model', max: 1000 },
  ),
  'Prices by the names of models, in any one currency. They hold before those that models say themselves.',
)

/** What a model costs: by the table, else by what it says itself. */
export function createPriceTable(
  prices: Prices,
  { priceOf }: Pick<HooksHost, 'priceOf'>,
): (model: string) => Promise<ModelPrice | undefined> {
  return async (model) =>
    Object.hasOwn(prices, model) ? prices[model] : await priceOf(model)
}
