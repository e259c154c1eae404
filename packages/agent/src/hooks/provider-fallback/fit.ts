import type { ContentBlock, ModelRequest } from 'hookline/lifecycle'
import type { FallbackModel } from './options.ts'

/** What a call has in it. */
export interface Needs {
  readonly tools: boolean
  readonly images: boolean
  readonly files: boolean
  /** A guess: about four characters are a token. */
  readonly tokens: number
}

const tokensPerMedium = 1_500

export function needsOf({ messages, tools }: ModelRequest): Needs {
  const needs = { tools: tools.length > 0, images: false, files: false }
  let chars = JSON.stringify(tools).length
  let media = 0
  const look = (block: ContentBlock): void => {
    switch (block.type) {
      case 'image':
        needs.images = true
        media++
        return
      case 'file':
        needs.files = true
        media++
        return
      case 'tool_call':
        needs.tools = true
        chars += JSON.stringify(block.args).length
        return
      case 'tool_result':
        needs.tools = true
        block.content.forEach(look)
        return
      case 'text':
      case 'reasoning':
        chars += block.text.length
        return
    }
  }
  for (const { content } of messages) content.forEach(look)
  return { ...needs, tokens: Math.ceil(chars / 4) + media * tokensPerMedium }
}

/** Whether a model can take a call; nothing is known of one that is not listed. */
export function fits(model: FallbackModel | undefined, needs: Needs): boolean {
  if (model === undefined) return true
  if (needs.tokens > (model.contextTokens ?? Infinity)) return false
  return !model.cannot?.some((ability) => needs[ability])
}
