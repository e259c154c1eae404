import { defineHook, type Hook, proceed } from 'hookline'
import {
  type AgentConfig,
  llmPostCall,
  llmPreCall,
  type ModelRequest,
  sessionEnd,
} from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import {
  type AnyContext,
  createMemoryStore,
  createRuntime,
  type Runtime,
} from '../index.ts'
import { type ScriptStep, scriptedModel } from '../testing/index.ts'

const request = (text: string): ModelRequest => ({
  model: 'a',
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  tools: [],
  settings: {},
})

interface Ending {
  readonly act: (runtime: Runtime, context: AnyContext) => Promise<unknown>
  readonly step?: ScriptStep
  readonly limits?: AgentConfig['limits']
  readonly timeoutMs?: number
  readonly hooks?: readonly Hook[]
}

/** A session, and what a hook did when it ended. */
async function ending(given: Ending) {
  const { act, step = { text: 'Hm.' }, timeoutMs = 5_000, limits } = given
  const clock = createFakeClock()
  const store = createMemoryStore()
  const model = scriptedModel(() => step, { clock })
  const acted: unknown[] = []
  let late: AnyContext | undefined
  const told = defineHook({
    name: 'told',
    on: sessionEnd,
    timeoutMs,
    async run(_, context) {
      late = context
      try {
        acted.push(await act(runtime, context))
      } catch (error) {
        acted.push(error)
      }
      return proceed
    },
  })
  const runtime: Runtime = createRuntime({
    ...{ clock, store, models: { resolve: () => model } },
    hooks: [told, ...(given.hooks ?? [])],
  })
  const agent = { name: 'main', model: 'a', instructions: '' }
  await runtime.register({ ...agent, ...(limits && { limits }) })
  const session = await runtime.openSession({ agent: 'main' })
  await session.close()
  return { acted, runtime, session, store, model, clock, late: () => late }
}

test('a hook that is told of the end of a session can ask a model about it', async () => {
  const gates: unknown[] = []
  const gate = (on: typeof llmPreCall | typeof llmPostCall): Hook => ({
    name: on.name.replace('.', '-'),
    on,
    run(_: unknown, { scope }: AnyContext) {
      gates.push([on.name, scope])
      return proceed
    },
  })
  const { acted, session, store } = await ending({
    act: (runtime, context) => runtime.callModel(context, request('So?')),
    hooks: [defineHook(gate(llmPreCall)), defineHook(gate(llmPostCall))],
  })
  expect(acted).toMatchObject([{ content: [{ text: 'Hm.' }] }])
  const scope = { origin: 'hook', sessionId: session.id, agent: 'main' }
  expect(gates).toMatchObject([
    ['llm.pre_call', scope],
    ['llm.post_call', scope],
  ])
  const stored = await store.load(session.id)
  expect(stored).toMatchObject({ isEnded: true, messages: [], turns: 0 })
})

test('all that is asked then has the budget of one turn', async () => {
  const { acted, model } = await ending({
    limits: { maxTokens: 100 },
    step: { text: 'Hm.', usage: { inputTokens: 90, outputTokens: 20 } },
    async act(runtime, context) {
      await runtime.callModel(context, request('So?'))
      return await runtime.callModel(context, request('And?'))
    },
  })
  expect(acted).toMatchObject([{ code: 'limit-reached' }])
  expect(model.requests).toHaveLength(1)
})

test('tools are not called any more, nor models when it is over', async () => {
  const { acted, runtime, late } = await ending({
    act: (one, context) => one.callTool(context, { tool: 'look', args: {} }),
  })
  expect(acted).toMatchObject([{ code: 'invalid-call' }])
  const context = late()
  if (context === undefined) throw new Error('It was not told.')
  const again = runtime.callModel(context, request('So?'))
  await expect(again).rejects.toMatchObject({ code: 'invalid-call' })
})

test('an end waits for a model no longer than for the hook', async () => {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const model = scriptedModel(() => ({ text: 'Hm.', afterMs: 60_000 }), {
    clock,
  })
  const runtime: Runtime = createRuntime({
    ...{ clock, store, models: { resolve: () => model } },
    hooks: [
      defineHook({
        name: 'told',
        on: sessionEnd,
        timeoutMs: 1_000,
        async run(_, context) {
          await runtime.callModel(context, request('So?'))
          return proceed
        },
      }),
    ],
  })
  await runtime.register({ name: 'main', model: 'a', instructions: '' })
  const session = await runtime.openSession({ agent: 'main' })
  const closed = session.close()
  await clock.advance(1_000)
  await closed
  expect(await store.load(session.id)).toMatchObject({ isEnded: true })
  await runtime.close()
})
