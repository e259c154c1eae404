import { EventEmitter } from 'node:events'
import {
  Agent,
  type Model,
  type ModelResponse,
  Runner,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents'
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

/** Its hooks are listeners of the runner, which it does not wait for. */
export function prepareOpenAiAgents(work: Work): PreparedAgent {
  const { scenario, hooks, tally } = work
  setTracingDisabled(true)
  const agent = new Agent({
    name: 'agent',
    instructions,
    model: scriptedModel(scenario),
    tools: [
      tool({
        name: toolName,
        description: toolDescription,
        parameters: z.object({ city: z.string(), days: z.number() }),
        execute: async () => {
          tally.toolRuns++
          return weather
        },
      }),
    ],
  })
  // The runner's emitter is its own, and warns of more than ten listeners.
  EventEmitter.defaultMaxListeners = Math.max(10, hooks)
  const runner = new Runner({ tracingDisabled: true })
  for (let done = 0; done < hooks; done++) {
    const count = () => void tally.hookRuns++
    runner.on('agent_start', count)
    runner.on('agent_end', count)
    runner.on('agent_tool_start', count)
    runner.on('agent_tool_end', count)
  }
  const options = { maxTurns: scenario.modelCalls }
  return {
    callsPerHook: 2 * (1 + scenario.toolCalls),
    async takeTurn() {
      const { finalOutput = '' } = await runner.run(agent, question, options)
      return finalOutput
    },
  }
}

function scriptedModel(scenario: Scenario): Model {
  const nextCalls = playScript(scenario)
  return {
    async getResponse(): Promise<ModelResponse> {
      const calls = nextCalls()
      const usage = new Usage({
        inputTokens: 10,
        outputTokens: 5,
        totalTokens: 15,
      })
      if (calls.length > 0) {
        return {
          usage,
          output: calls.map(({ id, args }) => ({
            type: 'function_call',
            callId: id,
            name: toolName,
            status: 'completed',
            arguments: JSON.stringify(args),
          })),
        }
      }
      return {
        usage,
        output: [
          {
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: reply }],
          },
        ],
      }
    },
    getStreamedResponse() {
      throw new Error('Nothing is streamed here.')
    },
  }
}
