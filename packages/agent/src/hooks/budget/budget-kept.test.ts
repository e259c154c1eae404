import { createMemoryState, defineCell } from 'hookline'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { createAgent } from '../../index.ts'
import { scriptedModel } from '../../testing/index.ts'
import { playLives } from '../fixtures/lives.ts'
import type { Book } from './book.ts'
import { budget } from './budget.ts'

const initial = (): Book => ({})
const usage = { inputTokens: 100, outputTokens: 50 }

test('what a session has used is known in the next process', async () => {
  const plugins = [budget({ session: { calls: 2 } })]
  const script = [{ text: 'Done.', usage }]
  const life = { script, plugins }
  const results = await playLives([life, life, life])
  expect(results.map(({ status }) => status)).toEqual([
    ...['succeeded', 'succeeded', 'rejected'],
  ])
})

test('what a process that died had reserved counts as used in the end', async () => {
  const clock = createFakeClock()
  const state = createMemoryState()
  const cell = defineCell('budget', { initial })
  const until = clock.wallAt(clock.now()) + 60_000
  const about = { run: 'r', moment: 't 1 user 1', cost: 0, until }
  const left = { ...about, input: 100, output: 900 }
  const spent = { tokens: 0, cost: 0, calls: 0, modelMs: 0 }
  const day = { period: '2026-01-01', spent, open: [left] }
  await state.at({}).update(cell, () => ({ day }))
  const options = { day: { tokens: 1500 }, maxOutputTokens: 1000 }
  const plugins = [budget({ ...options, lowersOutput: false })]
  const model = scriptedModel([{ text: 'Done.', usage }], { clock })
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
