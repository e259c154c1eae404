import type { ContentBlock, Message } from 'hookline/lifecycle'

const charsPerToken = 4
const tokensPerMessage = 4
// What providers charge for an image is bounded, whatever its bytes.
const tokensPerMedium = 1_500

/** A guess, until a model has counted: about four characters are a token. */
export function estimateTokens(messages: readonly Message[]): number {
  let tokens = 0
  for (const { content } of messages) {
    tokens += tokensPerMessage
    for (const block of content) tokens += estimateBlock(block)
  }
  return tokens
}

function estimateBlock(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return Math.ceil(block.text.length / charsPerToken)
    case 'tool_call':
      return Math.ceil(JSON.stringify(block.args).length / charsPerToken)
    case 'tool_result':
      return block.content.reduce((sum, part) => sum + estimateBlock(part), 0)
    case 'image':
    case 'file':
      return tokensPerMedium
  }
}
