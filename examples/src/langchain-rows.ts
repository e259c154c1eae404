// The rows of the table in docs/guide/from-langchain.md, held against the real
// package: both agents go the same way, and say when they pass each place.
import assert from 'node:assert/strict'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { tool } from '@langchain/core/tools'
import { defineHook, endTurn, keepGoing, proceed, reject } from 'hookline'
import {
  llmPostCall,
  llmPreCall,
  toolGuard,
  toolPostCall,
  toolPreCall,
  turnInput,
  turnOutput,
  turnPreTurn,
  turnStop,
} from 'hookline/lifecycle'
import { type AgentMiddleware, createAgent, createMiddleware } from 'langchain'
import { z } from 'zod'
import { pointsPassed, runOurs, type Said } from './support/run-ours.ts'

class Scripted extends BaseChatModel {
  readonly #said: Said
  calls = 0

  constructor(said: Said) {
    super({})
    this.#said = said
  }

  override _llmType(): string {
    return 'scripted'
  }

  override bindTools(): this {
    return this
  }

  override async _generate(): Promise<ChatResult> {
    const said = this.#said[this.calls++] ?? ''
    const isCall = said === 'look'
    const call = { type: 'tool_call' as const, id: 'a', name: 'look', args: {} }
    const text = isCall ? '' : said
    const message = new AIMessage({
      content: text,
      tool_calls: isCall ? [call] : [],
    })
    return { generations: [{ text, message }] }
  }
}

async function runTheirs(said: Said, middleware: AgentMiddleware[]) {
  const model = new Scripted(said)
  const look = tool(async () => 'seen', {
    name: 'look',
    description: 'Looks.',
    schema: z.object({}),
  })
  const agent = createAgent({ model, tools: [look], middleware })
  const messages = [{ role: 'user', content: 'Go.' }]
  const outcome = agent.invoke({ messages })
  return { model, outcome }
}

// Every moment, in the order in which it comes.
const there: string[] = []
const every = createMiddleware({
  name: 'every',
  beforeAgent: () => void there.push('beforeAgent'),
  beforeModel: () => void there.push('beforeModel'),
  wrapModelCall: async (request, handler) => {
    there.push('wrapModelCall, before')
    const response = await handler(request)
    there.push('wrapModelCall, after')
    return response
  },
  afterModel: () => void there.push('afterModel'),
  wrapToolCall: async (request, handler) => {
    there.push('wrapToolCall, before')
    const result = await handler(request)
    there.push('wrapToolCall, after')
    return result
  },
  afterAgent: () => void there.push('afterAgent'),
})
await (await runTheirs(['look', 'Done.'], [every])).outcome

const here = await pointsPassed(
  ['look', 'Done.'],
  [
    ...[turnInput, turnPreTurn, llmPreCall, llmPostCall],
    ...[toolPreCall, toolGuard, toolPostCall, turnOutput],
  ],
)

/** The table of the guide: where something is there, and where it is here. */
const rows: Readonly<Record<string, readonly string[]>> = {
  beforeAgent: ['turn.input', 'turn.pre_turn'],
  beforeModel: ['llm.pre_call'],
  'wrapModelCall, before': [], // the same moment, and the same point
  'wrapModelCall, after': ['llm.post_call'],
  afterModel: [],
  'wrapToolCall, before': ['tool.pre_call', 'tool.guard'],
  'wrapToolCall, after': ['tool.post_call'],
  afterAgent: ['turn.output', 'turn.post_turn'],
}
assert.deepEqual(
  here,
  there.flatMap((moment) => rows[moment] ?? [`no row for ${moment}`]),
)

// jumpTo: 'end' is endTurn: no model is called.
const stops = createMiddleware({
  name: 'stops',
  beforeModel: { canJumpTo: ['end'], hook: () => ({ jumpTo: 'end' }) },
})
const stopped = await runTheirs(['Hello.'], [stops])
await stopped.outcome
const ended = await runOurs(
  ['Hello.'],
  [
    defineHook({
      name: 'stops',
      on: llmPreCall,
      run: () => endTurn('It is enough.'),
    }),
  ],
)
assert.deepEqual([stopped.model.calls, ended.calls], [0, 0])

// jumpTo: 'model' is keepGoing: it is called once more. Without a message after
// a plain reply it does nothing there; here there is no feedback without words.
let isAgain = false
const again = createMiddleware({
  name: 'again',
  afterModel: {
    canJumpTo: ['model'],
    hook: () => {
      if (isAgain) return
      isAgain = true
      const messages = [new HumanMessage('Look again.')]
      return { jumpTo: 'model' as const, messages }
    },
  },
})
const twice = await runTheirs(['First.', 'Second.'], [again])
await twice.outcome
const kept = await runOurs(
  ['First.', 'Second.'],
  [
    defineHook({
      name: 'again',
      on: turnStop,
      run: ({ continuesSoFar }) =>
        continuesSoFar === 0 ? keepGoing('Look again.') : proceed,
    }),
  ],
)
assert.deepEqual([twice.model.calls, kept.calls], [2, 2])

// One that throws fails the run there; a gate that throws refuses here.
const breaks = createMiddleware({
  name: 'breaks',
  beforeModel: () => {
    throw new Error('No table.')
  },
})
await assert.rejects((await runTheirs(['Hello.'], [breaks])).outcome)
const refused = await runOurs(
  ['Hello.'],
  [
    defineHook({
      name: 'breaks',
      on: llmPreCall,
      run: () => {
        throw new Error('No table.')
      },
    }),
  ],
)
assert.deepEqual([refused.result.status, refused.calls], ['rejected', 0])

// There the first of the list is outside: it judges what was not rewritten yet.
const judged: unknown[] = []
const judges = createMiddleware({
  name: 'judges',
  wrapToolCall: async (request, handler) => {
    judged.push(request.toolCall.args)
    return await handler(request)
  },
})
const rewrites = createMiddleware({
  name: 'rewrites',
  wrapToolCall: async (request, handler) => {
    const toolCall = { ...request.toolCall, args: { changed: true } }
    return await handler({ ...request, toolCall })
  },
})
await (await runTheirs(['look', 'Done.'], [judges, rewrites])).outcome
assert.deepEqual(judged, [{}])
// Here that order is refused when the hooks are loaded.
const unjudged = runOurs(
  ['look'],
  [
    defineHook({ name: 'judges', on: toolPreCall, run: () => reject('No.') }),
    defineHook({
      name: 'rewrites',
      on: toolPreCall,
      writes: true,
      run: () => proceed,
    }),
  ],
)
await assert.rejects(unjudged, /judges.*rewrites/)
console.log(`${there.length} moments there, ${here.length} points here`)
