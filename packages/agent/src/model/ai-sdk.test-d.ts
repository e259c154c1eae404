import * as anthropic from '@ai-sdk/anthropic'
import * as openAi from '@ai-sdk/openai'
import * as compatible from '@ai-sdk/openai-compatible'
import * as anthropicV3 from 'ai-sdk-anthropic-v3'
import * as openAiV3 from 'ai-sdk-openai-v3'
import { fromAiSdk } from './ai-sdk.ts'
import type {
  AnthropicPackage,
  OpenAiCompatiblePackage,
  OpenAiPackage,
} from './providers.ts'
import { createModelRegistry } from './registry.ts'

// Models of both specifications are models here, without a cast.
fromAiSdk(anthropic.createAnthropic()('claude-x'))
fromAiSdk(openAi.createOpenAI()('gpt-x'))
fromAiSdk(openAi.createOpenAI().chat('gpt-x'))
fromAiSdk(compatible.createOpenAICompatible({ name: 'x', baseURL: 'x' })('x'))
fromAiSdk(anthropicV3.createAnthropic()('claude-x'))
fromAiSdk(openAiV3.createOpenAI()('gpt-x'))

// The packages have what is used of them after they are loaded.
anthropic satisfies AnthropicPackage
anthropicV3 satisfies AnthropicPackage
openAi satisfies OpenAiPackage
openAiV3 satisfies OpenAiPackage
compatible satisfies OpenAiCompatiblePackage

// Providers can be objects of the AI SDK, or data that holds no key.
createModelRegistry({ providers: { mine: anthropic.createAnthropic() } })
createModelRegistry({ providers: { mine: openAiV3.createOpenAI() } })
createModelRegistry({
  providers: {
    // @ts-expect-error a key comes only from the environment
    mine: { kind: 'openai', apiKey: 'x' },
  },
})

const model = anthropic.createAnthropic()('claude-x')
// @ts-expect-error an older specification is not one that is spoken here
fromAiSdk({ ...model, specificationVersion: 'v2' })
