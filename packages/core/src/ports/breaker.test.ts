import { beforeEach, describe, expect, test } from 'vitest'
import { createEngine, type EngineOptions } from '../create-engine.ts'
import { reject } from '../define/answers.ts'
import { definePoint, type } from '../define/define-point.ts'
import {
  type EngineEvent,
  type Hook,
  type HookError,
  type Outcome,
  proceed,
} from '../engine/index.ts'
import { compileTable } from '../table/compile-table.ts'
import { createFakeClock, type FakeClock } from '../testing/index.ts'

const gate = definePoint('test.gate', {
  input: type<string>(),
  answers: ['reject', 'transform'],
})

let clock: FakeClock
let events: EngineEvent[]
let runs: number
/** What the hook under test does when it is run. */
let behave: (input: string) => unknown

const breaks = () => {
  throw new Error('boom')
}

beforeEach(() => {
  clock = createFakeClock()
  events = []
  runs = 0
  behave = breaks
})

function shaky(rest: Partial<Hook> = {}): Hook {
  const run = (input: string) => {
    runs++
    return behave(input)
  }
  return { name: 'shaky', on: gate, ...rest, run: run as never }
}

function engineOf(hooks: readonly Hook[], options: EngineOptions = {}) {
  const engine = createEngine(compileTable(hooks), { clock, ...options })
  engine.observe((event) => void events.push(event))
  return engine
}

type Engine = ReturnType<typeof engineOf>

async function ask(
  engine: Engine,
  input = '',
): Promise<Outcome<typeof gate> | HookError> {
  try {
    return await engine.run(gate, input)
  } catch (error) {
    return error as HookError
  }
}

async function askTimes(engine: Engine, times: number) {
  for (let time = 0; time < times; time++) await ask(engine)
}

const alarms = () => events.filter(({ type }) => type === 'alarm')
const quarantined = [{ type: 'alarm', code: 'quarantined', about: 'shaky' }]

describe('F026 five failures in a row put a hook into quarantine', () => {
  test('four do not', async () => {
    const engine = engineOf([shaky()])
    await askTimes(engine, 5)
    expect(runs).toBe(5)
    expect(alarms()).toHaveLength(1)
    expect(alarms()).toEqual(quarantined)
  })

  test('and raise one alarm, with the fifth', async () => {
    const engine = engineOf([shaky()])
    await askTimes(engine, 4)
    expect(alarms()).toEqual([])
    await askTimes(engine, 20)
    expect(alarms()).toEqual(quarantined)
    expect(runs).toBe(5)
  })

  const failures: readonly [string, () => unknown, Partial<Hook>][] = [
    ['a throw', breaks, {}],
    ['a rejected promise', async () => breaks(), {}],
    ['an invalid answer', () => null, {}],
    ['an answer it may not give', () => ({ type: 'transform', value: '' }), {}],
    ['a matcher that throws', () => proceed, { match: breaks }],
  ]
  test.each(failures)('%s is such a failure', async (_, failure, rest) => {
    behave = failure
    const engine = engineOf([shaky(rest)])
    await askTimes(engine, 5)
    expect(alarms()).toEqual(quarantined)
  })

  test('a timeout is such a failure', async () => {
    behave = () => new Promise(() => {})
    const engine = engineOf([shaky({ timeoutMs: 10 })])
    for (let time = 0; time < 5; time++) {
      const asked = ask(engine)
      await clock.advance(10)
      await asked
    }
    expect(alarms()).toEqual(quarantined)
  })

  test('a success in between starts the count again', async () => {
    const engine = engineOf([shaky()])
    await askTimes(engine, 4)
    behave = () => proceed
    await ask(engine)
    behave = breaks
    await askTimes(engine, 4)
    expect(runs).toBe(9)
    expect(alarms()).toEqual([])
    await ask(engine)
    expect(alarms()).toEqual(quarantined)
  })

  test('a reject is a success', async () => {
    behave = () => reject('No.')
    const engine = engineOf([shaky()])
    await askTimes(engine, 10)
    expect(runs).toBe(10)
  })

  test('each run has its own outcome until then', async () => {
    behave = (input) => (input === 'bad' ? breaks() : proceed)
    const engine = engineOf([shaky()])
    const outcomes = []
    for (const input of ['bad', 'good', 'bad', 'good']) {
      outcomes.push(Object(await ask(engine, input)).type)
    }
    expect(outcomes).toEqual(['reject', 'proceed', 'reject', 'proceed'])
  })

  test('other hooks of the table are not concerned', async () => {
    const other: Hook = { name: 'other', on: gate, run: () => reject('Other.') }
    const engine = engineOf([shaky({ onFailure: 'open', priority: 1 }), other])
    await askTimes(engine, 7)
    expect(await ask(engine)).toMatchObject({ by: 'other', reason: 'Other.' })
  })

  test('how many, and for how long, an engine can be told', async () => {
    const engine = engineOf([shaky()], { breakerFailures: 2, breakerMs: 100 })
    await askTimes(engine, 5)
    expect(runs).toBe(2)
    await clock.advance(100)
    await ask(engine)
    expect(runs).toBe(3)
  })
})

describe('F026 a hook in quarantine is not run', () => {
  const policies: readonly [string, unknown, object, boolean][] = [
    [
      'denies at once if it is closed',
      'closed',
      { type: 'reject', by: 'shaky', reason: 'hook_error:quarantined' },
      false,
    ],
    [
      'is passed over if it is open',
      'open',
      { type: 'proceed', value: '', writers: [] },
      true,
    ],
    [
      'is an error if it is required',
      'required',
      {
        code: 'required-failed',
        hook: 'shaky',
        cause: { code: 'quarantined' },
      },
      false,
    ],
    [
      'leaves its fallback',
      { fallback: { value: 'instead' } },
      { type: 'proceed', value: 'instead', writers: ['shaky'] },
      true,
    ],
  ]
  test.each(policies)('and %s', async (_, onFailure, outcome, goesOn) => {
    const records: unknown[] = []
    const writes = typeof onFailure === 'object'
    const hook = shaky({ onFailure: onFailure as never, writes })
    const engine = engineOf([hook], {
      records: { end: ({ record }) => void records.push(record) },
    })
    await askTimes(engine, 5)
    expect(await ask(engine)).toMatchObject(outcome)
    expect(runs).toBe(5)
    expect(records[5]).toMatchObject({
      state: 'skipped',
      failure: { code: 'quarantined' },
      policy: writes ? 'fallback' : onFailure,
      failedOpen: goesOn,
      decided: !goesOn,
    })
    expect(engine.counts().get('shaky')).toMatchObject({
      failures: 6,
      failedOpen: goesOn ? 6 : 0,
    })
  })
})

describe('F026 after 60 s', () => {
  async function quarantine(rest: Partial<Hook> = {}) {
    const engine = engineOf([shaky(rest)])
    await askTimes(engine, 5)
    events.length = 0
    runs = 0
    return engine
  }

  test('and not before, one run may try again', async () => {
    const engine = await quarantine()
    await clock.advance(59_999)
    await ask(engine)
    expect(runs).toBe(0)
    await clock.advance(1)
    await ask(engine)
    expect(runs).toBe(1)
  })

  test('exactly one tries while the others still wait', async () => {
    const engine = await quarantine()
    const trial = Promise.withResolvers()
    behave = () => trial.promise
    await clock.advance(60_000)
    const first = ask(engine)
    const others = await Promise.all([ask(engine), ask(engine)])
    expect(runs).toBe(1)
    const reason = 'hook_error:quarantined'
    expect(others).toMatchObject([{ reason }, { reason }])
    trial.resolve(proceed)
    expect(await first).toMatchObject({ type: 'proceed' })
  })

  test('a success heals it', async () => {
    const engine = await quarantine()
    behave = () => proceed
    await clock.advance(60_000)
    await askTimes(engine, 3)
    expect(runs).toBe(3)
    behave = breaks
    await askTimes(engine, 4)
    expect(runs).toBe(7)
    expect(alarms()).toEqual([])
  })

  test('a failure puts it back for another 60 s', async () => {
    const engine = await quarantine()
    await clock.advance(60_000)
    await askTimes(engine, 3)
    expect(runs).toBe(1)
    await clock.advance(59_999)
    await ask(engine)
    expect(runs).toBe(1)
    await clock.advance(1)
    await ask(engine)
    expect(runs).toBe(2)
  })

  test('a trial that its caller gave up on is followed by another', async () => {
    const engine = await quarantine()
    behave = () => new Promise(() => {})
    const caller = new AbortController()
    await clock.advance(60_000)
    const trial = engine.run(gate, '', { signal: caller.signal })
    caller.abort()
    await expect(trial).rejects.toMatchObject({ code: 'cancelled' })
    behave = () => proceed
    expect(await ask(engine)).toMatchObject({
      reason: 'hook_error:quarantined',
    })
    await clock.advance(60_000)
    expect(await ask(engine)).toMatchObject({ type: 'proceed' })
  })
})

describe('what is no failure of the hook does not count', () => {
  test('a caller who gives up', async () => {
    behave = () => new Promise(() => {})
    const engine = engineOf([shaky()])
    for (let time = 0; time < 6; time++) {
      const caller = new AbortController()
      const asked = engine.run(gate, '', { signal: caller.signal })
      caller.abort()
      await expect(asked).rejects.toMatchObject({ code: 'cancelled' })
    }
    expect(runs).toBe(6)
    expect(alarms()).toEqual([])
  })

  test('a need that was not met', async () => {
    behave = () => proceed
    let isThere = false
    const base: Hook = {
      name: 'base',
      on: gate,
      match: () => isThere,
      run: () => proceed,
    }
    const engine = engineOf([base, shaky({ needs: ['base'] })])
    await askTimes(engine, 6)
    isThere = true
    expect(await ask(engine)).toMatchObject({ type: 'proceed' })
    expect([runs, alarms()]).toEqual([1, []])
  })

  test('an input that it does not match', async () => {
    const engine = engineOf([shaky({ match: () => false })])
    await askTimes(engine, 6)
    expect(alarms()).toEqual([])
  })
})

describe('a new table', () => {
  test('starts with a clean slate, also for a hook that stays', async () => {
    const hook = shaky()
    const engine = engineOf([hook])
    await askTimes(engine, 6)
    expect(runs).toBe(5)
    engine.swap(compileTable([hook]))
    await askTimes(engine, 5)
    expect(runs).toBe(10)
  })

  test('forgets the failures that did not yet make a quarantine', async () => {
    const hook = shaky()
    const engine = engineOf([hook])
    await askTimes(engine, 4)
    engine.swap(compileTable([hook]))
    await askTimes(engine, 4)
    expect(alarms()).toEqual([])
  })
})

test('a hook in evaluate mode is quarantined too, and changes nothing', async () => {
  const engine = engineOf([shaky({ mode: 'evaluate' })])
  await askTimes(engine, 6)
  expect(runs).toBe(5)
  expect(await ask(engine)).toMatchObject({ type: 'proceed' })
})
