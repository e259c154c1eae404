import { defineHook, proceed, reject } from 'hookline'
import { sessionStart } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createMemoryStore, createRuntime } from '../index.ts'
import { scriptedModel } from '../testing/index.ts'
import { mainConfig } from './fixtures/stage.ts'

/** Two sessions of another process, of which one has a task of the other. */
async function openKept(release: (id: string) => Promise<void>) {
  const memory = createMemoryStore()
  const place = { agent: 'main', cwd: '', createdAt: 1 }
  const parent = { agents: ['gone'], sessions: ['one'] }
  await memory.create({ ...place, id: 'one' })
  const turn = { type: 'turn-start', turnId: 't', turn: 1 } as const
  const begun = { ...turn, origin: 'user', content: [] } as const
  await memory.append('one', [begun])
  await memory.create({
    ...{ ...place, id: 'task' },
    parent: { ...parent, task: { text: 'Look.', context: [], depth: 1 } },
  })
  await memory.create({ ...place, id: 'left', parent })
  const alarms: unknown[] = []
  const refusing = defineHook({
    name: 'refusing',
    on: sessionStart,
    run: ({ source }) => (source === 'resume' ? reject('Closed.') : proceed),
  })
  const runtime = createRuntime({
    store: {
      ...memory,
      release,
      children: async (id) => (id === 'one' ? ['left'] : []),
      async append(id, entries) {
        if (id === 'left') throw new Error('The disk is full.')
        await memory.append(id, entries)
      },
    },
    hooks: [refusing],
    models: { resolve: () => scriptedModel([]) },
    onAlarm: (code) => void alarms.push(code),
  })
  await runtime.register(mainConfig)
  return { runtime, alarms }
}

function noting() {
  const released: string[] = []
  return { released, release: async (id: string) => void released.push(id) }
}

test('a task whose agents are not here is let go of, so that it can go on elsewhere', async () => {
  const { released, release } = noting()
  const { runtime } = await openKept(release)
  const opened = runtime.openSession({ agent: 'main', id: 'task' })
  await expect(opened).rejects.toMatchObject({ code: 'unknown-agent' })
  expect(released).toEqual(['task'])
})

test('why a session was not opened is told, also where it cannot be let go of', async () => {
  const { runtime } = await openKept(async () => {
    throw new Error('The database is away.')
  })
  const opened = (id: string) => runtime.openSession({ agent: 'main', id })
  await expect(opened('one')).rejects.toThrow('Closed.')
  await expect(opened('task')).rejects.toMatchObject({ code: 'unknown-agent' })
})

test('what was done for a session and cannot be ended is let go of', async () => {
  const { released, release } = noting()
  const { runtime, alarms } = await openKept(release)
  const opened = runtime.openSession({ agent: 'main', id: 'one' })
  await expect(opened).rejects.toThrow('Closed.')
  expect(alarms).toEqual(['orphan-left'])
  expect(new Set(released)).toEqual(new Set(['left', 'one']))
})
