import { beforeEach, describe, expect, test } from 'vitest'
import { createEngine, type EngineOptions } from '../create-engine.ts'
import { reject } from '../define/answers.ts'
import { deadline } from '../define/define-hook.ts'
import { definePoint, type } from '../define/define-point.ts'
import { compileTable } from '../table/compile-table.ts'
import { createFakeClock, type FakeClock } from '../testing/index.ts'
import type { Clock, Hook, HookContext, PointShape } from './index.ts'
import { proceed } from './index.ts'

const gate = definePoint('test.gate', {
  input: type<string>(),
  answers: ['reject'],
})
const inner = definePoint('test.inner', {
  input: type<string>(),
  answers: ['reject'],
})

let clock: FakeClock

beforeEach(() => {
  clock = createFakeClock()
})

type Run = (input: string, context: HookContext<PointShape>) => unknown

function hook(name: string, run: Run, rest: Partial<Hook> = {}): Hook {
  return { name, on: gate, ...rest, run: run as never }
}

const hangs = () => new Promise(() => {})
const answersAfter =
  (ms: number, answer: unknown = proceed) =>
  () =>
    new Promise((resolve) => clock.after(ms, () => resolve(answer)))

function engineOf(hooks: readonly Hook[], options: EngineOptions = {}) {
  return createEngine(compileTable(hooks), { clock, ...options })
}

/** When a dispatch ended, and what it came to. */
function watch<T>(dispatched: T | Promise<T>) {
  const seen: { endedMs?: number; outcome?: T } = {}
  void Promise.resolve(dispatched).then((outcome) => {
    seen.endedMs = clock.now()
    seen.outcome = outcome
  })
  return seen
}

describe('a hook that is waited for has a time limit', () => {
  const limits: readonly [string, Partial<Hook>, number][] = [
    ['30 s if it says nothing', {}, 30_000],
    ['30 s if it is blocking', { execution: 'blocking' }, 30_000],
    ['1 s if it has a deadline', { execution: deadline() }, 1_000],
    ['the deadline it names', { execution: deadline(250) }, 250],
    ['the timeout it names', { timeoutMs: 45_000 }, 45_000],
    ['a fraction of a millisecond', { timeoutMs: 0.5 }, 0.5],
  ]
  test.each(limits)('F004 of %s', async (_, rest, limitMs) => {
    const dispatched = watch(
      engineOf([hook('slow', hangs, rest)]).run(gate, ''),
    )
    await clock.advance(100_000)
    expect(dispatched.endedMs).toBe(limitMs)
    expect(dispatched.outcome).toMatchObject({
      reason: 'hook_error:timed-out',
      records: [{ state: 'timed_out', latencyMs: limitMs }],
    })
  })

  test('cut to what the dispatch as a whole has', async () => {
    const slow = hook('slow', hangs, { timeoutMs: 90_000 })
    const dispatched = watch(engineOf([slow]).run(gate, ''))
    await clock.advance(100_000)
    expect(dispatched.endedMs).toBe(60_000)
  })

  test('cut to what an engine is told a dispatch has', async () => {
    const engine = engineOf([hook('slow', hangs)], { dispatchMs: 500 })
    const dispatched = watch(engine.run(gate, ''))
    await clock.advance(1_000)
    expect(dispatched.endedMs).toBe(500)
  })

  test('cut to what a dispatch of its point has', async () => {
    const brief = definePoint('test.brief', {
      input: type<string>(),
      answers: ['reject'],
      deadlineMs: 700,
    })
    const engine = engineOf([hook('slow', hangs, { on: brief })])
    const dispatched = watch(engine.run(brief, '', { deadlineMs: 5_000 }))
    await clock.advance(10_000)
    expect(dispatched.endedMs).toBe(700)
  })

  test('F130 cut to what the caller is willing to wait', async () => {
    const seen: number[] = []
    const slow = hook('slow', (_, { remainingMs }) => {
      seen.push(remainingMs)
      return hangs()
    })
    const engine = engineOf([slow])
    const dispatched = watch(engine.run(gate, '', { deadlineMs: 200 }))
    await clock.advance(1_000)
    expect(seen).toEqual([200])
    expect(dispatched.endedMs).toBe(200)
    expect(dispatched.outcome).toMatchObject({ reason: 'hook_error:timed-out' })
  })

  test('F130 not stretched by a caller who would wait longer', async () => {
    const engine = engineOf([hook('slow', hangs, { timeoutMs: 90_000 })])
    const dispatched = watch(engine.run(gate, '', { deadlineMs: 1e9 }))
    await clock.advance(100_000)
    expect(dispatched.endedMs).toBe(60_000)
  })

  test('cut to what is left of the run that asked', async () => {
    const seen: number[] = []
    const judge = hook(
      'judge',
      (_, { remainingMs }) => {
        seen.push(remainingMs)
        return hangs()
      },
      { on: inner },
    )
    const outer = hook(
      'outer',
      async (_, context) => {
        await answersAfter(400)()
        await context.dispatch(inner, '')
        return proceed
      },
      { execution: deadline(1_000) },
    )
    const dispatched = watch(engineOf([judge, outer]).run(gate, ''))
    await clock.advance(5_000)
    expect(seen).toEqual([600])
    expect(dispatched.endedMs).toBe(1_000)
  })
})

describe('F135 hooks share the time of their dispatch', () => {
  const uses = (name: string, ms: number, rest: Partial<Hook> = {}) =>
    hook(name, answersAfter(ms), { timeoutMs: 50_000, ...rest })

  test('each has what those before it left', async () => {
    const left: number[] = []
    const last = hook('c', (_, { remainingMs }) => {
      left.push(remainingMs)
      return proceed
    })
    const hooks = [uses('a', 25_000), uses('b', 20_000), last]
    const dispatched = watch(engineOf(hooks).run(gate, ''))
    await clock.advance(60_000)
    expect(left).toEqual([15_000])
    expect(dispatched).toMatchObject({
      endedMs: 45_000,
      outcome: { type: 'proceed' },
    })
  })

  test('an open hook that hangs leaves the rest to those after it', async () => {
    const slow = hook('a', hangs, { onFailure: 'open', timeoutMs: 59_000 })
    const quick = hook('b', answersAfter(900, reject('In time.')))
    const dispatched = watch(engineOf([slow, quick]).run(gate, ''))
    await clock.advance(100_000)
    expect(dispatched.endedMs).toBe(59_900)
    expect(dispatched.outcome).toMatchObject({ by: 'b', reason: 'In time.' })
  })

  const policies: readonly [string, Hook['onFailure'], object][] = [
    [
      'a closed hook rejects',
      'closed',
      { type: 'reject', by: 'b', reason: 'hook_error:timed-out' },
    ],
    ['an open hook goes on', 'open', { type: 'proceed' }],
    [
      'a required hook is an error',
      'required',
      { code: 'required-failed', hook: 'b' },
    ],
  ]
  test.each(policies)(
    '%s when no time is left for it, and does not run',
    async (_, onFailure, outcome) => {
      let runs = 0
      const slow = hook('a', hangs, { onFailure: 'open', timeoutMs: 90_000 })
      const late = hook('b', () => ++runs, { onFailure: onFailure as never })
      const records: unknown[] = []
      const engine = engineOf([slow, late], {
        records: { end: ({ record }) => void records.push(record) },
      })
      const dispatched = Promise.resolve(engine.run(gate, '')).catch(
        (error) => error,
      )
      await clock.advance(100_000)
      expect(await dispatched).toMatchObject(outcome)
      expect(runs).toBe(0)
      expect(records[1]).toMatchObject({
        hook: 'b',
        state: 'timed_out',
        failure: { code: 'timed-out' },
        policy: onFailure,
        latencyMs: 0,
      })
    },
  )

  test('a caller without any time gets no hook to run', () => {
    let runs = 0
    const engine = engineOf([hook('judge', () => ++runs)])
    for (const deadlineMs of [0, -1]) {
      const outcome = engine.run(gate, '', { deadlineMs })
      expect(outcome).toMatchObject({ reason: 'hook_error:timed-out' })
    }
    expect(runs).toBe(0)
  })
})

describe('an answer counts up to its deadline', () => {
  /** A hook that holds up the event loop: nothing else happens meanwhile. */
  const blocksFor = (ms: number, answer: unknown) => () => {
    let now = clock.now()
    clock.now = () => now
    now += ms
    return answer
  }
  const limit = { execution: deadline(100) }

  test('F010 of a hook that returns exactly then', () => {
    const judge = hook('judge', blocksFor(100, reject('Just in time.')), limit)
    const outcome = engineOf([judge]).run(gate, '')
    expect(outcome).toMatchObject({ reason: 'Just in time.' })
  })

  test.each([
    ['rejects', 'closed', { reason: 'hook_error:timed-out' }],
    ['goes on', 'open', { type: 'proceed' }],
  ] as const)(
    'F010 one that returns afterwards is timed out, and %s if it is %s',
    (_, onFailure, outcome) => {
      const answer = onFailure === 'open' ? reject('Too late.') : proceed
      const judge = hook('judge', blocksFor(100.01, answer), {
        ...limit,
        onFailure,
      })
      const decided = engineOf([judge]).run(gate, '')
      expect(decided).toMatchObject(outcome)
      expect(decided).toMatchObject({
        records: [{ state: 'timed_out', answer: undefined, latencyMs: 100.01 }],
      })
    },
  )

  test('of a promise that settles exactly then', async () => {
    const judge = hook(
      'judge',
      answersAfter(100, reject('Just in time.')),
      limit,
    )
    const dispatched = watch(engineOf([judge]).run(gate, ''))
    await clock.advance(1_000)
    expect(dispatched).toMatchObject({
      endedMs: 100,
      outcome: { reason: 'Just in time.' },
    })
  })

  test('not of one that settles afterwards, even if no timer has fired yet', async () => {
    const { promise, resolve } = Promise.withResolvers()
    const judge = hook('judge', () => promise, limit)
    const dispatched = watch(engineOf([judge]).run(gate, ''))
    let now = 101
    clock.now = () => now++
    resolve(proceed)
    await clock.settle()
    expect(dispatched.outcome).toMatchObject({ reason: 'hook_error:timed-out' })
  })

  test('F010 a hook that throws after its deadline is a failure all the same', () => {
    const throws = () => {
      blocksFor(200, proceed)()
      throw new Error('late')
    }
    const outcome = engineOf([hook('judge', throws, limit)]).run(gate, '')
    expect(outcome).toMatchObject({ type: 'reject', by: 'judge' })
  })
})

describe('a timer that fires too early ends nothing', () => {
  test('a limit beyond what a timer can hold is kept', async () => {
    const longest = 2_147_483_647
    const capped: Clock = {
      ...clock,
      now: () => clock.now(),
      after: (ms, callback) => clock.after(Math.min(ms, longest), callback),
    }
    const limitMs = longest + 5_000
    const slow = hook('slow', hangs, { timeoutMs: limitMs })
    const engine = engineOf([slow], { clock: capped, dispatchMs: limitMs * 2 })
    const dispatched = watch(engine.run(gate, ''))
    await clock.advance(longest + 4_999)
    expect(dispatched.endedMs).toBeUndefined()
    await clock.advance(1)
    expect(dispatched.endedMs).toBe(limitMs)
  })

  test('one timer serves all deadlines, the nearest first', async () => {
    const limits = [300, 100, 200]
    const hooks = limits.map((ms) =>
      hook(`limit-${ms}`, hangs, {
        timeoutMs: ms,
        match: (on) => on === `${ms}`,
      }),
    )
    const engine = engineOf(hooks)
    const seen = limits.map((ms) => watch(engine.run(gate, `${ms}`)))
    expect(clock.pending).toBe(1)
    await clock.advance(1_000)
    expect(seen.map(({ endedMs }) => endedMs)).toEqual(limits)
    expect(clock.pending).toBe(0)
  })

  test('a dispatch that ends leaves the deadlines of others in place', async () => {
    const slow = hook('slow', (input) =>
      input === 'quick' ? answersAfter(10)() : hangs(),
    )
    const engine = engineOf([slow])
    const first = watch(engine.run(gate, 'hangs'))
    const second = watch(engine.run(gate, 'quick'))
    const third = watch(engine.run(gate, 'hangs', { deadlineMs: 50 }))
    await clock.advance(40_000)
    expect([first, second, third].map(({ endedMs }) => endedMs)).toEqual([
      30_000, 10, 50,
    ])
  })
})
