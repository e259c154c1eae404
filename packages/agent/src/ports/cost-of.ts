import type { Usage } from 'hookline/lifecycle'
import type { ModelPrice } from './model.ts'

/** What so many tokens cost, in the currency of the price. */
export function costOf(usage: Usage, price: ModelPrice): number {
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  const { input, output, cacheRead = input, cacheWrite = input } = price
  const fresh = usage.inputTokens - cacheReadTokens - cacheWriteTokens
  const millionths =
    Math.max(0, fresh) * input +
    cacheReadTokens * cacheRead +
    cacheWriteTokens * cacheWrite +
    usage.outputTokens * output
  return millionths / 1_000_000
}
