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
  return async (model) => {
    if (Object.hasOwn(prices, model)) return prices[model]
    const price = await priceOf(model)
    return price !== undefined && isPrice(price) ? price : undefined
  }
}

/** A price below nothing would make room with every call. */
function isPrice({ input, output, cacheRead, cacheWrite }: ModelPrice) {
  return [input, output, cacheRead ?? 0, cacheWrite ?? 0].every(
    (amount) => Number.isFinite(amount) && amount >= 0,
  )
}
