import type {
  ContentBlock,
  ModelContent,
  UserContent,
} from 'hookline/lifecycle'
import type { SpecificationVersion } from './model-shape.ts'
import { type FilePart, filePart } from './prompt-media.ts'
import { isMedium, providerOutput, type ResultPart } from './prompt-results.ts'
import { optionsOf, type ProviderMetadata, resultOf } from './provider-data.ts'

export interface PromptRules {
  readonly version: SpecificationVersion
  /** Otherwise the media of tool results follow in a message of the user. */
  readonly mediaInToolResults: boolean
}

export type PromptPart = TextPart | CallPart | FilePart | ResultPart

interface TextPart {
  readonly type: 'text' | 'reasoning'
  readonly text: string
  readonly providerOptions?: ProviderMetadata
}

interface CallPart {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  readonly providerExecuted?: boolean
  readonly providerOptions?: ProviderMetadata
}

/** What a user says. */
export function mediaParts(
  blocks: UserContent,
  { version }: PromptRules,
): readonly PromptPart[] {
  return blocks
    .filter((block) => !isBlank(block))
    .map((block) =>
      isMedium(block) ? filePart(block, version) : textPart(block),
    )
}

/** What a model said; thoughts alone are refused, so that they are left out. */
export function modelParts(
  blocks: ModelContent,
  rules: PromptRules,
): readonly PromptPart[] {
  const parts = blocks.flatMap((block) => {
    if (block.type === 'tool_call') return callParts(block)
    if (block.type === 'reasoning') return [textPart(block)]
    return mediaParts([block], rules)
  })
  return parts.every(({ type }) => type === 'reasoning') ? [] : parts
}

function callParts(
  block: Extract<ContentBlock, { type: 'tool_call' }>,
): readonly PromptPart[] {
  const { id: toolCallId, tool: toolName, args: input } = block
  const call = { type: 'tool-call', toolCallId, toolName, input } as const
  const options = optionsOf(block)
  if (block.providerExecuted !== true) return [{ ...call, ...options }]
  const result = resultOf(block.providerData)
  // Providers refuse a call of their own that has no result.
  if (result === null) return []
  const output = providerOutput(result)
  return [
    { ...call, providerExecuted: true, ...options },
    { type: 'tool-result', toolCallId, toolName, output, ...options },
  ]
}

function textPart(
  block: Extract<ContentBlock, { type: 'text' | 'reasoning' }>,
): TextPart {
  return { type: block.type, text: block.text, ...optionsOf(block) }
}

/** Providers refuse text in which nothing is said. */
export function isBlank(block: ContentBlock): boolean {
  return block.type === 'text' && block.text.trim() === ''
}
