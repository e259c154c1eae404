import { getEventListeners } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { createEngine, type EngineOptions } from '../create-engine.ts'
import { reject } from '../define/answers.ts'
import { definePoint, type } from '../define/define-point.ts'
import { compileTable } from '../table/compile-table.ts'
import { createFakeClock, type FakeClock } from '../testing/index.ts'
import {
  type EngineEvent,
  type Hook,
  type HookContext,
  HookError,
  type HookRecord,
  type LateNote,
  type PointShape,
  proceed,
} from './index.ts'

const gate = definePoint('test.gate', {
  input: type<string>(),
  answers: ['reject'],
})
const side = definePoint('test.side', {
  input: type<string>(),
  flow: 'parallel',
  answers: ['reject'],
})

type Run = (input: string, context: HookContext<PointShape>) => unknown

let clock: FakeClock
let records: HookRecord[]
let late: LateNote[]
let events: EngineEvent[]
let caller: AbortController

beforeEach(() => {
  clock = createFakeClock()
  records = []
  late = []
  events = []
  caller = new AbortController()
})

function hook(name: string, run: Run, rest: Partial<Hook> = {}): Hook {
  return { name, on: gate, ...rest, run: run as never }
}

const hangs = () => new Promise(() => {})

function engineOf(hooks: readonly Hook[], options: EngineOptions = {}) {
  const engine = createEngine(compileTable(hooks), {
    clock,
    records: {
      end: ({ record }) => void records.push(record),
      late: (note) => void late.push(note),
    },
    ...options,
  })
  engine.observe((event) => void events.push(event))
  return engine
}

type Engine = ReturnType<typeof engineOf>

/** Asks a point as somebody who may give up; says how that ended. */
async function ask(engine: Engine, point = gate as typeof gate | typeof side) {
  try {
    return await engine.run(point, 'input', { signal: caller.signal })
  } catch (error) {
    return error as HookError
  }
}

const listeners = () => getEventListeners(caller.signal, 'abort').length
const shown = () => records.map(({ hook, state, note }) => [hook, state, note])
const ends = () => events.filter(({ type }) => type === 'dispatch-end')

describe('a caller who has given up before', () => {
  test('gets an error, and no hook runs', async () => {
    let runs = 0
    const engine = engineOf([hook('a', () => ++runs), hook('b', () => ++runs)])
    const reason = new Error('The user closed the window.')
    caller.abort(reason)
    const error = await ask(engine)
    expect(error).toBeInstanceOf(HookError)
    expect(error).toMatchObject({ code: 'cancelled', hook: undefined })
    expect((error as HookError).cause).toBe(reason)
    expect((error as HookError).message).toBe(
      'The caller gave up on test.gate.',
    )
    expect(runs).toBe(0)
    expect(shown()).toEqual([
      ['a', 'skipped', 'caller-cancelled'],
      ['b', 'skipped', 'caller-cancelled'],
    ])
    expect(listeners()).toBe(0)
  })

  test('is thrown to at once, as no hook was waited for', () => {
    const engine = engineOf([hook('a', () => proceed)])
    const { signal } = caller
    caller.abort()
    const run = () => engine.run(gate, '', { signal })
    expect(run).toThrow(expect.objectContaining({ code: 'cancelled' }))
  })
})

describe('F131 a caller who gives up while a hook runs', () => {
  test('gets an error whose cause is the reason of the signal', async () => {
    const asked = ask(engineOf([hook('a', hangs)]))
    const reason = { why: 'enough' }
    caller.abort(reason)
    const error = await asked
    expect(error).toMatchObject({ code: 'cancelled' })
    expect((error as HookError).cause).toBe(reason)
  })

  test('aborts the signal of that run', async () => {
    const signals: AbortSignal[] = []
    const keeps = hook('a', (_, { signal }) => {
      signals.push(signal)
      return hangs()
    })
    const asked = ask(engineOf([keeps]))
    expect(signals[0]?.aborted).toBe(false)
    caller.abort()
    expect(signals[0]?.aborted).toBe(true)
    await asked
  })

  test('leaves one record of every hook', async () => {
    const hooks = [hook('a', () => proceed), hook('b', hangs), hook('c', hangs)]
    const asked = ask(engineOf(hooks))
    await clock.advance(5)
    caller.abort()
    await asked
    expect(shown()).toEqual([
      ['a', 'completed', undefined],
      ['b', 'cancelled', 'caller-cancelled'],
      ['c', 'skipped', 'caller-cancelled'],
    ])
    expect(records[1]).toMatchObject({
      latencyMs: 5,
      failure: undefined,
      policy: undefined,
      failedOpen: false,
      decided: false,
      answer: undefined,
    })
  })

  const policies = ['closed', 'open', 'required']
  test.each(policies)('asks no failure policy (%o)', async (onFailure) => {
    const rest = { onFailure } as Partial<Hook>
    const engine = engineOf([hook('a', hangs, rest), hook('b', hangs)])
    const asked = ask(engine)
    caller.abort()
    expect(await asked).toMatchObject({ code: 'cancelled' })
    expect(engine.counts().get('a')).toMatchObject({
      failures: 0,
      failedOpen: 0,
    })
  })

  test('does not bring a hook nearer to quarantine', async () => {
    const engine = engineOf([hook('a', hangs)], { breakerFailures: 1 })
    const asked = ask(engine)
    caller.abort()
    await asked
    caller = new AbortController()
    void ask(engine)
    expect(events.filter(({ type }) => type === 'alarm')).toEqual([])
    const starts = events.filter(({ type }) => type === 'hook-start')
    expect(starts).toHaveLength(2)
  })

  test('tells observers, and ends the dispatch once', async () => {
    const asked = ask(engineOf([hook('a', hangs)]))
    caller.abort()
    caller.abort()
    await asked
    await clock.advance(100_000)
    expect(ends()).toMatchObject([
      { decision: { type: 'cancelled', by: undefined } },
    ])
  })

  test('hears of a late answer like anyone else', async () => {
    const { promise, resolve } = Promise.withResolvers()
    const engine = engineOf([hook('a', () => promise)])
    const asked = ask(engine)
    caller.abort()
    await asked
    expect(engine.counts().get('a')).toMatchObject({ late: 0, leaked: 1 })
    resolve(reject('Too late.'))
    await clock.settle()
    expect(late).toMatchObject([{ hook: 'a', settled: 'answered' }])
    expect(engine.counts().get('a')).toMatchObject({ late: 1, leaked: 0 })
    expect(records).toHaveLength(1)
  })

  test('waits for no timer afterwards', async () => {
    const asked = ask(engineOf([hook('a', hangs)]))
    caller.abort()
    await asked
    await clock.advance(30_000)
    expect(clock.pending).toBe(0)
    expect(shown()).toEqual([['a', 'cancelled', 'caller-cancelled']])
  })
})

describe('a caller who gives up after the end', () => {
  const endings: readonly [string, () => unknown][] = [
    ['an answer', async () => proceed],
    ['a reject', async () => reject('No.')],
    ['a failure', () => Promise.reject(new Error('boom'))],
  ]
  test.each(endings)(
    'changes nothing after %s, and is no longer listened to',
    async (_, run) => {
      const outcome = await ask(engineOf([hook('a', run)]))
      expect(listeners()).toBe(0)
      const before = structuredClone(records)
      caller.abort()
      await clock.settle()
      expect(records).toEqual(before)
      expect(outcome).toHaveProperty('type')
      expect(ends()).toHaveLength(1)
    },
  )

  test('is not listened to after a timeout', async () => {
    const asked = ask(engineOf([hook('a', hangs), hook('b', () => proceed)]))
    expect(listeners()).toBe(1)
    await clock.advance(30_000)
    await asked
    expect(listeners()).toBe(0)
  })

  test('was never listened to where every hook answers at once', async () => {
    let during = -1
    const looks = hook('a', () => {
      during = listeners()
      return proceed
    })
    await ask(engineOf([looks]))
    expect([during, listeners()]).toEqual([0, 0])
  })

  test('a thousand dispatches leave no listener on one signal', async () => {
    const engine = engineOf([hook('a', async () => proceed)])
    await Promise.all(Array.from({ length: 1_000 }, () => ask(engine)))
    expect(listeners()).toBe(0)
  })
})

describe('hooks side by side', () => {
  const beside = (name: string, run: Run) => hook(name, run, { on: side })

  test('F131 are all cancelled with their caller', async () => {
    const signals: AbortSignal[] = []
    const keeps: Run = (_, { signal }) => {
      signals.push(signal)
      return hangs()
    }
    const hooks = [
      beside('a', keeps),
      beside('b', async () => proceed),
      beside('c', keeps),
    ]
    const asked = ask(engineOf(hooks), side)
    await clock.settle()
    caller.abort()
    expect(await asked).toMatchObject({ code: 'cancelled' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    expect(shown()).toEqual([
      ['b', 'completed', undefined],
      ['a', 'cancelled', 'caller-cancelled'],
      ['c', 'cancelled', 'caller-cancelled'],
    ])
  })

  test('F131 beyond the cap are skipped with their caller', async () => {
    const hooks = ['a', 'b', 'c'].map((name) => beside(name, hangs))
    const asked = ask(engineOf(hooks, { parallelism: 2 }), side)
    caller.abort()
    await asked
    expect(shown()).toEqual([
      ['a', 'cancelled', 'caller-cancelled'],
      ['b', 'cancelled', 'caller-cancelled'],
      ['c', 'skipped', 'caller-cancelled'],
    ])
  })

  test.each([
    ['a reject', async () => reject('No.'), 'No.'],
    ['a closed failure', async () => null, 'hook_error:invalid-answer'],
  ])(
    'F134 are superseded by %s, which is not their failure',
    async (_, run, reason) => {
      const signals: AbortSignal[] = []
      const keeps: Run = (_, { signal }) => {
        signals.push(signal)
        return hangs()
      }
      const hooks = [beside('a', keeps), beside('b', run), beside('c', keeps)]
      const engine = engineOf(hooks)
      expect(await ask(engine, side)).toMatchObject({ by: 'b', reason })
      expect(shown().filter(([name]) => name !== 'b')).toEqual([
        ['a', 'cancelled', 'superseded'],
        ['c', 'cancelled', 'superseded'],
      ])
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
      expect(engine.counts().get('a')).toMatchObject({ failures: 0, leaked: 1 })
    },
  )

  test('F134 one that fails open does not disturb the others', async () => {
    const fails = {
      ...beside('b', async () => null),
      onFailure: 'open',
    } as Hook
    const slow = beside('a', async () => {
      await clock.settle()
      return proceed
    })
    expect(await ask(engineOf([slow, fails]), side)).toMatchObject({
      type: 'proceed',
    })
    expect(shown()).toEqual([
      ['b', 'failed', undefined],
      ['a', 'completed', undefined],
    ])
  })
})

describe('a run that ends takes with it what it asked', () => {
  const inner = definePoint('test.inner', { input: type<string>() })

  function nested(rest: Partial<Hook> = {}) {
    const errors: unknown[] = []
    const outer = hook(
      'outer',
      async (_, context) => {
        try {
          await context.dispatch(inner, 'inner')
        } catch (error) {
          errors.push(error)
        }
        return proceed
      },
      rest,
    )
    return { errors, hooks: [outer, hook('inner', hangs, { on: inner })] }
  }

  test('when its caller gives up', async () => {
    const { errors, hooks } = nested()
    const asked = ask(engineOf(hooks))
    await clock.settle()
    caller.abort()
    expect(await asked).toMatchObject({ code: 'cancelled' })
    await clock.settle()
    expect(errors).toMatchObject([{ code: 'cancelled' }])
    expect(shown()).toEqual([
      ['inner', 'cancelled', 'caller-cancelled'],
      ['outer', 'cancelled', 'caller-cancelled'],
    ])
  })

  test('when its time is up', async () => {
    const { hooks } = nested({ timeoutMs: 100 })
    const asked = ask(engineOf(hooks))
    await clock.advance(1_000)
    expect(await asked).toMatchObject({ type: 'reject', by: 'outer' })
    const ended = records.map(
      ({ hook, latencyMs }) => [hook, latencyMs] as const,
    )
    expect(new Map(ended)).toEqual(
      new Map([
        ['inner', 100],
        ['outer', 100],
      ]),
    )
    expect(ended).toHaveLength(2)
  })
})
