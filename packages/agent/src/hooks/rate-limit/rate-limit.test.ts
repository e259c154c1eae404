import { createMemoryState } from 'hookline'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { createAgent } from '../../index.ts'
import { scriptedModel } from '../../testing/index.ts'
import { agreeing } from '../fixtures/agreeing.ts'
import { playLives } from '../fixtures/lives.ts'
import { callsOf, echoTool, play } from '../fixtures/play.ts'
import { playTeam } from '../fixtures/team.ts'
import {
  type RateLimitOptions,
  type RateRule,
  rateLimit,
} from './rate-limit.ts'

const tools = [echoTool('look'), echoTool('other')]
const say = { text: 'Done.' }
const hour = { calls: 2, perMs: 3_600_000 }
const ofTools: RateRule = { of: 'tools', ...hour }
const ofModels: RateRule = { of: 'models', ...hour }
const limited = (...rules: readonly RateRule[]) => [rateLimit({ rules })]

test('calls at the same time are counted one by one', async () => {
  const script = [callsOf('look', {}, {}, {}), callsOf('other', {}), say]
  const plugins = limited({ ...ofTools, names: ['loo*'] })
  const { statuses, events } = await play(script, { tools, plugins })
  expect(statuses.toSorted()).toEqual([
    ...['denied', 'executed', 'executed', 'executed'],
  ])
  const text = JSON.stringify(events)
  expect(text).toMatch(/more than 2 calls in 3600000 ms; try again in \d+ ms/)
})

test('each tool can have its own', async () => {
  const script = [callsOf('look', {}, {}), callsOf('other', {}, {}), say]
  const plugins = limited({ ...ofTools, per: 'name' })
  const { statuses } = await play(script, { tools, plugins })
  expect(statuses).toEqual(Array(4).fill('executed'))
})

test('models have one, and a call too many rejects the turn', async () => {
  const script = [callsOf('look', {}), callsOf('look', {}), say]
  const plugins = limited(ofModels)
  const { turns, model } = await play(script, { tools, plugins })
  expect(turns).toMatchObject([{ status: 'rejected' }])
  expect(model.requests).toHaveLength(2)
})

test('sub-agents share that of the session at the top', async () => {
  const { results } = await playTeam([say], {
    tasks: 6,
    plugins: limited({ ...ofModels, calls: 4, per: 'session' }),
  })
  const done = results.filter(({ status }) => status === 'succeeded')
  expect(done).toHaveLength(3)
})

test('actors have their own, whatever they are called', async () => {
  const model = scriptedModel([say], { loop: true })
  const plugins = limited({ ...ofModels, calls: 1, per: 'actor' })
  const agent = createAgent({ model, plugins })
  const statuses: string[] = []
  for (const id of ['ann', 'ann', '__proto__', 'constructor']) {
    const actor = { kind: 'user' as const, id }
    const session = await agent.openSession({ actor })
    statuses.push((await session.send('Go.').result).status)
  }
  expect(statuses).toEqual([
    ...['succeeded', 'rejected', 'succeeded', 'succeeded'],
  ])
  await agent.close()
})

test('the bucket fills up with time, and not beyond its burst', async () => {
  const clock = createFakeClock()
  const rule = { of: 'models', calls: 10, perMs: 1000, burst: 2 } as const
  const model = scriptedModel([say], { loop: true, clock })
  const agent = createAgent({ model, plugins: limited(rule), clock })
  const statusOf = async () => (await agent.run('Go.').result).status
  const all = [await statusOf(), await statusOf(), await statusOf()]
  expect(all).toEqual(['succeeded', 'succeeded', 'rejected'])
  await clock.advance(100)
  expect([await statusOf(), await statusOf()]).toEqual([
    ...['succeeded', 'rejected'],
  ])
  // A clock that is set back gives nothing, and takes nothing.
  clock.setWall(0)
  expect(await statusOf()).toBe('rejected')
  await clock.advance(60_000)
  clock.setWall(Date.UTC(2026, 0, 2))
  const later = [await statusOf(), await statusOf(), await statusOf()]
  expect(later).toEqual(['succeeded', 'succeeded', 'rejected'])
  await agent.close()
})

test('a call may wait for its turn, and gives up when nobody waits', async () => {
  const clock = createFakeClock()
  const rule = { of: 'models', calls: 1, perMs: 1000, waitMs: 1500 } as const
  const model = scriptedModel([say], { loop: true, clock })
  const state = createMemoryState()
  const agent = createAgent({ model, plugins: limited(rule), clock, state })
  expect((await agent.run('Go.').result).status).toBe('succeeded')
  const second = agent.run('Go on.')
  await clock.advance(999)
  expect(model.requests).toHaveLength(1)
  await clock.advance(2)
  expect((await second.result).status).toBe('succeeded')
  const third = agent.run('And on.')
  await clock.advance(1)
  third.cancel()
  await clock.advance(1)
  expect((await third.result).status).toBe('cancelled')
  await agent.close()
})

test('a call that one rule refuses takes nothing of the others', async () => {
  const all = { ...ofModels, calls: 3 }
  const own = { ...ofModels, calls: 1, per: 'actor' } as const
  const model = scriptedModel([say], { loop: true })
  const agent = createAgent({ model, plugins: limited(all, own) })
  const statuses: string[] = []
  for (const id of ['ann', 'ann', 'ann', 'ann', 'bob', 'cy', 'dan']) {
    const actor = { kind: 'user' as const, id }
    const session = await agent.openSession({ actor })
    statuses.push((await session.send('Go.').result).status)
  }
  expect(statuses).toEqual([
    ...['succeeded', 'rejected', 'rejected', 'rejected'],
    ...['succeeded', 'succeeded', 'rejected'],
  ])
  await agent.close()
})

test('a call that two rules have wait waits for the longer one', async () => {
  const clock = createFakeClock()
  const rule = { of: 'models', calls: 1, perMs: 1000, waitMs: 9000 } as const
  const plugins = limited(rule, { ...rule, perMs: 4000 })
  const model = scriptedModel([say], { loop: true, clock })
  const agent = createAgent({ model, plugins, clock })
  await agent.run('Go.').result
  const second = agent.run('Go on.')
  await clock.advance(3990)
  expect(model.requests).toHaveLength(1)
  await clock.advance(20)
  expect((await second.result).status).toBe('succeeded')
  await agent.close()
})

test('it holds over processes', async () => {
  const life = { script: [say], plugins: limited(ofModels) }
  const results = await playLives([life, life, life])
  expect(results.map(({ status }) => status)).toEqual([
    ...['succeeded', 'succeeded', 'rejected'],
  ])
})

test('where the state is away, nothing passes', async () => {
  const away = () => Promise.reject(new Error('Away.'))
  const state = { at: () => ({ get: away, update: away }), end: () => {} }
  const { turns } = await play([say], { plugins: limited(ofModels), state })
  expect(turns).toMatchObject([{ status: 'rejected' }])
})

test.each([
  [{}, 'rules'],
  [{ rules: [] }, 'rules'],
  [{ rules: [{ of: 'tools', calls: 0, perMs: 1 }] }, 'calls'],
  [{ rules: [{ of: 'tool', calls: 1, perMs: 1 }] }, 'tools'],
  [{ rules: [{ ...ofTools, waitMs: 1e9 }] }, 'waitMs'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => rateLimit(options as RateLimitOptions)).toThrow(word)
})

test('a call that people were asked about is one call', async () => {
  const script = [callsOf('look', {}, {}), callsOf('look', {}), say]
  const plugins = limited(ofTools)
  const { statuses } = await play(script, { tools, plugins, ...agreeing() })
  expect(statuses).toEqual(['executed', 'executed', 'denied'])
})
