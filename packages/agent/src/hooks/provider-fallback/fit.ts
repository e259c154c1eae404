import type { ContentBlock, ModelRequest } from 'hookline/lifecycle'
import { tokensOf } from '../shared/turns/request-tokens.ts'
import type { FallbackModel } from './options.ts'

/** What a call has in it. */
export interface Needs {
  readonly tools: boolean
  readonly images: boolean
  readonly files: boolean
  /** A guess. */
  readonly tokens: number
}

export function needsOf(request: ModelRequest): Needs {
  const { messages, tools } = request
  const types = new Set<ContentBlock['type']>()
  const look = (block: ContentBlock): void => {
    types.add(block.type)
    if (block.type === 'tool_result') block.content.forEach(look)
  }
  for (const { content } of messages) content.forEach(look)
  return {
    tools:
      tools.length > 0 || types.has('tool_call') || types.has('tool_result'),
    images: types.has('image'),
    files: types.has('file'),
    tokens: tokensOf(request),
  }
}

/** Whether a model can take a call; nothing is known of one that is not listed. */
export function fits(model: FallbackModel | undefined, needs: Needs): boolean {
  if (model === undefined) return true
  if (needs.tokens > (model.contextTokens ?? Infinity)) return false
  return !model.cannot?.some((ability) => needs[ability])
}
