// One rule twice: as a middleware of LangChain, and as hooks. Both agents are
// asked to do the same by the same script.
import assert from 'node:assert/strict'
import {
  createAgent as createOurs,
  createPolicy,
  defineTool,
} from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { tool } from '@langchain/core/tools'
import { z } from 'zod'

const ran: string[] = []

// #region langchain
import { ToolMessage } from '@langchain/core/messages'
import { createAgent, createMiddleware } from 'langchain'

const guardOfTheirs = createMiddleware({
  name: 'no-force-push',
  wrapToolCall: async (request, handler) => {
    const { name, args, id = '' } = request.toolCall
    if (name === 'shell' && String(args['command']).includes('--force')) {
      const content = 'Force-pushing is not allowed.'
      return new ToolMessage({ content, tool_call_id: id, status: 'error' })
    }
    return await handler(request)
  },
})

// #endregion

// #region hookline
import { defineHook, reject } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'

const guardOfOurs = defineHook({
  name: 'no-force-push',
  on: toolGuard,
  match: { tool: 'shell', args: { command: '*--force*' } },
  run: () => reject('Force-pushing is not allowed.'),
})
// #endregion

const command = 'git push --force'

class Scripted extends BaseChatModel {
  #said = 0

  override _llmType(): string {
    return 'scripted'
  }

  override bindTools(): this {
    return this
  }

  override async _generate(): Promise<ChatResult> {
    const isFirst = this.#said++ === 0
    const text = isFirst ? '' : 'I may not.'
    const calls = isFirst
      ? [
          {
            type: 'tool_call' as const,
            id: 'a',
            name: 'shell',
            args: { command },
          },
        ]
      : []
    const message = new AIMessage({ content: text, tool_calls: calls })
    return { generations: [{ text, message }] }
  }
}

const theirs = createAgent({
  model: new Scripted({}),
  tools: [
    tool(async (input: { command: string }) => void ran.push(input.command), {
      name: 'shell',
      description: 'Runs a command.',
      schema: z.object({ command: z.string() }),
    }),
  ],
  middleware: [guardOfTheirs],
})
const messages = [{ role: 'user', content: 'Publish it.' }]
const their = await theirs.invoke({ messages })

const model = scriptedModel([
  { calls: [{ tool: 'shell', args: { command } }] },
  { text: 'I may not.' },
])
const ours = createOurs({
  model,
  tools: [
    defineTool({
      name: 'shell',
      description: 'Runs a command.',
      input: z.object({ command: z.string() }),
      safety: 'mutating',
      execute: ({ command }) => void ran.push(`ours: ${command}`),
    }),
  ],
  policy: createPolicy({ mode: 'open' }),
  hooks: [guardOfOurs],
})
const our = await ours.run('Publish it.').result
await ours.close()

assert.deepEqual(ran, [])
assert.equal(their.messages.at(-1)?.text, our.text)
assert.match(JSON.stringify(model.requests[1]?.messages), /not allowed/)
console.log(`both say: ${our.text}`)
