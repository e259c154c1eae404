import type { StopReason, Usage } from 'hookline/lifecycle'
import type { AiSdkUsage, FinishReason } from './stream-part.ts'

/**
 * Whether the stream only stopped coming. v4 says so; in v3 such a stream ends
 * for some `other` reason that the provider has given no name.
 */
export function isCut({ unified, raw }: FinishReason): boolean {
  return unified === 'interrupted' || (unified === 'other' && raw == null)
}

/** Some providers say `stop` where calls are open, or calls where none are. */
export function stopReasonOf(
  { unified, raw }: FinishReason,
  hasOpenCalls: boolean,
): StopReason {
  switch (unified) {
    case 'stop':
    case 'tool-calls':
      if (hasOpenCalls) return 'tool_calls'
      return raw === 'stop_sequence' ? 'stop_sequence' : 'end_turn'
    case 'length':
      return 'max_tokens'
    case 'content-filter':
      return 'refusal'
    default:
      return 'other'
  }
}

/** Totals that are missing are the sum of their parts. */
export function usageOf({ inputTokens, outputTokens }: AiSdkUsage): Usage {
  const cacheReadTokens = count(inputTokens?.cacheRead)
  const cacheWriteTokens = count(inputTokens?.cacheWrite)
  const reasoningTokens = count(outputTokens?.reasoning)
  return {
    inputTokens:
      count(inputTokens?.total) ??
      sum(inputTokens?.noCache, cacheReadTokens, cacheWriteTokens),
    outputTokens:
      count(outputTokens?.total) ?? sum(outputTokens?.text, reasoningTokens),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
}

function count(tokens: number | undefined): number | undefined {
  return Number.isFinite(tokens) && Number(tokens) >= 0 ? tokens : undefined
}

function sum(...tokens: readonly (number | undefined)[]): number {
  return tokens.reduce<number>((total, some) => total + (count(some) ?? 0), 0)
}
