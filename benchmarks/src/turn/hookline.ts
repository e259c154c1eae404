import {
  createMemoryStore,
  createRuntime,
  defineTool,
  type Model,
} from '@hookline/agent'
import { createMemoryRecords, defineHook, type Hook, proceed } from 'hookline'
import {
  llmPostCall,
  llmPreCall,
  type ModelResponse,
  toolPostCall,
  toolPreCall,
} from 'hookline/lifecycle'
import { z } from 'zod'
import type { PreparedAgent, Tally, Work } from './framework.ts'
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

/** The runtime with its defaults; the journal and the records are kept. */
export async function prepareHookline(work: Work): Promise<PreparedAgent> {
  const { scenario, tally } = work
  const store = createMemoryStore()
  const model = scriptedModel(scenario)
  const runtime = createRuntime({
    models: { resolve: () => model },
    tools: [weatherTool(tally)],
    hooks: countingHooks(work),
    engine: { records: createMemoryRecords() },
    store,
  })
  await runtime.register({ name: 'agent', model: 'scripted', instructions })
  return {
    callsPerHook: 2 * (scenario.modelCalls + scenario.toolCalls),
    async takeTurn() {
      const session = await runtime.openSession({ agent: 'agent' })
      const { text } = await session.send(question).result
      // Nothing of it stays, or a long run would measure a full memory.
      await session.close('deleted')
      return text
    },
  }
}

function scriptedModel(scenario: Scenario): Model {
  const nextCalls = playScript(scenario)
  return {
    abilities: { tools: true, images: true, files: true, reasoning: true },
    generate(): ModelResponse {
      const calls = nextCalls()
      const usage = { inputTokens: 10, outputTokens: 5 }
      if (calls.length === 0) {
        const content = [{ type: 'text' as const, text: reply }]
        return { content, stopReason: 'end_turn', usage }
      }
      return {
        content: calls.map(({ id, args }) => ({
          type: 'tool_call',
          id,
          tool: toolName,
          args: { ...args },
        })),
        stopReason: 'tool_calls',
        usage,
      }
    },
  }
}

function weatherTool(tally: Tally) {
  return defineTool({
    name: toolName,
    description: toolDescription,
    input: z.object({ city: z.string(), days: z.number() }),
    safety: 'read_only',
    execute: async () => {
      tally.toolRuns++
      return weather
    },
  })
}

function countingHooks({ hooks, tally }: Work): Hook[] {
  const run = async () => {
    tally.hookRuns++
    return proceed
  }
  return Array.from({ length: hooks }, (_, index) => [
    defineHook({ name: `before-model-${index}`, on: llmPreCall, run }),
    defineHook({ name: `after-model-${index}`, on: llmPostCall, run }),
    defineHook({ name: `before-tool-${index}`, on: toolPreCall, run }),
    defineHook({ name: `after-tool-${index}`, on: toolPostCall, run }),
  ]).flat()
}
