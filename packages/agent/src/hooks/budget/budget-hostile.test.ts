import {
  createMemoryState,
  defineCell,
  defineHook,
  proceed,
  reject,
  replace,
  respond,
  transform,
} from 'hookline'
import { llmPreCall, turnPreTurn, type Usage } from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { createAgent, type ModelPrice, type Runtime } from '../../index.ts'
import { scriptedModel } from '../../testing/index.ts'
import { play } from '../fixtures/play.ts'
import type { Book } from './book.ts'
import { type BudgetOptions, budget } from './budget.ts'

const usage = { inputTokens: 100, outputTokens: 50 }
const say = { text: 'Done.', usage }
const cell = defineCell('budget', { initial: (): Book => ({}) })

/** What a day has after one call, which says that it used this. */
async function spentAfter(
  told: Partial<Usage>,
  options: BudgetOptions = {},
): Promise<number> {
  const state = createMemoryState()
  const day = { tokens: 1e9 }
  const plugins = [budget({ day, maxOutputTokens: 1000, ...options })]
  const script = [{ text: 'Done.', usage: told }]
  await play(script, { plugins, state })
  const { day: account } = await state.at({}).get(cell)
  expect(account?.open).toEqual([])
  return account?.spent.tokens ?? -1
}

describe('a provider that tells nothing of what was used', () => {
  const nothing = { inputTokens: 0, outputTokens: 0 }

  test('has used all that was reserved', async () => {
    expect(await spentAfter(nothing)).toBeGreaterThan(1000)
  })

  test('has used what the options say of it', async () => {
    const input = await spentAfter(nothing, { unknownUse: 'input' })
    expect(input).toBeGreaterThan(0)
    expect(input).toBeLessThan(1000)
    expect(await spentAfter(nothing, { unknownUse: 'nothing' })).toBe(0)
  })

  test('of the input alone has used what it tells, and the input as estimated', async () => {
    const spent = await spentAfter({ inputTokens: 0, outputTokens: 50 })
    expect(spent).toBeGreaterThan(50)
    expect(spent).toBeLessThan(1000)
  })
})

test('a price below nothing is none, so that no call gives money back', async () => {
  const refusalAt = async (price: ModelPrice) => {
    const plugins = [budget({ day: { cost: 1 } })]
    const { turns } = await play([say], { plugins, price })
    return turns[0]?.reason
  }
  expect(await refusalAt({ input: -5, output: 1 })).toContain('no price')
  const cached = { input: 1, output: 1, cacheRead: -9 }
  expect(await refusalAt(cached)).toContain('no price')
  expect(await refusalAt({ input: Infinity, output: 1 })).toContain('no price')
  expect(await refusalAt({ input: 1, output: 1 })).toBeUndefined()
})

test.each([-1_000_000, 0, 0.5, Number.MAX_VALUE])(
  'a request for %d tokens of output makes no room for others',
  async (maxOutputTokens) => {
    const odd = defineHook({
      ...{ name: 'odd', on: llmPreCall, priority: 1, writes: true },
      run: ({ request }) =>
        transform({ ...request, settings: { maxOutputTokens } }),
    })
    const state = createMemoryState()
    const plugins = [
      budget({
        day: { tokens: 5000 },
        unknownUse: 'worst',
        maxOutputTokens: 9,
      }),
    ]
    const script = [{ error: { code: 'timeout' } }] as const
    const { model } = await play(script, { plugins, state, hooks: [odd] })
    const { day } = await state.at({}).get(cell)
    expect(day?.spent.tokens ?? 0).toBeGreaterThanOrEqual(0)
    for (const { settings } of model.requests) {
      expect(Number.isSafeInteger(settings.maxOutputTokens)).toBe(true)
    }
  },
)

test('a call whose words a hook has changed, and that loses the data of its provider with them, is settled once', async () => {
  const state = createMemoryState()
  const shorten = defineHook({
    ...{ name: 'shorten', on: llmPreCall, writes: true },
    run: ({ request }) => {
      const messages = request.messages.map((message) =>
        message.role === 'assistant'
          ? {
              ...message,
              content: message.content.map((block) =>
                block.type === 'text' ? { ...block, text: 'Short.' } : block,
              ),
            }
          : message,
      )
      return transform({ ...request, messages })
    },
  })
  const providerData = { openai: { itemId: 'msg_1' } }
  const text = { type: 'text' as const, text: 'A long answer.', providerData }
  const step = { content: [text], usage }
  const plugins = [budget({ day: { tokens: 1e9 }, maxOutputTokens: 1000 })]
  const { model } = await play([step, step], {
    ...{ plugins, state, hooks: [shorten] },
    inputs: ['Go.', 'Again.'],
  })
  const sent = JSON.stringify(model.requests[1]?.messages)
  expect(sent).toContain('Short.')
  expect(sent).not.toContain('msg_1')
  const { day } = await state.at({}).get(cell)
  expect(day?.open).toEqual([])
  expect(day?.spent.tokens).toBe(300)
})

describe('calls of one moment', () => {
  test('one that another hook refuses gives back nothing of the others', async () => {
    const state = createMemoryState()
    const begun = Promise.withResolvers<void>()
    const refused = Promise.withResolvers<void>()
    let runtime: Runtime | undefined
    const strict = defineHook({
      ...{ name: 'strict', on: llmPreCall, priority: 500 },
      run: ({ request }) =>
        request.settings.temperature === 2 ? reject('No.') : proceed,
    })
    const content = [{ type: 'text' as const, text: 'Judge.' }]
    const message = { role: 'user' as const, content }
    const request = { model: 'given/model', tools: [], messages: [message] }
    const judge = defineHook({
      ...{ name: 'judge', on: turnPreTurn },
      async run(_, context) {
        const call = (temperature: number) =>
          runtime?.callModel(context, { ...request, settings: { temperature } })
        const first = call(1)
        await begun.promise
        await call(2)?.catch(() => {})
        await runtime?.engine.drain()
        refused.resolve()
        await first
        return proceed
      },
    })
    let calls = 0
    const model = scriptedModel(() => {
      if (calls++ > 0) return say
      begun.resolve()
      return { text: 'Fine.', waitFor: refused.promise, usage }
    })
    const plugins = [budget({ day: { tokens: 1e9 } })]
    const hooks = [strict, judge]
    const agent = createAgent({ model, plugins, hooks, state })
    runtime = agent.runtime
    expect((await agent.run('Go.').result).status).toBe('succeeded')
    await agent.close()
    const { day } = await state.at({}).get(cell)
    expect(day).toMatchObject({ open: [], spent: { tokens: 300, calls: 2 } })
  })
})

describe('a call that got past the gate', () => {
  const early = (answer: 'replace' | 'respond') =>
    defineHook({
      ...{ name: 'early', on: llmPreCall, priority: 1, writes: true },
      run({ request }) {
        if (answer === 'replace') return replace(request)
        const content = [{ type: 'text' as const, text: 'Mine.' }]
        const none = { inputTokens: 0, outputTokens: 0 }
        return respond({ content, stopReason: 'end_turn', usage: none })
      },
    })
  const spentWith = async (answer: 'replace' | 'respond') => {
    const state = createMemoryState()
    const plugins = [budget({ day: { tokens: 1e6, calls: 9 } })]
    await play([say], { plugins, state, hooks: [early(answer)] })
    return (await state.at({}).get(cell))['day']?.spent
  }

  test('because a hook skipped it counts what it used', async () => {
    expect(await spentWith('replace')).toMatchObject({ tokens: 150, calls: 1 })
  })

  test('because a hook answered is none', async () => {
    expect(await spentWith('respond')).toBeUndefined()
  })
})

describe('midnight', () => {
  const begin = Date.UTC(2026, 0, 1, 23, 59, 59)

  /** Statuses of turns that begin at these times of a clock, in seconds. */
  async function statusesAt(
    seconds: readonly number[],
    options: BudgetOptions,
  ): Promise<readonly string[]> {
    const clock = createFakeClock(begin)
    const plugins = [budget(options)]
    const model = scriptedModel([say], { loop: true })
    const agent = createAgent({ model, plugins, clock })
    const statuses: string[] = []
    for (const second of seconds) {
      clock.setWall(begin + second * 1000)
      const actor = { kind: 'user' as const, id: 'ann' }
      const session = await agent.openSession({ actor })
      statuses.push((await session.send('Go.').result).status)
    }
    const closed = agent.close()
    await clock.advance(1)
    await closed
    return statuses
  }

  test.each([['day'], ['actorDay']])(
    'clocks that differ by seconds do not begin the %s again and again',
    async (level) => {
      const options = { [level]: { calls: 1 } }
      expect(await statusesAt([0, 1, 0, 1, 0, 1], options)).toEqual([
        ...['succeeded', 'succeeded', 'rejected'],
        ...['rejected', 'rejected', 'rejected'],
      ])
    },
  )

  test('a clock that was wrong by days does not stop the days for good', async () => {
    const days = [0, 20, 0, 1].map((day) => day * 86_400)
    expect(await statusesAt(days, { day: { calls: 1 } })).toEqual([
      ...['succeeded', 'succeeded', 'succeeded', 'succeeded'],
    ])
  })
})
