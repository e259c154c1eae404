import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineHook, type Hook, proceed } from 'hookline'
import {
  agentRegister,
  llmPreCall,
  sessionEnd,
  sessionStart,
  turnPostTurn,
} from 'hookline/lifecycle'
import { expect, onTestFinished, test } from 'vitest'
import {
  createDurableRuntime,
  getSession,
  listSessions,
  openStore,
} from '../durable.ts'
import { delegateTool } from '../hooks/fixtures/play.ts'
import {
  type AnyContext,
  createMemoryStore,
  createPolicy,
  createRuntime,
  type Runtime,
  type RuntimeOptions,
} from '../index.ts'
import { scriptedModel } from '../testing/index.ts'

type Points =
  | typeof agentRegister
  | typeof llmPreCall
  | typeof sessionEnd
  | typeof sessionStart
  | typeof turnPostTurn

/** A runtime in which a hook at a point calls the session something. */
function titling(
  on: Points,
  titleOf: (context: AnyContext) => string,
  options: RuntimeOptions = {},
) {
  const given: unknown[] = []
  const told: unknown[] = []
  const titles: Hook = {
    name: 'titles',
    on,
    async run(_: unknown, context: AnyContext) {
      try {
        given.push(await runtime.titleSession(context, titleOf(context)))
      } catch (error) {
        given.push(error)
      }
      return proceed
    },
  }
  const runtime: Runtime = createRuntime({
    models: { resolve: () => scriptedModel(() => ({ text: 'Done.' })) },
    ...options,
    hooks: [defineHook(titles)],
  })
  runtime.engine.observe((event) => {
    if (event.type === 'hook-event') told.push(event.event)
  })
  return { runtime, given, told }
}

const agent = { name: 'main', model: 'a', instructions: '' }

test('a hook calls the session it runs in something, within a turn and after it', async () => {
  for (const on of [llmPreCall, turnPostTurn]) {
    const store = createMemoryStore()
    const { runtime, given, told } = titling(on, () => 'A\nbuild', { store })
    expect(runtime.keepsTitles).toBe(true)
    await runtime.register(agent)
    const session = await runtime.openSession({ agent: 'main' })
    await session.send('Mend it.').result
    await runtime.drain()
    expect(given).toEqual(['A build'])
    const sessionId = session.id
    const title = 'A build'
    expect((await store.load(sessionId))?.title).toBe(title)
    expect(told).toEqual([{ type: 'session-title', sessionId, title }])
    await runtime.close()
  }
})

test('also when it ends, but not before it has begun', async () => {
  const store = createMemoryStore()
  const end = titling(sessionEnd, () => 'Over', { store })
  await end.runtime.register(agent)
  const session = await end.runtime.openSession({ agent: 'main' })
  await session.close()
  expect(end.given).toEqual(['Over'])
  expect((await store.load(session.id))?.title).toBe('Over')
  const start = titling(sessionStart, () => 'New', { store })
  await start.runtime.register(agent)
  await start.runtime.openSession({ agent: 'main' })
  expect(start.given).toMatchObject([{ code: 'unknown-session' }])
  expect(start.told).toEqual([])
  await Promise.all([end.runtime.close(), start.runtime.close()])
})

test('where nothing is kept, nothing is called anything, and nobody hears of it', async () => {
  const { runtime, given, told } = titling(llmPreCall, () => 'A build')
  expect(runtime.keepsTitles).toBe(false)
  await runtime.register(agent)
  const session = await runtime.openSession({ agent: 'main' })
  await session.send('Mend it.').result
  expect(given).toEqual([null])
  expect(told).toEqual([])
  await runtime.close()
})

test('a hook of an agent is part of no session', async () => {
  const store = createMemoryStore()
  const { runtime, given } = titling(agentRegister, () => 'A', { store })
  await runtime.register(agent)
  expect(given).toMatchObject([{ code: 'invalid-call' }])
  await runtime.close()
})

test.each(['', ' \n ', 'x'.repeat(10_001)])(
  'what is no title is refused (%#)',
  async (title) => {
    const store = createMemoryStore()
    const { runtime, given } = titling(llmPreCall, () => title, { store })
    await runtime.register(agent)
    const session = await runtime.openSession({ agent: 'main' })
    await session.send('Mend it.').result
    expect(given).toMatchObject([{ code: 'invalid-call' }])
    expect((await store.load(session.id))?.title).toBe('Mend it.')
    await runtime.close()
  },
)

test('whoever works for a session calls its own something', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-titles-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const store = await openStore({
    database: { file: join(folder, 'store.db') },
    content: { journal: 'redacted' },
  })
  const titles: Hook = defineHook({
    name: 'titles',
    on: llmPreCall,
    async run(_, context) {
      await runtime.titleSession(context, `Of ${context.scope.agent}`)
      return proceed
    },
  })
  const main = scriptedModel([{ calls: [{ tool: 'delegate' }] }, { text: 'x' }])
  const helper = scriptedModel([{ text: 'Helped.' }])
  const runtime = createDurableRuntime({
    store,
    models: { resolve: (name) => (name === 'helper' ? helper : main) },
    policy: createPolicy({ mode: 'open' }),
    tools: [delegateTool('helper')],
    hooks: [titles],
  })
  await runtime.register(agent)
  const session = await runtime.openSession({ agent: 'main' })
  await session.send('Go.').result
  const { items } = await listSessions(store.parts)
  expect(new Set(items.map(({ title }) => title))).toEqual(
    new Set(['Of helper', 'Of main']),
  )
  expect((await getSession(store.parts, session.id))?.title).toBe('Of main')
  await runtime.close()
  await store.close()
})

test('a store that keeps no content keeps no titles', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-titles-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'store.db')
  const store = await openStore({ database: { file } })
  const runtime = createDurableRuntime({ store })
  expect(runtime.keepsTitles).toBe(false)
  await runtime.close()
  await store.close()
})
