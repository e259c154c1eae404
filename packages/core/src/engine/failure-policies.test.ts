import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createEngine } from '../create-engine.ts'
import { endTurn, respond, transform } from '../define/answers.ts'
import { defineKind } from '../define/define-kind.ts'
import { definePoint, type } from '../define/define-point.ts'
import { compileTable } from '../table/compile-table.ts'
import {
  createFakeClock,
  type FakeClock,
  scriptedHook,
} from '../testing/index.ts'
import {
  type Contribution,
  type FailureCode,
  type Hook,
  HookError,
  type HookRecord,
  proceed,
} from './index.ts'

const secret = 'hunter2hunter2'
const input = { text: secret }
const note = defineKind<string>()('note')
const other = defineKind<string>()('other')
const gate = definePoint('test.gate', {
  input: type<{ text: string }>(),
  output: type<string>(),
  answers: ['transform', 'reject', 'respond'],
  contributes: [note],
  rights: { respond: 'approve' },
})

/** One way to give no valid answer: a hook that does it, and what it is. */
interface Fault {
  readonly run?: (...asked: Parameters<Hook['run']>) => unknown
  readonly declares?: Partial<Hook>
  readonly beside?: readonly Hook[]
  readonly code: FailureCode
  readonly state?: HookRecord['state']
  readonly ran?: boolean
}

let clock: FakeClock
let unhandled: unknown[]
const onUnhandled = (reason: unknown) => unhandled.push(reason)

beforeEach(() => {
  clock = createFakeClock()
  unhandled = []
  process.on('unhandledRejection', onUnhandled)
})

afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})

function throws(thrown: unknown): () => never {
  return () => {
    // oxlint-disable-next-line typescript/only-throw-error -- that is the fault
    throw thrown
  }
}

type Settle = (value: unknown) => void

function thenable(then: (yes: Settle, no: Settle) => void): object {
  return { then }
}

const failing = thenable((_, no) => no(secret))

async function attempt(fault: Fault, onFailure: unknown) {
  let runs = 0
  const faulty = {
    name: 'faulty',
    on: gate,
    priority: 50,
    writes: true,
    capabilities: ['note'],
    ...fault.declares,
    onFailure,
    run(...asked: Parameters<Hook['run']>) {
      runs++
      return fault.run?.(...asked)
    },
  } as Hook
  const follower = scriptedHook({
    name: 'follower',
    on: gate,
    answers: [proceed],
  })
  const records: HookRecord[] = []
  const hooks = [...(fault.beside ?? []), faulty, follower]
  const engine = createEngine(compileTable(hooks), {
    clock,
    records: { end: ({ record }) => void records.push(record) },
  })
  const dispatched = (async () => engine.run(gate, input))()
  const settled = dispatched.catch((error: unknown) => error as HookError)
  await clock.advance(100_000)
  return {
    outcome: await settled,
    seen: follower.seen,
    counts: engine.counts().get('faulty'),
    records,
    runs,
  }
}

type Attempt = Awaited<ReturnType<typeof attempt>>

/** What every failure leaves behind, whatever its policy made of it. */
function expectRecord(
  { records, counts, runs }: Attempt,
  { code, state = 'failed', ran = true }: Fault,
  policy: string,
) {
  const goesOn = policy === 'open' || policy === 'fallback'
  const failed = records.filter(({ hook }) => hook === 'faulty')
  expect(failed).toHaveLength(1)
  expect(failed[0]).toMatchObject({
    state,
    answer: undefined,
    note: undefined,
    failure: { code },
    policy,
    failedOpen: goesOn,
    decided: !goesOn,
  })
  expect(counts).toMatchObject({ failures: 1, failedOpen: goesOn ? 1 : 0 })
  expect(runs).toBe(ran ? 1 : 0)
  expect(JSON.stringify(records)).not.toContain(secret)
  const followers = records.filter(({ hook }) => hook === 'follower')
  expect(followers).toMatchObject([
    goesOn
      ? { state: 'completed', note: undefined }
      : { state: 'skipped', note: 'chain-ended' },
  ])
}

function underEveryPolicy(name: string, fault: Fault) {
  describe(name, () => {
    test('rejects when its policy is closed', async () => {
      const result = await attempt(fault, 'closed')
      const { outcome, seen } = result
      const reason = `hook_error:${fault.code}`
      expect(outcome).toMatchObject({ type: 'reject', by: 'faulty', reason })
      expect(outcome).toMatchObject({ failure: { code: fault.code } })
      expect(outcome).toMatchObject({ value: input, writers: [] })
      expect(Object(outcome).failure.message).not.toContain(secret)
      expect(seen).toEqual([])
      expectRecord(result, fault, 'closed')
    })

    test('goes on with the value so far when its policy is open', async () => {
      const result = await attempt(fault, 'open')
      const { outcome, seen } = result
      expect(outcome).toMatchObject({ type: 'proceed', value: input })
      expect(outcome).toMatchObject({ writers: [], contributions: { all: [] } })
      expect(seen).toEqual([input])
      expectRecord(result, fault, 'open')
    })

    test('goes on with its contributions when its fallback has some', async () => {
      const contributions = [note('instead')]
      const result = await attempt(fault, { fallback: { contributions } })
      const { outcome, seen } = result
      const all = [{ by: 'faulty', kind: 'note', value: 'instead' }]
      expect(outcome).toMatchObject({ type: 'proceed', value: input })
      expect(outcome).toMatchObject({ writers: [], contributions: { all } })
      expect(seen).toEqual([input])
      expectRecord(result, fault, 'fallback')
    })

    test('is an error to the caller when it is required', async () => {
      const result = await attempt(fault, 'required')
      const { outcome, seen } = result
      expect(outcome).toBeInstanceOf(HookError)
      expect(outcome).toMatchObject({
        code: 'required-failed',
        hook: 'faulty',
        cause: { code: fault.code },
      })
      expect((outcome as HookError).message).not.toContain(secret)
      expect(seen).toEqual([])
      expectRecord(result, fault, 'required')
    })

    // A fallback value is a write, which is what one fault did not declare.
    if (fault.declares?.writes === false) return
    test('goes on with its fallback value', async () => {
      const value = { text: 'instead' }
      const result = await attempt(fault, { fallback: { value } })
      const { outcome, seen } = result
      expect(outcome).toMatchObject({ type: 'proceed', value })
      expect(outcome).toMatchObject({ writers: ['faulty'] })
      expect(outcome).toMatchObject({ contributions: { all: [] } })
      expect(seen).toEqual([value])
      expectRecord(result, fault, 'fallback')
    })
  })
}

describe('F001 a hook that throws an error at once', () => {
  const run = throws(new TypeError(secret))
  underEveryPolicy('before any await', { run, code: 'threw' })
})

describe('F002 a hook whose promise rejects', () => {
  const run = async () => throws(new Error(secret))()
  underEveryPolicy('at once', { run, code: 'threw' })
  const later = async () => {
    await Promise.resolve()
    throw new Error(secret)
  }
  underEveryPolicy('after a while', { run: later, code: 'threw' })
})

describe('F003 a hook that throws what is no error, or bites', () => {
  const biting = (key: string) =>
    Object.defineProperty(new Error(secret), key, { get: throws(secret) })
  const bitingText = Object.assign(new Error(secret), {
    name: { toString: throws(secret) },
  })
  const things: readonly [string, unknown][] = [
    ['null', null],
    ['undefined', undefined],
    ['a string', secret],
    ['a symbol', Symbol(secret)],
    ['a number', Number.NaN],
    ['an object without a prototype', Object.create(null)],
    ['an error whose message throws', biting('message')],
    ['an error whose name throws', biting('name')],
    ['an error whose stack throws', biting('stack')],
    ['an error whose name cannot be text', bitingText],
    ['an object whose toString throws', { toString: throws(secret) }],
  ]
  for (const [name, thing] of things) {
    underEveryPolicy(`${name}, at once`, { run: throws(thing), code: 'threw' })
    const run = async () => throws(thing)()
    underEveryPolicy(`${name}, in a promise`, { run, code: 'threw' })
  }
})

describe('F004 F005 F006 a hook that does not settle in time', () => {
  const late = { code: 'timed-out', state: 'timed_out' } as const
  const after = (ms: number, settle: () => unknown) => () =>
    new Promise((resolve) => clock.after(ms, () => resolve(null))).then(settle)
  underEveryPolicy('never', { ...late, run: () => new Promise(() => {}) })
  const answers = after(40_000, () => transform({ text: 'late' }))
  underEveryPolicy('answers late', { ...late, run: answers })
  const throwsLate = after(40_000, throws(new Error(secret)))
  underEveryPolicy('rejects its promise late', { ...late, run: throwsLate })
  const forgets = { ...late, run: () => thenable(() => {}) }
  underEveryPolicy('a thenable that never calls back', forgets)
})

describe('F007 a hook that returns a broken thenable', () => {
  const bites = { get: throws(new Error(secret)) }
  const things: readonly [string, unknown][] = [
    ['whose then cannot be read', Object.defineProperty({}, 'then', bites)],
    ['whose then throws', thenable(throws(new Error(secret)))],
    ['that rejects', thenable((_, no) => no(secret))],
    ['that gives one that rejects', thenable((yes) => yes(failing))],
    ['that only inherits from Promise', Object.create(Promise.prototype)],
  ]
  for (const [name, thing] of things) {
    underEveryPolicy(name, { run: () => thing, code: 'threw' })
  }
})

describe('F025 F027 F028 F029 a hook whose answer is none', () => {
  class Verdict {
    readonly type = 'proceed'
  }
  const getter = { get: throws(new Error(secret)) }
  const reject = (key: string) =>
    Object.defineProperty({ type: 'reject' }, key, getter)
  const answers: readonly [string, unknown][] = [
    ['undefined', undefined],
    ['null', null],
    ['true', true],
    ['a number', 42],
    ['a bare word', 'proceed'],
    ['an array', []],
    ['an empty object', {}],
    ['an unknown type', { type: secret }],
    ['another spelling', { type: 'Proceed' }],
    ['one letter off', { type: 'proceeed' }],
    ['a type with a blank', { type: 'proceed ' }],
    ['the name of an inherited member', { type: 'toString' }],
    ['a type that is a number', { type: 0 }],
    ['an instance of a class', new Verdict()],
    ['an object that inherits its type', Object.create({ type: 'proceed' })],
    ['an error', new Error(secret)],
    ['a date', new Date(0)],
    ['a map', new Map([['type', 'proceed']])],
    ['an async iterator', (async function* () {})()],
    ['a stream', new ReadableStream()],
    ['a function', () => proceed],
    ['a type that cannot be read', reject('type')],
    ['a reason that cannot be read', reject('reason')],
  ]
  for (const [name, answer] of answers) {
    const fault = { code: 'invalid-answer' } as const
    underEveryPolicy(name, { ...fault, run: () => answer })
    const run = async () => answer
    underEveryPolicy(`${name}, in a promise`, { ...fault, run })
  }
  const callable = Object.assign(() => proceed, failing)
  const fault = { code: 'invalid-answer', run: () => callable } as const
  underEveryPolicy('a function with a then', fault)
})

describe('F047 a hook that answers what it may not', () => {
  const changed = transform({ text: 'changed' })
  const notAllowed = { code: 'answer-not-allowed' } as const
  const silent = { writes: false }
  underEveryPolicy('a transform without having declared writes', {
    ...notAllowed,
    declares: silent,
    run: () => changed,
  })
  const ends = () => endTurn(secret)
  underEveryPolicy('an end of the turn', { ...notAllowed, run: ends })
  const endsLater = async () => endTurn(secret)
  underEveryPolicy('that in a promise', { ...notAllowed, run: endsLater })
  underEveryPolicy('a response without the right to approve', {
    code: 'missing-capability',
    run: () => respond(secret),
  })
})

describe('a hook that contributes what it may not', () => {
  // Caught by the hook itself, which then answers as if nothing had happened.
  const hides =
    (contribution: Contribution) =>
    (_: unknown, context: Parameters<Hook['run']>[1]) => {
      try {
        context.contribute(contribution)
      } catch {}
      return proceed
    }
  const bare = { capabilities: ['approve'] }
  underEveryPolicy('a kind that the point does not take', {
    code: 'contribution-not-allowed',
    run: hides(other(secret)),
  })
  underEveryPolicy('what is not data', {
    code: 'contribution-not-allowed',
    run: hides(note(new Date() as never)),
  })
  // Its fallback contributions would not compile.
  test('a kind without that capability fails it, even if it hides the refusal', async () => {
    const run = hides(note(secret))
    const fault = { code: 'missing-capability', declares: bare, run } as const
    const { outcome, records } = await attempt(fault, 'closed')
    expect(outcome).toMatchObject({ reason: 'hook_error:missing-capability' })
    expect(JSON.stringify(records)).not.toContain(secret)
  })
})

describe('a hook whose matcher throws', () => {
  const fault = { code: 'matcher-threw', ran: false } as const
  const match = throws(new Error(secret))
  underEveryPolicy('an error', { ...fault, declares: { match } })
  const nothing = { match: throws(undefined) }
  underEveryPolicy('nothing at all', { ...fault, declares: nothing })
})

describe('F111 a hook that needs one that', () => {
  const needed = (rest: Partial<Hook>): Hook => ({
    name: 'needed',
    on: gate,
    priority: 1,
    beforeWrites: true,
    onFailure: 'open',
    run: () => proceed,
    ...rest,
  })
  const skipped = needed({ needs: ['base'] })
  const base = needed({ name: 'base', run: throws(new Error(secret)) })
  const cases: readonly [string, readonly Hook[]][] = [
    ['failed', [needed({ run: throws(new Error(secret)) })]],
    ['gave an invalid answer', [needed({ run: () => null as never })]],
    ['timed out', [needed({ run: () => new Promise(() => {}) })]],
    ['did not match', [needed({ match: () => false })]],
    ['was skipped', [base, skipped]],
  ]
  const fault = { code: 'needs-failed', state: 'skipped', ran: false } as const
  const declares = { needs: ['needed'] }
  for (const [name, beside] of cases) {
    underEveryPolicy(name, { ...fault, declares, beside })
  }
})

describe('F136 a hook after the fact that fails', () => {
  const after = definePoint('test.after', {
    input: type<{ result: string }>(),
    order: 'descending',
    answers: ['transform', 'reject'],
  })
  const done = { result: 'done' }
  const decide = (onFailure: Hook['onFailure']) => {
    const run = throws(new Error(secret))
    const hook = { name: 'late', on: after, run, onFailure } as Hook
    return createEngine(compileTable([hook]), { clock }).run(after, done)
  }

  test('leaves the value as it is when it is open', () => {
    expect(decide('open')).toMatchObject({
      type: 'proceed',
      value: done,
      records: [{ failure: { code: 'threw' }, failedOpen: true }],
    })
  })

  test('withholds the value when it is closed', () => {
    expect(decide('closed')).toMatchObject({
      type: 'reject',
      by: 'late',
      reason: 'hook_error:threw',
      value: done,
    })
  })
})
