// However a call comes to be, what hooks are shown of it is frozen throughout.
import { defineHook, endTurn, proceed, reject, respond } from 'hookline'
import {
  llmError,
  llmPostCall,
  llmPreCall,
  type ModelRequest,
  toolGuard,
  toolPostCall,
  toolPreCall,
  turnPostPreflightPromptContext,
  turnPreTurn,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import type { PreflightPort } from '../ports/preflight.ts'
import type { SessionStore } from '../ports/store.ts'
import { openStage, type StageOptions } from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { createMemoryStore } from '../store/memory-store.ts'

type Script = Parameters<typeof openStage>[0]

const judged = [llmPreCall, llmPostCall, toolPreCall, toolGuard, toolPostCall]

function isFrozenThroughout(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return (
    Object.isFrozen(value) && Object.values(value).every(isFrozenThroughout)
  )
}

/** For hooks, which are there before it is. */
const stage: { runtime?: Runtime } = {}

/** Plays turns; tells at which points something was shown that is not frozen. */
async function soft(script: Script, options: StageOptions = {}, turns = 2) {
  const shown = new Map<string, number>()
  const open: string[] = []
  const watch = judged.map((on) =>
    defineHook({
      name: `watch-${on.name}`,
      on: on as typeof toolGuard,
      priority: 500,
      run: (input) => {
        shown.set(on.name, (shown.get(on.name) ?? 0) + 1)
        if (!isFrozenThroughout(input)) open.push(on.name)
        return proceed
      },
    }),
  )
  const hooks = [...watch, ...(options.hooks ?? [])]
  const { say, runtime } = await openStage(script, { ...options, hooks })
  stage.runtime = runtime
  for (const words of ['Hello.', 'Go on.', 'And on.'].slice(0, turns)) {
    await say(words)
  }
  return { open, shown: Object.fromEntries(shown) }
}

const answer = {
  content: [{ type: 'text' as const, text: 'A hook says so.' }],
  stopReason: 'end_turn' as const,
  usage: { inputTokens: 1, outputTokens: 1 },
}

test('a call of the agent, with those of its tools', async () => {
  const script = [
    { calls: [{ tool: 'read', args: { deep: { list: [{ a: 1 }] } } }] },
    { text: 'One.' },
    { text: 'Two.' },
  ]
  const { open, shown } = await soft(script, { tools: [tool('read')] })
  expect(open).toEqual([])
  expect(shown).toMatchObject({ 'llm.post_call': 3, 'tool.post_call': 1 })
})

test('one that a hook has answered', async () => {
  const synthetic = defineHook({
    name: 'synthetic',
    on: llmPreCall,
    run: () => respond(answer),
  })
  const { open, shown } = await soft([], { hooks: [synthetic] })
  expect(open).toEqual([])
  expect(shown).toMatchObject({ 'llm.post_call': 2 })
})

test('one that failed, and what hooks made of it', async () => {
  const decide = defineHook({
    name: 'decide',
    on: llmError,
    run: () => respond({ type: 'answer' as const, response: answer }),
  })
  const script = [{ error: { code: 'overloaded' as const } }, { text: 'Two.' }]
  const { open, shown } = await soft(script, { hooks: [decide] })
  expect(open).toEqual([])
  expect(shown).toMatchObject({ 'llm.pre_call': 2, 'llm.post_call': 3 })
})

test('one after the conversation was made shorter, whoever speaks next in it', async () => {
  const usage = { inputTokens: 90, outputTokens: 0 }
  const script = [
    { text: 'One.' },
    { text: 'Two.', usage },
    { text: 'Sum.' },
    { text: 'Three.' },
  ]
  const config = { compaction: { maxTokens: 100, keepMessages: 1 } }
  const { open, shown } = await soft(script, { config }, 3)
  expect(open).toEqual([])
  expect(shown).toMatchObject({ 'llm.pre_call': 4 })
})

test('one that makes the conversation shorter', async () => {
  const usage = { inputTokens: 90, outputTokens: 0 }
  const script = [{ text: 'One.', usage }, { text: 'Sum.' }, { text: 'Two.' }]
  const config = { compaction: { maxTokens: 100, keepMessages: 1 } }
  const { open, shown } = await soft(script, { config })
  expect(open).toEqual([])
  expect(shown).toMatchObject({ 'llm.pre_call': 3, 'llm.post_call': 3 })
})

const request = (): ModelRequest => ({
  model: 'script',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'So?' }] }],
  tools: [],
  settings: {},
})

test('one that a hook makes', async () => {
  const asking = defineHook({
    name: 'asking',
    on: turnPreTurn,
    run: async (_, context) => {
      await stage.runtime?.callModel(context, request())
      return proceed
    },
  })
  const script = [{ text: 'Yes.' }, { text: 'One.' }, { text: 'Yes.' }]
  const { open, shown } = await soft([...script, { text: 'Two.' }], {
    hooks: [asking],
  })
  expect(open).toEqual([])
  expect(shown).toMatchObject({ 'llm.pre_call': 4, 'llm.post_call': 4 })
})

test('one that a plan is made with', async () => {
  const recall = defineHook({
    name: 'recall',
    on: turnPostPreflightPromptContext,
    run: () => proceed,
  })
  const preflight: PreflightPort = {
    async plan(_, turn) {
      await turn.callModel(request())
      return { source: 'model', recall: [] }
    },
  }
  const script = [{ text: 'Plan.' }, { text: 'One.' }, { text: 'Plan.' }]
  const { open, shown } = await soft([...script, { text: 'Two.' }], {
    preflight,
    hooks: [recall],
  })
  expect(open).toEqual([])
  expect(shown).toMatchObject({ 'llm.pre_call': 4, 'llm.post_call': 4 })
})

test('calls that are refused, answered by a hook, cancelled, unknown or too large', async () => {
  const content = [{ type: 'text' as const, text: 'Yes.' }]
  const result = { content, isError: false as const }
  const judge = defineHook({
    name: 'judge',
    on: toolPreCall,
    run: ({ tool: name }) => {
      if (name === 'refused') return reject('No.')
      if (name === 'answered') return respond(result)
      return proceed
    },
  })
  const end = defineHook({
    name: 'end',
    on: toolPreCall,
    priority: 200,
    match: { tool: 'last' },
    run: () => endTurn('Enough.'),
  })
  const names = ['refused', 'answered', 'fails', 'large', 'last']
  const tools = names.map((name) =>
    tool(name, () => {
      if (name === 'fails') throw new Error('Broken.')
      return 'x'.repeat(300_000)
    }),
  )
  const calls = [...names, 'unknown'].map((name) => ({ tool: name }))
  const { open, shown } = await soft([{ calls }, { text: 'Two.' }], {
    tools,
    hooks: [judge, end],
  })
  expect(open).toEqual([])
  expect(shown).toMatchObject({ 'tool.post_call': 6 })
})

test('what a store gives that freezes nothing', async () => {
  const kept = createMemoryStore()
  const store: SessionStore = {
    ...kept,
    load: async (id) => structuredClone(await kept.load(id)),
  }
  const first = await openStage([{ text: 'One.' }], {
    store,
    session: { id: 's' },
  })
  await first.say('Hello.')
  await first.session.detach()
  const session = { id: 's' }
  const script = [{ text: 'Two.' }, { text: 'Three.' }]
  const { open } = await soft(script, { store, session })
  expect(open).toEqual([])
})
