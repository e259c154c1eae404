import type {
  FileBlock,
  ImageBlock,
  MediaBlock,
  ToolResultBlock,
} from 'hookline/lifecycle'
import type { SpecificationVersion } from './model-shape.ts'
import { resultMedia } from './prompt-media.ts'
import {
  optionsOf,
  type ProviderMetadata,
  type ProviderResult,
} from './provider-data.ts'

export interface ResultPart {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly toolName: string
  readonly output: ResultOutput
  readonly providerOptions?: ProviderMetadata
}

export type ResultOutput =
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  | { readonly type: 'json' | 'error-json'; readonly value: unknown }
  | { readonly type: 'content'; readonly value: readonly object[] }

/** A result as the model is to see it. Only text can say that it is an error. */
export function resultPart(
  block: ToolResultBlock,
  version: SpecificationVersion,
): ResultPart {
  const { callId: toolCallId, tool: toolName } = block
  const output = outputOf(block, version)
  return {
    type: 'tool-result',
    toolCallId,
    toolName,
    output,
    ...optionsOf(block),
  }
}

function outputOf(
  { content, isError }: ToolResultBlock,
  version: SpecificationVersion,
): ResultOutput {
  if (isError) return { type: 'error-text', value: asText(content) }
  if (!content.some(isMedium)) return { type: 'text', value: asText(content) }
  const value = content.map((block) =>
    isMedium(block)
      ? resultMedia(block, version)
      : { type: 'text', text: block.text, ...optionsOf(block) },
  )
  return { type: 'content', value }
}

/** The result with its media taken out, for providers that take only text. */
export function withoutMedia(block: ToolResultBlock): ToolResultBlock {
  if (!block.content.some(isMedium)) return block
  return { ...block, content: [{ type: 'text', text: asText(block.content) }] }
}

/** The output of a call that the provider ran itself, as it gave it. */
export function providerOutput({
  value,
  isError,
}: ProviderResult): ResultOutput {
  return { type: isError ? 'error-json' : 'json', value }
}

export function isMedium(block: MediaBlock): block is ImageBlock | FileBlock {
  return block.type !== 'text'
}

function asText(content: readonly MediaBlock[]): string {
  return content
    .map((block) => (isMedium(block) ? `[${block.mediaType}]` : block.text))
    .join('\n')
}
