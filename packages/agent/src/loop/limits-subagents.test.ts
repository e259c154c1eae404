import type {
  AgentConfig,
  AgentLimits,
  DelegatedResult,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { expectPaired } from '../runtime/fixtures/paired.ts'
import {
  eventsOf,
  gate,
  mainConfig,
  openStage,
} from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'
import {
  type Script,
  type ScriptFunction,
  scriptedModel,
} from '../testing/index.ts'

const price = { input: 1_000_000, output: 1_000_000 }
const helper: AgentConfig = { ...mainConfig, name: 'helper', model: 'helper' }

/** A parent with limits, whose children do this. */
async function delegated(limits: AgentLimits, script: Script, children = 1) {
  const results: DelegatedResult[] = []
  const delegate = tool('delegate', async (_, context) => {
    const result = await context.delegate({ agent: helper, task: 'Help.' })
    results.push(result)
    return result.status
  })
  const calls = Array.from({ length: children }, () => ({ tool: 'delegate' }))
  const child = scriptedModel(script, { price })
  const stage = await openStage([{ calls }, { text: 'Done.' }], {
    tools: [delegate, tool('read')],
    config: { limits },
    model: { price },
    models: { helper: child },
  })
  return { ...stage, results, child }
}

const always: Script = () => ({ calls: [{ tool: 'read' }] })

describe('what a sub-agent uses', () => {
  test('counts for its parent', async () => {
    const { say } = await delegated({}, [{ text: 'Helped.' }])
    const { usage, steps } = await say('Go.')
    expect(usage).toMatchObject({ inputTokens: 30, outputTokens: 15 })
    expect(steps).toBe(2)
  })

  test.each<[string, AgentLimits]>([
    ['tokens', { maxTokens: 60 }],
    ['cost', { maxCost: 60 }],
    ['tool calls', { maxToolCalls: 4 }],
  ])('is at most what the parent has left: %s', async (_, limits) => {
    const { say, results, session, child } = await delegated(limits, always)
    const result = await say('Go.')
    expect(results).toMatchObject([{ status: 'limited' }])
    expect(child.requests.length).toBeLessThanOrEqual(4)
    expect(['limited', 'succeeded']).toContain(result.status)
    expectPaired(session.messages)
  })

  test('is at most what the parent has left, for several at the same time', async () => {
    const { say, child } = await delegated({ maxTokens: 60 }, always, 2)
    expect((await say('Go.')).status).toBe('limited')
    // 15 are the parent's own; each child may overstep by the call it is in.
    expect(child.requests.length).toBeLessThanOrEqual(4)
  })

  test('a child without a price is not asked where the parent has a limit on cost', async () => {
    const results: DelegatedResult[] = []
    const delegate = tool('delegate', async (_, context) => {
      const result = await context.delegate({ agent: helper, task: 'Help.' })
      results.push(result)
      return result.status
    })
    const child = scriptedModel([{ text: 'Helped.' }])
    const { say } = await openStage(
      [{ calls: [{ tool: 'delegate' }] }, { text: 'Done.' }],
      {
        tools: [delegate],
        config: { limits: { maxCost: 1_000 } },
        model: { price },
        models: { helper: child },
      },
    )
    await say('Go.')
    expect(child.requests).toEqual([])
    expect(results).toMatchObject([{ status: 'failed' }])
  })
})

test('the time of a call stands still while a sub-agent works for it, and goes on afterwards', async () => {
  const child = gate()
  const afterwards = gate()
  const hands = tool('hand', async (_, context) => {
    await context.delegate({ agent: helper, task: 'Help.' })
    await afterwards.pass()
  })
  const { session, clock, events } = await openStage(
    [{ calls: [{ tool: 'hand' }] }, { text: 'Done.' }],
    {
      tools: [hands],
      models: {
        helper: scriptedModel(() =>
          child.pass().then(() => ({ text: 'Yes.' })),
        ),
      },
    },
  )
  const { result } = session.send('Go.')
  await child.reached
  await clock.advance(3_600_000)
  child.open()
  await afterwards.reached
  await clock.advance(119_999)
  expect(eventsOf(events, 'tool-end')).toEqual([])
  await clock.advance(1)
  expect((await result).status).toBe('succeeded')
  const [end] = eventsOf(events, 'tool-end')
  expect(end?.result).toMatchObject({ isError: true, error: 'timeout' })
})

describe('how deep work may be handed on', () => {
  /** An agent that hands on whatever it is told. */
  function handing(agent: string | AgentConfig) {
    const results: DelegatedResult[] = []
    const hand = tool('hand', async (_, context) => {
      const result = await context.delegate({ agent, task: 'Go on.' })
      results.push(result)
      return result.reason ?? result.status
    })
    return { hand, results }
  }

  /** Hands on once in each turn. */
  const script: ScriptFunction = ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'Done.' }
      : { calls: [{ tool: 'hand' }] }

  test.each([
    [1, 1],
    [2, 2],
    [undefined, 3],
  ])('with a limit of %s it is %s agents', async (maxDepth, depth) => {
    const { hand, results } = handing({ ...helper, model: 'script' })
    const limits = maxDepth === undefined ? {} : { maxDepth }
    const config = { limits }
    const { say } = await openStage(script, {
      tools: [hand],
      config,
    })
    expect((await say('Go.')).status).toBe('succeeded')
    const done = results.filter(({ status }) => status === 'succeeded')
    expect(done).toHaveLength(depth)
    const refused = results.filter(({ status }) => status === 'rejected')
    const reason = `Work is handed on at most ${depth} agents deep.`
    expect(refused).toEqual([{ status: 'rejected', reply: [], reason }])
  })

  test('agents that hand on work to each other come to an end', async () => {
    const { hand, results } = handing('main')
    const { say, model } = await openStage(
      (request, call) =>
        call > 50 ? { text: 'Too deep.' } : script(request, call),
      { tools: [hand] },
    )
    await say('Go.')
    expect(model.requests.length).toBeLessThan(20)
    expect(results.some(({ status }) => status === 'rejected')).toBe(true)
  })
})
