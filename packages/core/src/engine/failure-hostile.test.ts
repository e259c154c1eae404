// What hostile or careless hooks have got past the engine with, once.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createEngine, type EngineOptions } from '../create-engine.ts'
import { reject, transform } from '../define/answers.ts'
import { deadline } from '../define/define-hook.ts'
import { defineKind } from '../define/define-kind.ts'
import { definePoint, type } from '../define/define-point.ts'
import { cleanText } from '../judge/clean-text.ts'
import { sealData } from '../judge/seal-data.ts'
import { compileTable } from '../table/compile-table.ts'
import { createFakeClock, type FakeClock } from '../testing/index.ts'
import {
  type EngineEvent,
  type Hook,
  type HookContext,
  HookError,
  type HookRecord,
  type PointShape,
  proceed,
} from './index.ts'

const note = defineKind<unknown>()('note')
const gate = definePoint('test.gate', {
  input: type<string>(),
  answers: ['transform', 'reject'],
  contributes: [note],
})

type Run = (input: string, context: HookContext<PointShape>) => unknown

let clock: FakeClock
let events: EngineEvent[]
let records: HookRecord[]
let unhandled: unknown[]
const onUnhandled = (reason: unknown) => unhandled.push(reason)

beforeEach(() => {
  clock = createFakeClock()
  events = []
  records = []
  unhandled = []
  process.on('unhandledRejection', onUnhandled)
})

afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})

function hook(run: Run, rest: Partial<Hook> = {}): Hook {
  return { name: 'odd', on: gate, ...rest, run: run as never }
}

function engineOf(hooks: readonly Hook[], options: EngineOptions = {}) {
  const engine = createEngine(compileTable(hooks), {
    clock,
    records: { end: ({ record }) => void records.push(record) },
    ...options,
  })
  engine.observe((event) => void events.push(event))
  return engine
}

/** What a dispatch came to by the time its hooks have long been due. */
async function outcomeOf(hooks: readonly Hook[]): Promise<unknown> {
  const dispatched = (async () => engineOf(hooks).run(gate, 'input'))()
  const settled = dispatched.catch((error: unknown) => error)
  await clock.advance(100_000)
  return Promise.race([settled, clock.settle().then(() => 'no outcome')])
}

const alarms = () => events.filter(({ type }) => type === 'alarm')

const throws = (thrown: unknown) => () => {
  // oxlint-disable-next-line typescript/only-throw-error -- that is the fault
  throw thrown
}

describe('F003 a hook that throws what bites when it is asked what it is', () => {
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  }
  const things: readonly [string, () => unknown][] = [
    ['a revoked proxy', revoked],
    [
      'a proxy without a prototype to look at',
      () => new Proxy({}, { getPrototypeOf: throws(new Error('trap')) }),
    ],
    [
      'an error of ours whose code throws',
      () =>
        new Proxy(new HookError('cancelled', ''), {
          get: throws(new Error('trap')),
        }),
    ],
    [
      'an error whose name bites at the second look',
      () => {
        let looks = 0
        const show = () => (looks++ === 0 ? 'Fine' : throws('bite')())
        return Object.assign(new Error('x'), { name: { toString: show } })
      },
    ],
  ]
  test.each(things)('%s fails closed, thrown at once', async (_, thing) => {
    const outcome = await outcomeOf([hook(throws(thing()))])
    expect(outcome).toMatchObject({ reason: 'hook_error:threw' })
  })

  test.each(things)(
    '%s fails closed, thrown in a promise',
    async (_, thing) => {
      const outcome = await outcomeOf([hook(async () => throws(thing())())])
      expect(outcome).toMatchObject({ reason: 'hook_error:threw' })
    },
  )

  test.each(things)(
    '%s fails closed, thrown by a matcher',
    async (_, thing) => {
      const match = throws(thing())
      const outcome = await outcomeOf([hook(() => proceed, { match })])
      expect(outcome).toMatchObject({ reason: 'hook_error:matcher-threw' })
    },
  )
})

test('a failure is said in our own words: the name of an error is not ours', async () => {
  const named = Object.assign(new Error('x'), { name: 'sk_live_hunter2' })
  await outcomeOf([hook(throws(named))])
  expect(records[0]?.failure?.message).not.toContain('hunter2')
})

describe('an explicit reject rejects, whatever the policy', () => {
  test.each([
    ['null', null],
    ['a number', 42],
    ['an error', new Error('No.')],
    ['a list', ['No.']],
  ])('F031 when its reason is %s', async (_, reason) => {
    const answer = { type: 'reject', reason }
    const outcome = await outcomeOf([hook(() => answer, { onFailure: 'open' })])
    expect(outcome).toMatchObject({ type: 'reject', by: 'odd' })
  })

  test('when the hook also contributed what it may not', async () => {
    const run: Run = (_, context) => {
      try {
        context.contribute(note('x'))
      } catch {
        // It hides what it did: that is the fault.
      }
      return reject('No.')
    }
    const outcome = await outcomeOf([hook(run, { onFailure: 'open' })])
    expect(outcome).toMatchObject({ type: 'reject', by: 'odd' })
  })
})

describe('what a hook contributes and may not', () => {
  test('fails it by its own code, when the hook lets the refusal pass', async () => {
    const run: Run = (_, context) => {
      context.contribute(note('x'))
      return proceed
    }
    const outcome = await outcomeOf([hook(run)])
    expect(outcome).toMatchObject({ reason: 'hook_error:missing-capability' })
  })

  test('fails it also when it cannot be read and the hook hides that', async () => {
    const biting = Object.defineProperty({ kind: 'note' }, 'value', {
      get: throws(new Error('x')),
    })
    const run: Run = (_, context) => {
      try {
        context.contribute(biting as never)
      } catch {
        // It hides what it did: that is the fault.
      }
      return proceed
    }
    const outcome = await outcomeOf([hook(run, { capabilities: ['note'] })])
    expect(outcome).toMatchObject({ type: 'reject', by: 'odd' })
  })
})

describe('what is no answer is never read as one', () => {
  const inherits = Object.assign(Object.create(Array.prototype), proceed)
  test.each([
    ['F028 an array with a type', Object.assign([], proceed)],
    ['F025 an object that inherits from arrays', inherits],
    ['F029 a type that is a list', { type: ['reject'], reason: 'No.' }],
  ])('%s', async (_, answer) => {
    const outcome = await outcomeOf([hook(() => answer)])
    expect(outcome).toMatchObject({ reason: 'hook_error:invalid-answer' })
  })

  test('F033 a type that only the prototype of all objects has', async () => {
    const own = { configurable: true, value: 'proceed' }
    Object.defineProperty(Object.prototype, 'type', own)
    let outcome: unknown
    try {
      outcome = await outcomeOf([hook(() => ({}))])
    } finally {
      Reflect.deleteProperty(Object.prototype, 'type')
    }
    expect(outcome).toMatchObject({ reason: 'hook_error:invalid-answer' })
  })
})

describe('F035 what JSON cannot say is not data', () => {
  const limits = { depth: 64, keys: 10_000, chars: 1_000 }

  test('an array whose hole is made up for by a property', () => {
    const list = Object.assign(Array(1), { extra: 1 })
    expect(sealData(list, limits).problem).toBe('not-data')
  })

  test('a property that is not enumerable', () => {
    const hidden = Object.defineProperty({}, 'command', { value: 'rm' })
    expect(sealData(hidden, limits).problem).toBe('not-data')
  })

  test('an object that inherits from arrays', () => {
    const inherits = Object.create(Array.prototype)
    expect(sealData(inherits, limits).problem).toBe('not-data')
  })

  test('T19 a proxy that shows its keys only after the check', () => {
    const target = { args: { command: 'ls' } }
    let looks = 0
    const ownKeys = () => (looks++ === 0 ? [] : Reflect.ownKeys(target))
    const sealed = sealData(new Proxy(target, { ownKeys }), limits)
    expect(sealed).toEqual({ value: {} })
  })

  test('T19 a transform by way of a proxy reads the same to everyone', async () => {
    let reads = 0
    const get = (_: object, key: string) =>
      key === 'command' ? ['ls', 'rm'][reads++] : undefined
    const proxy = new Proxy({}, { get })
    const seen: unknown[] = []
    const point = definePoint('test.call', {
      input: type<{ readonly command?: string }>(),
      answers: ['transform', 'reject'],
    })
    const guard = (name: string): Hook => ({
      name,
      on: point,
      run: ({ command }) => {
        seen.push(command)
        return proceed
      },
    })
    const writer = { on: point, writes: true, priority: 1 }
    const hooks = [hook(() => transform(proxy), writer), guard('a'), guard('b')]
    await engineOf(hooks).run(point, {})
    expect(seen[0]).toBe(seen[1])
  })
})

describe('T25 what a hook says', () => {
  test('is never cut inside a character', () => {
    expect(cleanText(`${'x'.repeat(4)}😀😀`, 5)).toBe('xxxx…')
  })

  test('has no mark of direction, the Arabic one included', () => {
    expect(cleanText('a\u061cb', 10)).toBe('ab')
  })
})

describe('F026 quarantine', () => {
  test('raises one alarm, however many runs were under way', async () => {
    const boom = Promise.withResolvers<never>()
    const engine = engineOf([hook(() => boom.promise, { onFailure: 'open' })])
    const asked = Array.from({ length: 8 }, () => engine.run(gate, ''))
    boom.reject(new Error('boom'))
    await Promise.all(asked.map(async (one) => one))
    expect(alarms()).toHaveLength(1)
  })

  test('still asks a matcher that throws, for only it knows what is not for the hook', () => {
    let matched = 0
    const match = () => {
      matched++
      throw new Error('boom')
    }
    const engine = engineOf([hook(() => proceed, { match })])
    for (let time = 0; time < 8; time++) void engine.run(gate, '')
    expect(matched).toBe(8)
    expect(alarms()).toHaveLength(1)
  })

  test('is not for a hook that was never run, as its caller had no time', () => {
    const engine = engineOf([hook(() => proceed)])
    for (let time = 0; time < 5; time++) {
      void engine.run(gate, '', { deadlineMs: 0 })
    }
    expect(engine.run(gate, '')).toMatchObject({ type: 'proceed' })
  })
})

test('F004 the signal of a hook whose answer came too late is aborted, although no timer fired', async () => {
  const signals: AbortSignal[] = []
  const run: Run = (_, { signal }) => {
    signals.push(signal)
    clock.now = () => 200
    return proceed
  }
  const engine = engineOf([hook(run, { execution: deadline(100) })])
  expect(engine.run(gate, '')).toMatchObject({ reason: 'hook_error:timed-out' })
  expect(signals[0]?.aborted).toBe(true)
})

test('what a hook asked and did not wait for ends with its run', async () => {
  const inner = definePoint('test.inner', { input: type<string>() })
  const hangs = hook(() => new Promise(() => {}), { name: 'inner', on: inner })
  const run: Run = (_, context) => {
    void Promise.resolve(context.dispatch(inner, '')).catch(() => {})
    return proceed
  }
  await engineOf([hook(run), hangs]).run(gate, '')
  const ended = records.map(({ hook, state }) => [hook, state])
  expect(ended).toContainEqual(['inner', 'cancelled'])
})

test('F131 a caller who gives up because a hook was told to stop ends the dispatch once', async () => {
  const caller = new AbortController()
  const run: Run = (_, { signal }) => {
    signal.addEventListener('abort', () => caller.abort())
    return new Promise(() => {})
  }
  const engine = engineOf([hook(run)])
  const dispatched = Promise.resolve(
    engine.run(gate, '', { signal: caller.signal }),
  )
  const settled = dispatched.catch((error: unknown) => error)
  await clock.advance(30_000)
  await settled
  expect(records).toHaveLength(1)
  const ends = events.filter(({ type }) => type === 'dispatch-end')
  expect(ends).toHaveLength(1)
})
