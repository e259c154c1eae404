import { Agent, type AgentTool } from '@mariozechner/pi-agent-core'
import {
  type AssistantMessage,
  createAssistantMessageEventStream,
  type Model,
} from '@mariozechner/pi-ai'
import { Type } from 'typebox'
import type { PreparedAgent, Tally, Work } from './framework.ts'
import {
  type Call,
  instructions,
  playScript,
  question,
  reply,
  type Scenario,
  toolDescription,
  toolName,
  weather,
} from './scenario.ts'

const model: Model<'openai-completions'> = {
  id: 'scripted',
  name: 'scripted',
  api: 'openai-completions',
  provider: 'scripted',
  baseUrl: '',
  reasoning: false,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 10_000,
}

/**
 * Its hooks are listeners, which hear every event and are awaited, and one slot
 * each before and after a tool call: there the hooks share a loop.
 */
export function preparePi({ scenario, hooks, tally }: Work): PreparedAgent {
  const count = async () => {
    tally.hookRuns++
  }
  const slot = async () => {
    for (let done = 0; done < hooks; done++) await count()
    return undefined
  }
  const agent = new Agent({
    initialState: {
      systemPrompt: instructions,
      model,
      tools: [weatherTool(tally)],
    },
    streamFn: scriptedStream(scenario),
    ...(hooks > 0 && { beforeToolCall: slot, afterToolCall: slot }),
  })
  for (let done = 0; done < hooks; done++) agent.subscribe(() => count())
  return {
    callsPerHook: eventsOf(scenario) + 2 * scenario.toolCalls,
    async takeTurn() {
      agent.reset()
      await agent.prompt(question)
      const last = agent.state.messages.at(-1)
      const [block] = last?.role === 'assistant' ? last.content : []
      return block?.type === 'text' ? block.text : ''
    },
  }
}

/** Start and end of the agent, of each turn (a model call) and of messages. */
function eventsOf({ modelCalls, toolCalls }: Scenario): number {
  const messages = 1 + modelCalls + toolCalls
  return 2 * (1 + modelCalls + messages + toolCalls)
}

function scriptedStream(scenario: Scenario) {
  const nextCalls = playScript(scenario)
  return () => {
    const calls = nextCalls()
    const reason = calls.length > 0 ? 'toolUse' : 'stop'
    const message = messageOf(calls, reason)
    const stream = createAssistantMessageEventStream()
    stream.push({ type: 'done', reason, message })
    return stream
  }
}

function messageOf(
  calls: readonly Call[],
  stopReason: 'toolUse' | 'stop',
): AssistantMessage {
  const { id, api, provider } = model
  return {
    role: 'assistant',
    content:
      calls.length === 0
        ? [{ type: 'text', text: reply }]
        : calls.map(({ id: callId, args }) => ({
            type: 'toolCall',
            id: callId,
            name: toolName,
            arguments: { ...args },
          })),
    api,
    provider,
    model: id,
    usage: {
      input: 10,
      output: 5,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 15,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason,
    timestamp: Date.now(),
  }
}

function weatherTool(tally: Tally): AgentTool {
  return {
    name: toolName,
    label: toolName,
    description: toolDescription,
    parameters: Type.Object({ city: Type.String(), days: Type.Number() }),
    execute: async () => {
      tally.toolRuns++
      return { content: [{ type: 'text', text: weather }], details: undefined }
    },
  }
}
