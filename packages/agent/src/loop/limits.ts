import type { Turn } from './turn.ts'

/** Why a turn may use no more, by its own limits or those it works under. */
export function limitReached(
  { budgets }: Turn,
  moreToolCalls = 0,
): string | undefined {
  for (const { limits, tally } of budgets) {
    const { maxTokens, maxCost, maxToolCalls } = limits
    if (maxTokens !== undefined && tally.tokens >= maxTokens) {
      return `The turn reached its limit of ${maxTokens} tokens.`
    }
    if (maxCost !== undefined && tally.cost >= maxCost) {
      return `The turn reached its limit of ${maxCost} in cost.`
    }
    const isOver = tally.toolCalls + moreToolCalls > (maxToolCalls ?? Infinity)
    if (moreToolCalls > 0 && isOver) {
      return `The turn reached its limit of ${maxToolCalls} tool calls.`
    }
  }
  return undefined
}
