import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryState, defineCell } from 'hookline'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { openStore } from '../../durable.ts'
import { createAgent } from '../../index.ts'
import { scriptedModel } from '../../testing/index.ts'
import { createDeadEnd, playCrash } from '../fixtures/crash.ts'
import { playLives } from '../fixtures/lives.ts'
import type { Book } from './book.ts'
import { budget } from './budget.ts'

const initial = (): Book => ({})
const cell = defineCell('budget', { initial })
const usage = { inputTokens: 100, outputTokens: 50 }
const say = { text: 'Done.', usage }

test('what a session has used is known in the next process', async () => {
  const plugins = [budget({ session: { calls: 2 } })]
  const script = [say]
  const life = { script, plugins }
  const results = await playLives([life, life, life])
  expect(results.map(({ status }) => status)).toEqual([
    ...['succeeded', 'succeeded', 'rejected'],
  ])
})

test('what a process that died had reserved counts as used in the end', async () => {
  const clock = createFakeClock()
  const state = createMemoryState()
  const until = clock.wallAt(clock.now()) + 60_000
  const about = { run: 'r', turn: 't', cost: 0, until }
  const left = { ...about, input: 100, output: 900 }
  const spent = { tokens: 0, cost: 0, calls: 0, modelMs: 0 }
  const day = { period: '2026-01-01', spent, open: [left] }
  await state.at({}).update(cell, () => ({ day }))
  const options = { day: { tokens: 1500 }, maxOutputTokens: 1000 }
  const plugins = [budget({ ...options, lowersOutput: false })]
  const model = scriptedModel([say], { clock })
  const agent = createAgent({ model, plugins, state, clock })
  // Reserved or used, it is no one else's.
  expect((await agent.run('Go.').result).status).toBe('rejected')
  await clock.advance(60_000)
  expect((await agent.run('Go.').result).status).toBe('rejected')
  const book = await state.at({}).get(cell)
  expect(book['day']).toMatchObject({ spent: { tokens: 1000 }, open: [] })
  const closed = agent.close()
  await clock.advance(1)
  await closed
})

test('a turn that goes on after a crash counts the call that was lost, once', async () => {
  const at = createDeadEnd()
  const hangs = () => ({ text: 'Never.', waitFor: at.hang() })
  const plugins = () => [
    budget({ day: { tokens: 1e6 }, maxOutputTokens: 1000 }),
  ]
  let book: Book = {}
  const result = await playCrash({
    first: { script: hangs, plugins: plugins() },
    at,
    second: {
      ...{ script: [say], plugins: plugins() },
      async look({ state }) {
        book = await state.at({}).get(cell)
      },
    },
  })
  expect(result.status).toBe('succeeded')
  const { spent, open } = book['day'] ?? {}
  expect(open).toEqual([])
  expect(spent?.calls).toBe(2)
  // What the second one used, and the worst of the first.
  expect(spent?.tokens).toBeGreaterThan(1150)
  expect(spent?.tokens).toBeLessThan(1300)
})

test('processes that share a store cannot overdraw a day together', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-budget-'))
  const file = join(folder, 'store.db')
  const all = Promise.withResolvers<void>()
  let calls = 0
  let decided = 0
  // None is settled before it is decided about all of them.
  const noteDecided = () => {
    if (++decided === 10) all.resolve()
  }
  const script = () => {
    calls++
    noteDecided()
    return { ...say, waitFor: all.promise }
  }
  const day = { tokens: 4000 }
  const options = { day, maxOutputTokens: 1000, lowersOutput: false }
  try {
    const processes = await Promise.all(
      Array.from({ length: 2 }, async () => {
        const store = await openStore({ database: { file } })
        const plugins = [budget(options)]
        const model = scriptedModel(script)
        const { state } = store
        return { store, agent: createAgent({ model, plugins, state }) }
      }),
    )
    const turns = processes.flatMap(({ agent }) =>
      Array.from({ length: 5 }, async () => {
        const session = await agent.openSession()
        const { status } = await session.send('Go.').result
        if (status === 'rejected') noteDecided()
        return status
      }),
    )
    const statuses = await Promise.all(turns)
    expect(calls).toBe(3)
    expect(statuses.filter((one) => one === 'succeeded')).toHaveLength(3)
    expect(statuses.filter((one) => one === 'rejected')).toHaveLength(7)
    for (const { agent, store } of processes) {
      await agent.close()
      await store.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
