import {
  createMemoryRecords,
  defineHook,
  proceed,
  respond,
  transform,
} from 'hookline'
import {
  llmPostCall,
  toolGuard,
  toolPostCall,
  toolPreCall,
  turnError,
  turnOutput,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  createAgent,
  createMemoryApprovals,
  createMemoryStore,
  createPolicy,
  createRuntime,
  defineTool,
  type Model,
  type SessionStore,
} from '../index.ts'
import { scriptedModel } from '../testing/index.ts'

const open = createPolicy({ mode: 'open' })

const pay = (ran: unknown[] = []) =>
  defineTool({
    name: 'pay',
    description: 'Pays.',
    safety: 'mutating',
    input: { type: 'object' },
    execute: (args) => {
      ran.push(args)
      return 'Paid.'
    },
  })

const abilities = { tools: true, images: true, files: true, reasoning: true }

/** A model that gives this, whatever it is asked. */
const givesAlways = (response: unknown): Model => ({
  abilities,
  // On purpose: what a model gives can be anything.
  generate: () => response as never,
})

// A value that does not fit is on purpose: hooks can be written without types.
const wrong = (value: unknown) => transform(value as never)

test('a reply that a gate replaced with nothing is withheld, and its calls are not made', async () => {
  const ran: unknown[] = []
  const gate = defineHook({
    name: 'gate',
    on: llmPostCall,
    writes: true,
    run: () => wrong(null),
  })
  const model = scriptedModel([{ text: 'Secret.', calls: [{ tool: 'pay' }] }])
  const agent = createAgent({
    model,
    tools: [pay(ran)],
    hooks: [gate],
    policy: open,
  })
  const result = await agent.run('Go.').result
  expect(result).toMatchObject({ status: 'withheld' })
  expect(JSON.stringify(result)).not.toContain('Secret.')
  expect(ran).toEqual([])
})

test.each([
  ['turn.output', turnOutput],
  ['tool.post_call', toolPostCall],
])('what a hook at %s puts in must be what its point holds', async (_, on) => {
  const records = createMemoryRecords()
  const hook = defineHook({
    name: 'wrong',
    on,
    writes: true,
    run: () => wrong('no content'),
  })
  const model = scriptedModel([{ calls: [{ tool: 'pay' }] }, { text: 'Done.' }])
  const agent = createAgent({
    model,
    tools: [pay()],
    hooks: [hook],
    policy: open,
    engine: { records },
  })
  await agent.run('Go.').result
  const failures = records.all().map(({ failure }) => failure?.code)
  expect(failures).toContain('invalid-answer')
})

test('a result that a hook gives must be one', async () => {
  const hook = defineHook({
    name: 'wrong',
    on: toolPreCall,
    run: () => respond('Paid.' as never),
  })
  const model = scriptedModel([{ calls: [{ tool: 'pay' }] }, { text: 'Done.' }])
  const agent = createAgent({ model, tools: [pay()], hooks: [hook] })
  await agent.run('Go.').result
  const [, told] = model.requests
  expect(JSON.stringify(told?.messages)).toContain('hook_error:invalid-answer')
})

test('a reply that a hook gives for an error must be one, else the error stands', async () => {
  const hook = defineHook({
    name: 'wrong',
    on: turnError,
    run: () => respond('Sorry.' as never),
  })
  const model = scriptedModel([{ error: { code: 'overloaded' } }])
  const agent = createAgent({ model, hooks: [hook] })
  const { status } = await agent.run('Go.').result
  expect(status).toBe('failed')
})

test.each([
  ['no object', 'Hello.'],
  ['a text that is none', { content: [{ type: 'text', text: 5 }] }],
  ['a block that there is not', { content: [{ type: 'evil' }] }],
  ['usage below nothing', { content: [], usage: { inputTokens: -1 } }],
])('a model that gives %s has failed', async (_, given) => {
  const usage = { inputTokens: 1, outputTokens: 1 }
  const whole =
    typeof given === 'string'
      ? given
      : { stopReason: 'end_turn', usage, ...given }
  const agent = createAgent({ model: givesAlways(whole) })
  const result = await agent.run('Go.').result
  expect(result).toMatchObject({ status: 'failed', error: { code: 'unknown' } })
})

test('calls with one id get ids that differ, also in later steps', async () => {
  const ran: unknown[] = []
  const twice = { calls: ['a', 'a'].map((id) => ({ tool: 'pay', id })) }
  const model = scriptedModel([twice, twice, { text: 'Done.' }])
  const agent = createAgent({ model, tools: [pay(ran)], policy: open })
  const session = await agent.openSession()
  await session.send('Go.').result
  const ids = session.messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_result' ? [block.callId] : [],
    ),
  )
  expect(ran).toHaveLength(4)
  expect(new Set(ids).size).toBe(4)
})

test('a guard that changes its mind while a person thinks is heard', async () => {
  const ran: unknown[] = []
  let isClosed = false
  const guard = defineHook({
    name: 'guard',
    on: toolGuard,
    run: () => (isClosed ? { type: 'reject', reason: 'Too late.' } : proceed),
  })
  const approvals = createMemoryApprovals({
    onQuestion: ({ question }) => {
      isClosed = true
      queueMicrotask(() =>
        approvals.answer(question.id, { type: 'allow' }, 'ann'),
      )
    },
  })
  const model = scriptedModel([{ calls: [{ tool: 'pay' }] }, { text: 'Done.' }])
  const agent = createAgent({
    model,
    tools: [pay(ran)],
    hooks: [guard],
    approvals,
  })
  await agent.run('Go.').result
  expect(ran).toEqual([])
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('Too late.')
})

test('a store that hangs keeps nobody from cancelling', async () => {
  const store: SessionStore = {
    ...createMemoryStore(),
    append: () => new Promise(() => {}),
  }
  const model = scriptedModel([{ text: 'Done.' }])
  const agent = createAgent({ model, store, graceMs: 1 })
  const turn = agent.run('Go.')
  turn.cancel()
  expect(await turn.result).toMatchObject({ status: 'failed' })
})

test('a tool that throws what cannot be read has failed, and no more', async () => {
  const odd = defineTool({
    name: 'odd',
    description: 'Fails.',
    safety: 'read_only',
    input: { type: 'object' },
    execute: async () => {
      throw Object.create(null)
    },
  })
  const model = scriptedModel([{ calls: [{ tool: 'odd' }] }, { text: 'Done.' }])
  const agent = createAgent({ model, tools: [odd] })
  expect(await agent.run('Go.').result).toMatchObject({ status: 'succeeded' })
})

test.each([null, 5, [null], [{ type: 'tool_result' }]])(
  'what is no content cannot be said: %j',
  async (content) => {
    const agent = createAgent({ model: scriptedModel([]) })
    const session = await agent.openSession()
    const said = { code: 'invalid-input' }
    expect(() => session.send(content as never)).toThrow(
      expect.objectContaining(said),
    )
  },
)

test('a session that was closed for good cannot go on', async () => {
  const store = createMemoryStore()
  const models = { resolve: () => scriptedModel([]) }
  const runtime = createRuntime({ store, models })
  await runtime.register({ name: 'main', model: 'a/b', instructions: '' })
  const session = await runtime.openSession({ agent: 'main', id: 'one' })
  await session.close()
  const again = runtime.openSession({ agent: 'main', id: 'one' })
  await expect(again).rejects.toMatchObject({ code: 'session-ended' })
})

test('a runtime that is closed says so, and not that a session is over', async () => {
  const models = { resolve: () => scriptedModel([]) }
  const runtime = createRuntime({ models })
  await runtime.register({ name: 'main', model: 'a/b', instructions: '' })
  await runtime.close()
  const opened = async () => runtime.openSession({ agent: 'main' })
  await expect(opened()).rejects.toMatchObject({ code: 'runtime-closed' })
})

test('a session that was deleted is gone from the store', async () => {
  const store = createMemoryStore()
  const models = { resolve: () => scriptedModel([]) }
  const runtime = createRuntime({ store, models })
  await runtime.register({ name: 'main', model: 'a/b', instructions: '' })
  const session = await runtime.openSession({ agent: 'main', id: 'one' })
  await session.close('deleted')
  expect(await store.load('one')).toBeUndefined()
})
