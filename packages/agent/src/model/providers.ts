import type { AiSdkModel } from './ai-sdk/model-shape.ts'
import type { AiSdkOptions } from './ai-sdk.ts'
import { loadPackage } from './load-package.ts'
import type { ProviderKind } from './provider-config.ts'

/** Where a provider is and who is asking. */
interface Connection {
  readonly name: string
  readonly baseUrl: string
  readonly key?: string
}

/** An AI SDK provider, as far as it is used here. */
export interface AiSdkProvider {
  languageModel(modelId: string): AiSdkModel
}

export interface ProviderDriver {
  /** The usual variable; without one, a key is optional. */
  readonly keyEnv?: string
  /** For whoever reaches the provider through a gateway. */
  readonly baseUrlEnv?: string
  readonly baseUrl: string
  readonly modelOptions: AiSdkOptions
  /** Loads its package on the first call. */
  connect(connection: Connection): Promise<AiSdkProvider>
}

interface ProviderSettings {
  readonly baseURL: string
  readonly apiKey?: string
}

/** What is used of the three packages; type tests hold them to it. */
export interface AnthropicPackage {
  readonly createAnthropic: (settings: ProviderSettings) => AiSdkProvider
}

export interface OpenAiPackage {
  readonly createOpenAI: (settings: ProviderSettings) => AiSdkProvider
}

export interface OpenAiCompatiblePackage {
  readonly createOpenAICompatible: (
    settings: ProviderSettings & {
      readonly name: string
      readonly includeUsage: boolean
      readonly supportsStructuredOutputs: boolean
    },
  ) => AiSdkProvider
}

export const drivers: Readonly<Record<ProviderKind, ProviderDriver>> = {
  anthropic: {
    keyEnv: 'ANTHROPIC_API_KEY',
    baseUrlEnv: 'ANTHROPIC_BASE_URL',
    baseUrl: 'https://api.anthropic.com/v1',
    modelOptions: {},
    async connect(connection) {
      const name = '@ai-sdk/anthropic'
      const { createAnthropic } = await loadPackage<AnthropicPackage>(name)
      return createAnthropic(settingsOf(connection))
    },
  },
  openai: {
    keyEnv: 'OPENAI_API_KEY',
    baseUrlEnv: 'OPENAI_BASE_URL',
    baseUrl: 'https://api.openai.com/v1',
    // Stored replies would be referred to by id, and so would go back unchanged
    // where a hook has changed them. This way the history is what we send.
    modelOptions: { providerOptions: { openai: { store: false } } },
    async connect(connection) {
      const name = '@ai-sdk/openai'
      const { createOpenAI } = await loadPackage<OpenAiPackage>(name)
      return createOpenAI(settingsOf(connection))
    },
  },
  'openai-compatible': {
    baseUrl: '',
    // Chat completions take only text there.
    modelOptions: { mediaInToolResults: false },
    async connect(connection) {
      const name = '@ai-sdk/openai-compatible'
      const loaded = await loadPackage<OpenAiCompatiblePackage>(name)
      return loaded.createOpenAICompatible({
        ...settingsOf(connection),
        name: connection.name,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })
    },
  },
}

function settingsOf({ baseUrl, key }: Connection): ProviderSettings {
  return { baseURL: baseUrl, ...(key !== undefined && { apiKey: key }) }
}
