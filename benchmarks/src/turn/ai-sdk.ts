import {
  generateText,
  type LanguageModel,
  type LanguageModelMiddleware,
  stepCountIs,
  tool,
  wrapLanguageModel,
} from 'ai'
import { z } from 'zod'
import type { PreparedAgent, Work } from './framework.ts'
import {
  instructions,
  playScript,
  question,
  reply,
  type Scenario,
  toolDescription,
  toolName,
  weather,
} from './scenario.ts'

type SpecifiedModel = Extract<
  LanguageModel,
  { readonly specificationVersion: 'v4' }
>

/** Its hooks are middleware of the model; around tools it has none. */
export function prepareAiSdk({ scenario, hooks, tally }: Work): PreparedAgent {
  const count = (): LanguageModelMiddleware => ({
    specificationVersion: 'v4',
    transformParams: async ({ params }) => {
      tally.hookRuns++
      return params
    },
    wrapGenerate: async ({ doGenerate }) => {
      tally.hookRuns++
      return doGenerate()
    },
  })
  const scripted = scriptedModel(scenario)
  const middleware = Array.from({ length: hooks }, count)
  const model =
    hooks > 0 ? wrapLanguageModel({ model: scripted, middleware }) : scripted
  const tools = {
    [toolName]: tool({
      description: toolDescription,
      inputSchema: z.object({ city: z.string(), days: z.number() }),
      execute: async () => {
        tally.toolRuns++
        return weather
      },
    }),
  }
  const stopWhen = stepCountIs(scenario.modelCalls)
  return {
    callsPerHook: 2 * scenario.modelCalls,
    async takeTurn() {
      const { text } = await generateText({
        model,
        instructions,
        prompt: question,
        tools,
        stopWhen,
      })
      return text
    },
  }
}

function scriptedModel(scenario: Scenario): SpecifiedModel {
  const nextCalls = playScript(scenario)
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate() {
      const calls = nextCalls()
      return {
        content:
          calls.length === 0
            ? [{ type: 'text', text: reply }]
            : calls.map(({ id, args }) => ({
                type: 'tool-call',
                toolCallId: id,
                toolName,
                input: JSON.stringify(args),
              })),
        finishReason: {
          unified: calls.length === 0 ? 'stop' : 'tool-calls',
          raw: undefined,
        },
        usage: {
          inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 5, text: 5, reasoning: 0 },
        },
        warnings: [],
      }
    },
    doStream() {
      throw new Error('Nothing is streamed here.')
    },
  }
}
