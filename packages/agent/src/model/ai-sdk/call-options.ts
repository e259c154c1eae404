import type {
  ModelRequest,
  ModelSettings,
  ToolChoice,
  ToolDeclaration,
} from 'hookline/lifecycle'
import type { AiSdkCallOptions } from './model-shape.ts'
import { promptOf } from './prompt.ts'
import type { PromptRules } from './prompt-parts.ts'
import { mergeMetadata, type ProviderMetadata } from './provider-data.ts'

export interface CallDefaults extends PromptRules {
  /** Under what the request itself sets. */
  readonly providerOptions?: ProviderMetadata
}

/** A request in the terms of the AI SDK. */
export function callOptions(
  { messages, tools, settings }: ModelRequest,
  defaults: CallDefaults,
): AiSdkCallOptions {
  const providerOptions = mergeMetadata(
    defaults.providerOptions,
    settings.providerOptions,
  )
  return {
    prompt: promptOf(messages, defaults),
    ...samplingOf(settings),
    ...toolsOf(tools, settings.toolChoice),
    ...formatOf(settings),
    ...reasoningOf(settings, defaults),
    ...(providerOptions && { providerOptions }),
  }
}

function samplingOf(settings: ModelSettings): Partial<AiSdkCallOptions> {
  const { maxOutputTokens, temperature, topP, stopSequences } = settings
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stopSequences !== undefined && { stopSequences: [...stopSequences] }),
  }
}

/** Providers refuse a choice among no tools, so that it is left out as well. */
function toolsOf(
  tools: readonly ToolDeclaration[],
  choice: ToolChoice | undefined,
): Partial<AiSdkCallOptions> {
  if (tools.length === 0) return {}
  const declared = tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    inputSchema,
  }))
  if (choice === undefined) return { tools: declared }
  const toolChoice =
    typeof choice === 'string'
      ? { type: choice }
      : { type: 'tool', toolName: choice.tool }
  return { tools: declared, toolChoice }
}

function formatOf({
  responseSchema,
}: ModelSettings): Partial<AiSdkCallOptions> {
  if (responseSchema === undefined) return {}
  return { responseFormat: { type: 'json', schema: responseSchema } }
}

/** v3 has no word for it: there it is a matter of `providerOptions`. */
function reasoningOf(
  { reasoningEffort }: ModelSettings,
  { version }: PromptRules,
): Partial<AiSdkCallOptions> {
  if (reasoningEffort === undefined || version === 'v3') return {}
  return { reasoning: reasoningEffort }
}
