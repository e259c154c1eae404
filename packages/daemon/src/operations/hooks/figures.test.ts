import { defineHook, proceed } from 'hookline'
import { toolPreCall } from 'hookline/lifecycle'
import { expect, test, vi } from 'vitest'
import {
  admin,
  agent,
  longMs,
  openWorld,
  runner,
} from '../fixtures/open-world.ts'
import { ask } from '../fixtures/strict-output.ts'

vi.setConfig({ testTimeout: longMs })

const broken = defineHook({
  name: 'broken',
  on: toolPreCall,
  onFailure: 'open',
  visibility: 'user_visible',
  run: () => {
    throw new Error('No.')
  },
})
const secret = defineHook({
  name: 'secret',
  on: toolPreCall,
  run: () => proceed,
})

test.each(['sqlite', 'postgres'] as const)(
  'figures say how hooks did over time, why they failed, and what turns used: %s',
  async (engine) => {
    const world = await openWorld({ engine, hooks: [broken, secret] })
    const { operations, callTool } = world
    // As often as it takes for a hook not to be run for a while.
    for (let at = 0; at < 6; at++) await callTool({})
    const to = Date.now() + 60_000
    const range = { since: to - 3_600_000, until: to }
    const asked = { ...range, spans: 60 }
    const seen = await ask(operations, 'hookFigures', asked, runner)
    expect(seen.items.map(({ hook }) => hook)).toEqual(['broken'])
    const [figures] = seen.items
    expect(figures).toMatchObject({ count: 6, failedOpen: 6, breaker: 'open' })
    expect(figures?.causes).toMatchObject([
      { code: 'threw', count: 5 },
      { code: 'quarantined', count: 1 },
    ])
    const spans = figures?.spans ?? []
    expect(spans.reduce((sum, { count }) => sum + count, 0)).toBe(6)
    expect(spans.every(({ at }) => at >= range.since && at < to)).toBe(true)
    const all = await ask(operations, 'hookFigures', asked, admin)
    expect(all.items).toMatchObject([
      { hook: 'broken' },
      { hook: 'secret', breaker: 'closed', causes: [] },
    ])
    const whole = ask(operations, 'hookFigures', { spans: 4 }, admin)
    await expect(whole).rejects.toMatchObject({ code: 'bad-request' })
    const use = { ...range, by: 'agent' } as const
    const used = await ask(operations, 'usageFigures', use, runner)
    expect(used).toMatchObject({
      isCut: false,
      items: [{ key: agent, turns: 6, unpriced: 6 }],
    })
    expect(used.items[0]).not.toHaveProperty('cost')
  },
)

test('a turn has the cost that the price of its model makes of its tokens', async () => {
  const price = { input: 1_000_000, output: 2_000_000 }
  const { operations, callTool } = await openWorld({ price })
  await callTool({})
  const use = { by: 'session', since: 0 } as const
  const { items } = await ask(operations, 'usageFigures', use, runner)
  const [used] = items
  const { inputTokens = 0, outputTokens = 0 } = used ?? {}
  expect(outputTokens).toBeGreaterThan(0)
  expect(used?.cost).toBeCloseTo(inputTokens + 2 * outputTokens, 6)
  expect(used?.unpriced).toBe(0)
})
