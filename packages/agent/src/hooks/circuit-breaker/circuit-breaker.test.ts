import { setImmediate } from 'node:timers/promises'
import { defineHook, proceed, reject } from 'hookline'
import { llmPreCall } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { defineTool, type Session } from '../../index.ts'
import { type ScriptStep, scriptedModel } from '../../testing/index.ts'
import { liveTwice } from '../fixtures/lives.ts'
import { callsOf, delegateTool } from '../fixtures/play.ts'
import { openStage } from '../fixtures/play-models.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import type { CircuitBreakerOptions } from './options.ts'

const overloaded = { error: { code: 'overloaded' } } as const
const quick = { minCalls: 2, openMs: 10_000 }

const stageOf = (
  script: (call: number) => ScriptStep,
  options: CircuitBreakerOptions = quick,
) =>
  openStage(
    { a: (_, call) => script(call) },
    { plugins: [circuitBreaker(options)] },
  )

test('a model that keeps failing is not called, then once, then as before', async () => {
  const stage = await stageOf((call) =>
    call <= 3 ? overloaded : { text: 'Well.' },
  )
  const statusOf = async () => (await stage.send('Go.')).status
  expect(await statusOf()).toBe('failed')
  expect(await statusOf()).toBe('failed')
  const refused = await stage.send('Go.')
  expect(refused).toMatchObject({
    status: 'rejected',
    reason: expect.stringMatching(/"a" has failed too often.* in \d+ s/),
  })
  expect(stage.called).toHaveLength(2)
  await stage.clock.advance(10_000)
  // The one that tries fails, too.
  expect(await statusOf()).toBe('failed')
  expect(await statusOf()).toBe('rejected')
  await stage.clock.advance(10_000)
  expect(await statusOf()).toBe('succeeded')
  expect(await statusOf()).toBe('succeeded')
  expect(stage.called).toHaveLength(5)
  const told = stage.events.flatMap((event) =>
    event.type === 'hook-delta' ? (event.notice?.message ?? []) : [],
  )
  expect(told).toHaveLength(2)
  await stage.close()
})

test('only a share of the calls of a window counts', async () => {
  const stage = await stageOf(
    (call) => (call % 3 === 0 ? overloaded : { text: 'Well.' }),
    { minCalls: 3, share: 0.5, windowMs: 10_000 },
  )
  const statuses: string[] = []
  for (let turn = 0; turn < 9; turn++) {
    statuses.push((await stage.send('Go.')).status)
  }
  expect(statuses).not.toContain('rejected')
  await stage.close()

  const slow = await stageOf(() => overloaded, {
    minCalls: 2,
    windowMs: 1_000,
  })
  for (let turn = 0; turn < 4; turn++) {
    expect((await slow.send('Go.')).status).toBe('failed')
    await slow.clock.advance(2_000)
  }
  await slow.close()
})

test('errors that are about the call say nothing about the model', async () => {
  const stage = await stageOf(() => ({ error: { code: 'invalid_request' } }))
  for (let turn = 0; turn < 4; turn++) {
    expect((await stage.send('Go.')).status).toBe('failed')
  }
  await stage.close()
})

test('all sessions share what is known, and only one of them tries', async () => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const stage = await stageOf((call) =>
    call <= 2 ? overloaded : { text: 'Well.', waitFor: held },
  )
  const other = await stage.openSession()
  await stage.send('Go.')
  await stage.send('Go.', other)
  await stage.clock.advance(10_000)
  const first = stage.send('Go.')
  const second = await stage.send('Go.', other)
  expect(second.status).toBe('rejected')
  letGo()
  expect((await first).status).toBe('succeeded')
  expect(stage.called).toHaveLength(3)
  await stage.close()
})

test('a call that was to try and is refused by others lets another one try', async () => {
  let strict = ''
  const veto = defineHook({
    ...{ name: 'veto', on: llmPreCall, priority: 950 },
    run: (_, { scope }) =>
      scope.sessionId === strict ? reject('No.') : proceed,
  })
  const stage = await openStage(
    { a: (_, call) => (call <= 2 ? overloaded : { text: 'Well.' }) },
    { plugins: [circuitBreaker(quick)], hooks: [veto] },
  )
  const other = await stage.openSession()
  await stage.send('Go.')
  await stage.send('Go.', other)
  await stage.clock.advance(10_000)
  strict = stage.session.id
  expect((await stage.send('Go.')).reason).toBe('No.')
  expect((await stage.send('Go.', other)).status).toBe('succeeded')
  await stage.close()
})

test('a call that was to try and is cancelled lets another one try', async () => {
  const stage = await stageOf((call) => {
    if (call <= 2) return overloaded
    if (call > 3) return { text: 'Well.' }
    return { text: 'Never.', waitFor: new Promise(() => {}) }
  })
  const other = await stage.openSession()
  await stage.send('Go.')
  await stage.send('Go.', other)
  await stage.clock.advance(10_000)
  const turn = stage.session.send('Go.')
  while (stage.called.length < 3) await setImmediate()
  turn.cancel()
  await turn.result
  expect((await stage.send('Go.', other)).status).toBe('succeeded')
  await stage.close()
})

test('what is streamed is not held back by it', async () => {
  const stage = await stageOf(() => ({ text: 'One two three.', chunks: 3 }))
  await stage.send('Go.')
  const deltas = stage.events.filter(({ type }) => type === 'text-delta')
  expect(deltas).toHaveLength(3)
  await stage.close()
})

const toolStage = (
  execute: (run: number) => Promise<string>,
  steps: readonly ScriptStep[],
  options: CircuitBreakerOptions = {},
) => {
  let runs = 0
  const flaky = defineTool({
    name: 'flaky',
    description: 'Fails.',
    input: { type: 'object' },
    safety: 'read_only',
    execute: () => execute(++runs),
  })
  const breaker = circuitBreaker({ ...quick, tools: ['flaky'], ...options })
  return openStage({ a: steps }, { plugins: [breaker], tools: [flaky] })
}

const broken = () => Promise.reject(new Error('No.'))

test('a tool that keeps failing is denied, and the model is told why', async () => {
  const stage = await toolStage(broken, [
    callsOf('flaky', {}),
    callsOf('flaky', {}),
    callsOf('flaky', {}, {}),
    { text: 'I give up.' },
  ])
  expect((await stage.send('Go.')).status).toBe('succeeded')
  const ends = stage.events.filter((event) => event.type === 'tool-end')
  expect(ends.map(({ status }) => status)).toEqual([
    'executed',
    'executed',
    'denied',
    'denied',
  ])
  expect(ends.at(-1)?.result.content).toMatchObject([
    { text: expect.stringContaining('has failed too often') },
  ])
  await stage.close()
})

test('of calls at the same time, only one tries a tool again', async () => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const stage = await toolStage(
    async (run) => {
      if (run <= 2) return broken()
      await held
      return 'Well.'
    },
    [
      callsOf('flaky', {}, {}),
      { text: 'Later.' },
      callsOf('flaky', {}, {}, {}),
      callsOf('flaky', {}, {}),
      { text: 'Done.' },
    ],
  )
  const statuses = () =>
    stage.events.flatMap((event) =>
      event.type === 'tool-end' ? [event.status] : [],
    )
  await stage.send('Go.')
  await stage.clock.advance(10_000)
  const going = stage.send('Go on.')
  while (statuses().length < 4) await setImmediate()
  letGo()
  await going
  expect(statuses().slice(2)).toEqual([
    'denied',
    'denied',
    'executed',
    'executed',
    'executed',
  ])
  await stage.close()
})

test('it is known over processes, and to the agents that work for an agent', async () => {
  const results: string[] = []
  const talk = async (session: Session) => {
    results.push((await session.send('Go.').result).status)
  }
  const model = scriptedModel((_, call) =>
    call === 1 ? callsOf('delegate', {}) : overloaded,
  )
  await liveTwice(
    () => ({
      models: { resolve: () => model },
      plugins: [circuitBreaker({ minCalls: 2, share: 0.3, openMs: 60_000 })],
      tools: [delegateTool('a')],
    }),
    [talk, talk],
  )
  // The helper's call failed, and opened it for the agent above.
  expect(results).toEqual(['rejected', 'rejected'])
  expect(model.requests).toHaveLength(2)
})

test('other tools, and errors that do not count, are left alone', async () => {
  const steps = [
    callsOf('flaky', {}, {}, {}),
    callsOf('flaky', {}),
    { text: 'Done.' },
  ]
  const stage = await toolStage(broken, steps, { errors: ['timeout'] })
  await stage.send('Go.')
  const other = await toolStage(broken, steps, { tools: ['other'] })
  await other.send('Go.')
  for (const { events } of [stage, other]) {
    expect(JSON.stringify(events)).not.toContain('too often')
  }
  await Promise.all([stage.close(), other.close()])
})

test('where its state cannot be read, no call is made', async () => {
  const gone = () => Promise.reject(new Error('The disk is gone.'))
  const stage = await openStage(
    { a: () => ({ text: 'Well.' }) },
    {
      plugins: [circuitBreaker({})],
      state: { at: () => ({ get: gone, update: gone }), end: () => {} },
    },
  )
  expect((await stage.send('Go.')).status).toBe('rejected')
  expect(stage.called).toEqual([])
  await stage.close()
})

test.each([
  [{ share: 0 }, 'share'],
  [{ minCalls: 0 }, 'minCalls'],
  [{ windowMs: 1 }, 'windowMs'],
  [{ tools: 'shell' }, 'tools'],
  [{ codes: [] }, 'codes'],
  [{ treshold: 1 }, 'treshold'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => circuitBreaker(options as unknown as object)).toThrow(word)
})
