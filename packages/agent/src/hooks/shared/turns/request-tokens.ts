import type { ModelRequest } from 'hookline/lifecycle'
import { estimateBlock, estimateText } from '../../../data/estimate-block.ts'

export { estimateBlock as tokensIn }

/** How many tokens a request is, as the runtime guesses for its messages. */
export function tokensOf({ messages, tools }: ModelRequest): number {
  let tokens = estimateText(JSON.stringify(tools))
  for (const { content } of messages) {
    for (const block of content) tokens += estimateBlock(block)
  }
  return tokens
}
