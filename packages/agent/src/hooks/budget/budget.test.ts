import { createMemoryState, defineCell, defineHook, reject } from 'hookline'
import { llmPostCall, llmPreCall } from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { createAgent } from '../../index.ts'
import { type Script, scriptedModel } from '../../testing/index.ts'
import { callsOf, echoTool, play } from '../fixtures/play.ts'
import { playTeam } from '../fixtures/team.ts'
import type { Book } from './book.ts'
import { type BudgetOptions, budget } from './budget.ts'

const price = { input: 1, output: 10 }
const usage = { inputTokens: 100, outputTokens: 50 }
const tools = [echoTool('look')]
const say = { text: 'Done.', usage }
const look = { ...callsOf('look', {}), usage }

const initial = (): Book => ({})
const treeBook = defineCell('budget', { initial, scope: 'tree' })

const played = (
  options: BudgetOptions,
  script: Script = [look, say],
  more: Parameters<typeof play>[1] = {},
) => play(script, { tools, plugins: [budget(options)], ...more })

/** An agent whose state can be looked at, and one turn of it. */
function openAgent(
  script: Script,
  options: BudgetOptions,
  more: Parameters<typeof play>[1] = {},
) {
  const state = createMemoryState()
  const model = scriptedModel(script)
  const plugins = [budget(options)]
  const agent = createAgent({ model, plugins, state, tools, ...more })
  const bookOf = async (id: string) => {
    const book = await state.at({ tree: id }).get(treeBook)
    const { spent, open } = book['session'] ?? {}
    return { spent, open: open?.length }
  }
  return { agent, bookOf, model }
}

describe('at the same time', () => {
  test('sub-agents cannot overdraw what the session at the top has', async () => {
    let calls = 0
    const all = Promise.withResolvers<void>()
    // They all wait for each other, so that none of them is settled yet.
    const child: Script = () => {
      calls++
      if (calls === 3) all.resolve()
      return { text: 'Did.', waitFor: all.promise, usage }
    }
    const { results, turn, sessionId } = await playTeam(child, {
      tasks: 10,
      plugins: [
        budget({
          ...{ session: { tokens: 4000 }, maxOutputTokens: 1000 },
          ...{ lowersOutput: false },
        }),
      ],
    })
    expect(sessionId).not.toBe('')
    expect(calls).toBe(3)
    const statuses = results.map(({ status }) => status)
    expect(statuses.filter((one) => one === 'succeeded')).toHaveLength(3)
    expect(statuses.filter((one) => one === 'rejected')).toHaveLength(7)
    expect(results.find(({ reason }) => reason)?.reason).toMatch(
      /budget of this session has no room .* of 4000 tokens/,
    )
    // What they did not use was given back.
    expect(turn.status).toBe('succeeded')
  })

  test('what sub-agents do counts in the turn that they work for', async () => {
    const { results, turn } = await playTeam([say], {
      tasks: 4,
      plugins: [budget({ turn: { calls: 3 } })],
    })
    const done = results.filter(({ status }) => status === 'succeeded')
    expect(done).toHaveLength(2)
    expect(turn.status).toBe('rejected')
  })
})

describe('limits', () => {
  test.each([
    ['tokens', { tokens: 1100 }],
    ['cost', { cost: 0.0105 }],
    ['calls', { calls: 1 }],
    ['modelMs', { modelMs: 0 }],
  ])('%s: a call without room is refused', async (kind, session) => {
    const script = [look, { ...say, usage: { inputTokens: 900 } }]
    const { turns, model } = await played(
      { session, maxOutputTokens: 1000, lowersOutput: false },
      script,
      { price },
    )
    expect(turns).toMatchObject([
      { status: 'rejected', reason: expect.stringContaining('no room') },
    ])
    expect(model.requests).toHaveLength(kind === 'modelMs' ? 0 : 1)
  })

  test('what was not used is given back', async () => {
    const options = { session: { tokens: 1400 }, maxOutputTokens: 1000 }
    const { turns } = await played({ ...options, lowersOutput: false })
    expect(turns).toMatchObject([{ status: 'succeeded' }])
  })

  test('of a turn begin anew with each turn, of a session they do not', async () => {
    const inputs = ['Go.', 'Go on.']
    const each = { turn: { calls: 2 } }
    const script = [look, say, look, say]
    const turns = await played(each, script, { inputs })
    expect(turns.turns.map(({ status }) => status)).toEqual([
      ...['succeeded', 'succeeded'],
    ])
    const all = await played({ session: { calls: 3 } }, script, { inputs })
    expect(all.turns.map(({ status }) => status)).toEqual([
      ...['succeeded', 'rejected'],
    ])
  })

  test('of a day begin anew at midnight, where the people are', async () => {
    const clock = createFakeClock(Date.UTC(2026, 0, 1, 22, 30))
    const options = { day: { calls: 1 }, timeZone: 'Europe/Berlin' }
    const model = scriptedModel([say, say, say])
    const agent = createAgent({ model, plugins: [budget(options)], clock })
    const statusOf = async () => (await agent.run('Go.').result).status
    expect(await statusOf()).toBe('succeeded')
    expect(await statusOf()).toBe('rejected')
    clock.setWall(Date.UTC(2026, 0, 1, 23))
    expect(await statusOf()).toBe('succeeded')
    const closed = agent.close()
    await clock.advance(1)
    await closed
  })

  test('of actors are of each of them', async () => {
    const model = scriptedModel([say], { loop: true })
    const plugins = [budget({ actorDay: { calls: 1 } })]
    const agent = createAgent({ model, plugins })
    const statuses: string[] = []
    for (const id of ['ann', 'bob', 'ann', '__proto__']) {
      const actor = { kind: 'user' as const, id }
      const session = await agent.openSession({ actor })
      statuses.push((await session.send('Go.').result).status)
    }
    expect(statuses).toEqual([
      ...['succeeded', 'succeeded', 'rejected', 'succeeded'],
    ])
    await agent.close()
  })

  test('a turn can end with what it has', async () => {
    const options = { session: { calls: 1 }, onLimit: 'end-turn' as const }
    const { turns } = await played(options)
    expect(turns).toMatchObject([{ status: 'succeeded' }])
    expect(turns[0]?.reason).toContain('no room')
  })
})

describe('money', () => {
  test('a model without a price is refused', async () => {
    const { turns, model } = await played({ day: { cost: 5 } })
    expect(turns[0]?.reason).toContain('"given/model" has no price')
    expect(model.requests).toHaveLength(0)
  })

  test('prices of the options hold before those of the model', async () => {
    const prices = { 'given/model': { input: 1e6, output: 1e6 } }
    const { turns } = await played({ day: { cost: 5 }, prices }, [say], {
      price,
    })
    expect(turns[0]).toMatchObject({ status: 'rejected' })
    const cheap = await played({ day: { cost: 5 } }, [say], { price })
    expect(cheap.turns[0]).toMatchObject({ status: 'succeeded' })
  })
})

describe('output', () => {
  const maxOf = ({ model }: Awaited<ReturnType<typeof played>>) =>
    model.requests.map(({ settings }) => settings.maxOutputTokens)

  test('is lowered to what is left', async () => {
    const done = await played({ session: { tokens: 1200 } })
    const [first = 0, second = 0] = maxOf(done)
    expect(first).toBeGreaterThan(1000)
    expect(first).toBeLessThan(1200)
    // The first call used 150 tokens, and the second has more to read.
    expect(first - second).toBeGreaterThanOrEqual(150)
  })

  test('that would be less than the least is refused', async () => {
    const options = { session: { tokens: 600 }, minOutputTokens: 500 }
    const done = await played(options)
    expect(done.turns[0]).toMatchObject({ status: 'rejected' })
    expect(done.model.requests).toHaveLength(1)
  })

  test('that has no limit gets one', async () => {
    const many = { session: { tokens: 1e9 }, maxOutputTokens: 777 }
    expect(maxOf(await played(many, [say]))).toEqual([777])
    const kept = { ...many, lowersOutput: false }
    expect(maxOf(await played(kept, [say]))).toEqual([undefined])
  })
})

describe('nothing stays reserved', () => {
  const limits = { session: { tokens: 1e6 }, maxOutputTokens: 1000 }

  test('when a later hook refuses the call, which then counts nothing', async () => {
    const veto = defineHook({
      ...{ name: 'veto', on: llmPreCall, priority: 2000 },
      run: () => reject('No.'),
    })
    const { agent, bookOf } = openAgent([say], limits, { hooks: [veto] })
    const session = await agent.openSession()
    await session.send('Go.').result
    await agent.runtime.drain()
    const none = { tokens: 0, cost: 0, calls: 0, modelMs: 0 }
    expect(await bookOf(session.id)).toEqual({ open: 0, spent: none })
    await agent.close()
  })

  test('when the reply is withheld: it counts what it used', async () => {
    const veto = defineHook({
      ...{ name: 'veto', on: llmPostCall, priority: 9000 },
      run: () => reject('No.'),
    })
    const { agent, bookOf } = openAgent([say], limits, { hooks: [veto] })
    const session = await agent.openSession()
    await session.send('Go.').result
    expect(await bookOf(session.id)).toMatchObject({
      ...{ open: 0, spent: { tokens: 150, calls: 1 } },
    })
    await agent.close()
  })

  test.each([
    ['worst', 1000],
    ['input', 1],
    ['nothing', 0],
  ] as const)(
    'when the turn is cancelled: it counts the %s',
    async (unknownUse, least) => {
      const never = new Promise<void>(() => {})
      const script = [{ text: 'Never.', waitFor: never }]
      const { agent, bookOf, model } = openAgent(script, {
        ...{ ...limits, unknownUse },
      })
      const session = await agent.openSession()
      const turn = session.send('Go.')
      while (model.requests.length === 0) await Promise.resolve()
      expect(await bookOf(session.id)).toMatchObject({ open: 1 })
      turn.cancel()
      expect((await turn.result).status).toBe('cancelled')
      await agent.runtime.drain()
      const { open, spent } = await bookOf(session.id)
      expect(open).toBe(0)
      expect(spent?.tokens).toBeGreaterThanOrEqual(least)
      if (unknownUse !== 'worst') expect(spent?.tokens).toBeLessThan(1000)
      await agent.close()
    },
  )

  test.each([
    ['rate_limited', 0],
    ['timeout', 1000],
  ] as const)('when a call fails as %s', async (code, least) => {
    const script = [{ error: { code } }]
    const { agent, bookOf } = openAgent(script, limits)
    const session = await agent.openSession()
    expect((await session.send('Go.').result).status).toBe('failed')
    const { open, spent } = await bookOf(session.id)
    expect(open).toBe(0)
    expect(spent?.calls).toBe(1)
    if (least === 0) expect(spent?.tokens).toBe(0)
    else expect(spent?.tokens).toBeGreaterThan(least)
    await agent.close()
  })
})

test('text is not held back', async () => {
  const { events } = await played({ session: { calls: 9 } }, [
    { text: 'One two three four.', usage },
  ])
  const deltas = events.filter(({ type }) => type === 'text-delta')
  expect(deltas.length).toBeGreaterThan(1)
})

test('where the state cannot be changed, no model is called', async () => {
  const broken = {
    at: () => ({
      get: () => initial() as never,
      update: () => Promise.reject(new Error('The disk is full.')),
    }),
    end: () => {},
  }
  const { turns, model } = await played({ session: { calls: 9 } }, [say], {
    state: broken,
  })
  expect(turns[0]?.status).toBe('rejected')
  expect(model.requests).toHaveLength(0)
})

test.each([
  [{ session: { tokens: -1 } }, 'tokens'],
  [{ session: { token: 1 } }, 'tokens'],
  [{ day: { cost: Number.NaN } }, 'not finite'],
  [{ hour: { tokens: 1 } }, 'hour'],
  [{ prices: { model: { input: 1 } } }, 'output'],
  [{ timeZone: 'Mars/Olympus' }, 'no time zone'],
  [{ charsPerToken: 0 }, 'charsPerToken'],
  [7, 'options'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => budget(options as BudgetOptions)).toThrow(word)
})
