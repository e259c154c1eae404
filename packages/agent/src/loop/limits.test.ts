import type { AgentLimits } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createMemoryApprovals, createPolicy } from '../index.ts'
import { noteEnds } from '../runtime/fixtures/hooks.ts'
import { brief, expectPaired } from '../runtime/fixtures/paired.ts'
import { eventsOf, gate, openStage } from '../runtime/fixtures/stage.ts'
import { endless, tool } from '../runtime/fixtures/tools.ts'
import type { Script } from '../testing/index.ts'

const price = { input: 1_000_000, output: 1_000_000 }
const always: Script = () => ({ calls: [{ tool: 'read' }] })

describe('a turn that reaches a limit ends limited, with a reason and paired history', () => {
  const cases: readonly [string, AgentLimits, RegExp, number][] = [
    ['steps', { maxSteps: 2 }, /2 steps/, 2],
    ['tool calls', { maxToolCalls: 2 }, /2 tool calls/, 3],
    ['tokens', { maxTokens: 30 }, /30 tokens/, 2],
    ['cost', { maxCost: 30 }, /30/, 2],
  ]

  test.each(cases)('%s', async (_, limits, reason, steps) => {
    const log: string[] = []
    const { say, session, events } = await openStage(always, {
      tools: [tool('read')],
      config: { limits },
      model: { price },
      hooks: [noteEnds(log)],
    })
    const result = await say('Go.')
    expect(result).toMatchObject({ status: 'limited', steps })
    expect(result.reason).toMatch(reason)
    expect(result.error).toBeUndefined()
    expect(brief(session.messages).at(-1)).toMatch(
      /^assistant: \[turn limited: /,
    )
    expect(eventsOf(events, 'turn-end')).toMatchObject([
      { status: 'limited', reason: result.reason },
    ])
    expect(log).toEqual(['limited'])
    expectPaired(session.messages)
  })

  test.each(cases)('%s, and the next turn has them anew', async (_, limits) => {
    const { say, session } = await openStage(always, {
      tools: [tool('read')],
      config: { limits },
      model: { price },
    })
    const first = await say('Go.')
    const second = await say('Go on.')
    expect(second).toMatchObject({ status: 'limited', steps: first.steps })
    expectPaired(session.messages)
  })
})

test('a batch that would go beyond the tool calls does not begin, and every call has its result', async () => {
  const ran: string[] = []
  const read = tool('read', () => {
    ran.push('read')
    return 'read'
  })
  const { say, session } = await openStage(
    [{ calls: [{ tool: 'read' }, { tool: 'read' }, { tool: 'read' }] }],
    { tools: [read], config: { limits: { maxToolCalls: 2 } } },
  )
  expect((await say('Go.')).status).toBe('limited')
  expect(ran).toEqual([])
  expectPaired(session.messages)
})

test('a turn within its limits is not held up by them', async () => {
  const { say } = await openStage(
    [{ calls: [{ tool: 'read' }] }, { text: 'Done.' }],
    {
      tools: [tool('read')],
      model: { price },
      config: {
        limits: { maxSteps: 2, maxToolCalls: 1, maxTokens: 31, maxCost: 31 },
      },
    },
  )
  expect((await say('Go.')).status).toBe('succeeded')
})

test('the cost of cached tokens has its own price', async () => {
  const usage = { inputTokens: 100, outputTokens: 0, cacheReadTokens: 100 }
  const { say } = await openStage(
    [{ calls: [{ tool: 'read' }], usage }, { text: 'Done.' }],
    {
      tools: [tool('read')],
      model: { price: { ...price, cacheRead: 0 } },
      config: { limits: { maxCost: 50 } },
    },
  )
  expect((await say('Go.')).status).toBe('succeeded')
})

test('a limit on cost without a price fails, and nothing is asked', async () => {
  const { say, model, session } = await openStage([{ text: 'Done.' }], {
    config: { limits: { maxCost: 1 } },
  })
  expect(await say('Go.')).toMatchObject({
    status: 'failed',
    error: { code: 'missing-price' },
  })
  expect(model.requests).toEqual([])
  expect(session.messages).toEqual([])
})

describe('wall time', () => {
  const config = { limits: { maxWallMs: 1_000 } }

  test('ends a turn whose model does not answer', async () => {
    const { session, clock } = await openStage(
      [{ waitFor: new Promise(() => {}) }],
      { config },
    )
    const { result } = session.send('Go.')
    await clock.advance(999)
    await clock.advance(1)
    expect(await result).toMatchObject({ status: 'limited' })
    expect((await result).reason).toMatch(/1000 ms/)
    expect(session.messages).toEqual([])
  })

  test('ends a turn whose tool does not end, with what it has done', async () => {
    const working = gate()
    const { session, clock } = await openStage(
      [{ calls: [{ tool: 'read' }] }, { calls: [{ tool: 'work' }] }],
      {
        config,
        tools: [tool('read'), endless('work', () => void working.pass())],
      },
    )
    const { result } = session.send('Go.')
    await working.reached
    await clock.advance(1_000)
    expect((await result).status).toBe('limited')
    expectPaired(session.messages)
    expect(brief(session.messages).at(-1)).toMatch(/\[turn limited/)
  })

  test('does not count while people are asked', async () => {
    const asked = gate()
    const approvals = createMemoryApprovals({
      onQuestion: () => void asked.pass(),
    })
    const { session, clock } = await openStage(
      [{ calls: [{ tool: 'write' }] }, { text: 'Done.' }],
      {
        config,
        approvals,
        policy: createPolicy(),
        tools: [tool('write', () => 'written', 'mutating')],
      },
    )
    const { result } = session.send('Go.')
    await asked.reached
    await clock.advance(100_000)
    const [pending] = approvals.pending()
    approvals.answer(pending?.question.id ?? '', { type: 'allow' }, 'ann')
    expect((await result).status).toBe('succeeded')
  })

  test('leaves no timer behind', async () => {
    const { say, clock } = await openStage([{ text: 'Done.' }], { config })
    await say('Go.')
    expect(clock.pending).toBe(0)
  })
})
