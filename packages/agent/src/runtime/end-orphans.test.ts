import { defineHook, proceed, reject } from 'hookline'
import {
  type AgentConfig,
  sessionEnd,
  sessionStart,
  turnPostTurn,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  createMemoryStore,
  createPolicy,
  createRuntime,
  type JournalEntry,
  type SessionStore,
} from '../index.ts'
import { type ScriptStep, scriptedModel } from '../testing/index.ts'
import { tool } from './fixtures/tools.ts'

const main: AgentConfig = { name: 'main', model: 'main', instructions: '' }
const helper: AgentConfig = { ...main, name: 'helper', model: 'helper' }

/** A store that outlives runtimes, and what was written to it. */
function keptStore() {
  const memory = createMemoryStore()
  const parents = new Map<string, string | undefined>()
  const written: { id: string; entry: JournalEntry }[] = []
  const store: SessionStore = {
    ...memory,
    create(info) {
      parents.set(info.id, info.parent?.sessions.at(-1))
      return memory.create(info)
    },
    append(id, entries) {
      for (const entry of entries) written.push({ id, entry })
      return memory.append(id, entries)
    },
    children: (id) =>
      [...parents].flatMap(([child, parent]) => (parent === id ? [child] : [])),
  }
  return { store, written }
}

test.each([
  ['one that is registered', 'helper'],
  ['one that was made for the task', { ...helper, name: 'made' }],
])(
  'what %s was doing has failed when its parent goes on in another process',
  async (_, agent) => {
    const { store, written } = keptStore()
    const begun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const wait = tool('wait', async () => {
      begun.resolve()
      await gate.promise
      return 'waited'
    })
    const hand = tool('hand', async (_call, context) => {
      const { status } = await context.delegate({ agent, task: 'Wait.' })
      return status
    })
    const heard: unknown[] = []
    const watch = defineHook({
      name: 'watch',
      on: turnPostTurn,
      run: ({ status }, { scope }) => {
        heard.push([scope.agent, scope.parents, status])
        return proceed
      },
    })
    const open = async () => {
      const scripts: Record<string, readonly ScriptStep[]> = {
        main: [{ calls: [{ tool: 'hand' }] }, { text: 'Done.' }],
        helper: [{ calls: [{ tool: 'wait' }] }, { text: 'Waited.' }],
      }
      const runtime = createRuntime({
        store,
        hooks: [watch],
        tools: [wait, hand],
        policy: createPolicy({ mode: 'open' }),
        models: { resolve: (name) => scriptedModel(scripts[name] ?? []) },
      })
      await runtime.register(helper)
      await runtime.register(main)
      const session = await runtime.openSession({ agent: 'main', id: 's' })
      return { runtime, session }
    }
    const first = await open()
    void first.session.send('Go.').result
    await begun.promise
    const second = await open()
    await second.runtime.drain()
    const ofChild = written.filter(({ id }) => id !== 's')
    const types = ofChild.map(({ entry }) => entry.type)
    expect(types.slice(-2)).toEqual(['turn-end', 'session-end'])
    expect(ofChild.at(-2)?.entry).toMatchObject({
      status: 'failed',
      summary: { errorPreview: expect.stringContaining('process stopped') },
    })
    // Nobody knows what came of its call.
    const ends = ofChild.flatMap(({ entry }) =>
      entry.type === 'call-end' ? [entry.ended.status] : [],
    )
    expect(ends).toEqual(['unknown_outcome'])
    const name = typeof agent === 'string' ? agent : agent.name
    expect(heard).toEqual([[name, ['main'], 'failed']])
    gate.resolve()
    await first.runtime.close()
    await second.runtime.close()
  },
)

test('a session whose agent is gone is ended without it, with the turn that was left; hooks hear of both, and no gate is asked', async () => {
  const { store, written } = keptStore()
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const wait = tool('wait', async () => {
    begun.resolve()
    await gate.promise
    return 'waited'
  })
  const heard: unknown[] = []
  const hooks = [
    defineHook({
      name: 'starts',
      on: sessionStart,
      run: ({ source }) =>
        source === 'new' ? proceed : reject('Nobody goes on.'),
    }),
    defineHook({
      name: 'turns',
      on: turnPostTurn,
      run({ status }, { scope }) {
        heard.push([scope.agent, status])
        return proceed
      },
    }),
    defineHook({
      name: 'ends',
      on: sessionEnd,
      run({ reason }, { scope }) {
        heard.push([scope.agent, scope.sessionId, reason])
        return proceed
      },
    }),
  ]
  const open = () =>
    createRuntime({
      store,
      hooks,
      tools: [wait],
      policy: createPolicy({ mode: 'open' }),
      models: { resolve: () => scriptedModel([{ calls: [{ tool: 'wait' }] }]) },
    })
  const first = open()
  await first.register(helper)
  const session = await first.openSession({ agent: 'helper', id: 's' })
  void session.send('Go.').result
  await begun.promise
  const second = open()
  expect(await second.endSession('s')).toBe(true)
  expect(heard).toEqual([
    ['helper', 'failed'],
    ['helper', 's', 'closed'],
  ])
  const types = written.map(({ entry }) => entry.type)
  expect(types.slice(-2)).toEqual(['turn-end', 'session-end'])
  expect(await second.endSession('s')).toBe(false)
  expect(await second.endSession('unknown')).toBe(false)
  gate.resolve()
  await first.close()
  await second.close()
})

test('a session is ended, too, while its agent leaves and still has a turn that runs', async () => {
  const { store } = keptStore()
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const wait = tool('wait', async () => {
    begun.resolve()
    await gate.promise
    return 'waited'
  })
  const steps = [{ calls: [{ tool: 'wait' }] }, { text: 'Done.' }]
  const model = scriptedModel(steps)
  const runtime = createRuntime({
    store,
    tools: [wait],
    policy: createPolicy({ mode: 'open' }),
    models: { resolve: () => model },
  })
  await runtime.register(helper)
  const idle = await runtime.openSession({ agent: 'helper', id: 's' })
  await idle.detach()
  const busy = await runtime.openSession({ agent: 'helper' })
  const turn = busy.send('Go.').result
  await begun.promise
  const left = runtime.unregister('helper', { waits: true })
  expect(await runtime.endSession('s')).toBe(true)
  gate.resolve()
  expect(await turn).toMatchObject({ status: 'succeeded' })
  await left
  await runtime.close()
})
