import type { ContentBlock } from 'hookline/lifecycle'

const charsPerToken = 4
// What providers charge for an image is bounded, whatever its bytes.
const tokensPerMedium = 1_500

/** How many tokens a block is; a guess: about four characters are one. */
export function estimateBlock(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return estimateText(block.text)
    case 'tool_call':
      return estimateText(JSON.stringify(block.args))
    case 'tool_result':
      return block.content.reduce((sum, part) => sum + estimateBlock(part), 0)
    case 'image':
    case 'file':
      return tokensPerMedium
  }
}

export function estimateText(text: string): number {
  return Math.ceil(text.length / charsPerToken)
}
