import type { Message } from 'hookline/lifecycle'
import { estimateBlock } from '../data/estimate-block.ts'

const tokensPerMessage = 4

/** A guess, until a model has counted. */
export function estimateTokens(messages: readonly Message[]): number {
  let tokens = 0
  for (const { content } of messages) {
    tokens += tokensPerMessage
    for (const block of content) tokens += estimateBlock(block)
  }
  return tokens
}
