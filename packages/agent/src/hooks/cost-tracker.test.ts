import { createMemoryState, defineCell } from 'hookline'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { createAgent } from '../index.ts'
import { scriptedModel } from '../testing/index.ts'
import { type CostTrackerOptions, costTracker } from './cost-tracker.ts'
import { playLives } from './fixtures/lives.ts'
import { callsOf, echoTool } from './fixtures/play.ts'
import { playTeam } from './fixtures/team.ts'

const price = { input: 1, output: 10 }
const usage = { inputTokens: 100_000, outputTokens: 10_000 }
const say = { text: 'Done.', usage }
const initial = () => ({})
const ofTree = defineCell<object>('cost-tracker', { initial, scope: 'tree' })
const ofDay = defineCell<object>('cost-tracker', { initial })

test('a turn, the session and the day are added up, and told', async () => {
  const script = [{ ...callsOf('look', {}), usage }, say, say]
  const model = scriptedModel(script, { price })
  const agent = createAgent({
    ...{ model, tools: [echoTool('look')] },
    plugins: [costTracker({ currency: 'EUR' })],
  })
  const told: unknown[] = []
  agent.runtime.engine.observe((event) => {
    if (event.type === 'hook-event') told.push(event.event)
  })
  await agent.run('Go.').result
  await agent.run('Go on.').result
  await agent.runtime.drain()
  // 0.1 for what goes in and 0.1 for what comes out, for each call.
  const sum = (calls: number) => ({
    ...{ calls, failed: 0, unpriced: 0 },
    ...{ inputTokens: calls * 100_000, outputTokens: calls * 10_000 },
    cost: expect.closeTo(calls * 0.2, 9),
  })
  const type = 'cost-totals'
  const totals = told.filter((event) => Object(event).type === type)
  expect(totals).toMatchObject([
    { turn: sum(2), session: sum(2), day: sum(2), currency: 'EUR' },
    { turn: sum(1), session: sum(3), day: sum(3), currency: 'EUR' },
  ])
  await agent.close()
})

test('sub-agents at the same time lose nothing', async () => {
  const state = createMemoryState()
  const { events } = await playTeam([say], {
    ...{ tasks: 20, state },
    plugins: [costTracker({ prices: { child: price } })],
  })
  expect(events.length).toBeGreaterThan(0)
  const { all, models } = Object(await state.at({}).get(ofDay))
  expect(all).toMatchObject({ calls: 22, unpriced: 2 })
  expect(all.cost).toBeCloseTo(20 * 0.2)
  expect(models.child).toMatchObject({ calls: 20, unpriced: 0 })
})

test('what a session came to is known in the next process', async () => {
  const plugins = [costTracker({ prices: { a: price } })]
  const life = { script: [say], plugins }
  let session: unknown
  const look = async ({ state }: { state: typeof memory }) => {
    session = Object(await state.at({ tree: 's' }).get(ofTree)).session
  }
  const memory = createMemoryState()
  await playLives([life, { ...life, look }])
  expect(session).toMatchObject({ calls: 2, inputTokens: 200_000, unpriced: 0 })
  expect(Object(session).cost).toBeCloseTo(0.4)
})

test('calls that fail are counted, and nothing is refused when it fails', async () => {
  const state = createMemoryState()
  const model = scriptedModel([{ error: { code: 'timeout' } }])
  const plugins = [costTracker({})]
  const agent = createAgent({ model, plugins, state })
  await agent.run('Go.').result
  const { all } = Object(await state.at({}).get(ofDay))
  expect(all).toMatchObject({ calls: 1, failed: 1, cost: 0 })
  await agent.close()
  const broken = {
    at: () => ({
      get: () => Promise.reject(new Error('Away.')),
      update: () => Promise.reject(new Error('Away.')),
    }),
    end: () => {},
  }
  const other = createAgent({
    ...{ model: scriptedModel([say]), plugins, state: broken },
  })
  expect((await other.run('Go.').result).status).toBe('succeeded')
  await other.close()
})

test.each([
  [{ prices: { m: { input: -1, output: 0 } } }, 'input'],
  [{ timeZone: 'Nowhere' }, 'time zone'],
  [{ currencies: 'EUR' }, 'currency'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => costTracker(options as CostTrackerOptions)).toThrow(word)
})

/** What a day came to after calls at these moments, with this usage each. */
async function dayAfter(
  walls: readonly number[],
  used: { readonly inputTokens: number; readonly outputTokens: number },
) {
  const clock = createFakeClock()
  const state = createMemoryState()
  const script = [{ text: 'Done.', usage: used }]
  const model = scriptedModel(script, { loop: true, price, clock })
  const plugins = [costTracker({})]
  const agent = createAgent({ model, plugins, state, clock })
  for (const wall of walls) {
    clock.setWall(wall)
    await agent.run('Go.').result
  }
  const closed = agent.close()
  await clock.advance(1)
  await closed
  return Object(await state.at({}).get(ofDay))
}

test('clocks that differ at midnight lose nothing of the day', async () => {
  const midnight = Date.UTC(2026, 0, 2)
  const walls = [-1, 1, -1, 1, -1].map((ms) => midnight + ms)
  expect(await dayAfter(walls, usage)).toMatchObject({
    ...{ day: '2026-01-02', all: { calls: 4 } },
    models: { 'given/model': { calls: 4 } },
  })
})

test('a provider that tells absurd numbers does not stop the counting', async () => {
  const most = Number.MAX_VALUE
  const absurd = { inputTokens: most, outputTokens: most }
  const { all } = await dayAfter([0, 0, 0], absurd)
  expect(all).toMatchObject({ calls: 3, inputTokens: most, cost: most })
})
