import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { tool } from '@langchain/core/tools'
import { createAgent, createMiddleware } from 'langchain'
import { z } from 'zod'
import type { PreparedAgent, Work } from './framework.ts'
import {
  type Call,
  instructions,
  playScript,
  question,
  reply,
  toolDescription,
  toolName,
  weather,
} from './scenario.ts'

/** Its hooks are middleware around model calls and tool calls. */
export function prepareLangChain(work: Work): PreparedAgent {
  const { scenario, hooks, tally } = work
  const weatherTool = tool(
    async () => {
      tally.toolRuns++
      return weather
    },
    {
      name: toolName,
      description: toolDescription,
      schema: z.object({ city: z.string(), days: z.number() }),
    },
  )
  const middleware = Array.from({ length: hooks }, (_, index) =>
    createMiddleware({
      name: `hook-${index}`,
      wrapModelCall: async (request, handler) => {
        tally.hookRuns++
        const response = await handler(request)
        tally.hookRuns++
        return response
      },
      wrapToolCall: async (request, handler) => {
        tally.hookRuns++
        const result = await handler(request)
        tally.hookRuns++
        return result
      },
    }),
  )
  const agent = createAgent({
    model: new ScriptedModel(playScript(scenario)),
    tools: [weatherTool],
    systemPrompt: instructions,
    middleware,
  })
  const options = { recursionLimit: 100 }
  return {
    callsPerHook: 2 * (scenario.modelCalls + scenario.toolCalls),
    async takeTurn() {
      const messages = [{ role: 'user', content: question }]
      const result = await agent.invoke({ messages }, options)
      return result.messages.at(-1)?.text ?? ''
    },
  }
}

class ScriptedModel extends BaseChatModel {
  readonly #nextCalls: () => readonly Call[]

  constructor(nextCalls: () => readonly Call[]) {
    super({})
    this.#nextCalls = nextCalls
  }

  override _llmType(): string {
    return 'scripted'
  }

  override bindTools(): this {
    return this
  }

  override async _generate(): Promise<ChatResult> {
    const calls = this.#nextCalls()
    const text = calls.length === 0 ? reply : ''
    const message = new AIMessage({
      content: text,
      tool_calls: calls.map(({ id, args }) => ({
        type: 'tool_call',
        id,
        name: toolName,
        args: { ...args },
      })),
    })
    return { generations: [{ text, message }] }
  }
}
