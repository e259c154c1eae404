import { describe, expect, test } from 'vitest'
import { createEngine } from '../create-engine.ts'
import {
  ask,
  endTurn,
  keepGoing,
  reject,
  replace,
  respond,
  transform,
} from '../define/answers.ts'
import { definePoint, type } from '../define/define-point.ts'
import { compileTable } from '../table/compile-table.ts'
import { scriptedHook } from '../testing/index.ts'
import { type Hook, proceed } from './index.ts'

interface Call {
  readonly tool: string
  readonly args: unknown
}

const gate = definePoint('test.gate', {
  input: type<Call>(),
  output: type<unknown>(),
  subject: 'args',
  answers: [
    'transform',
    'replace',
    'reject',
    'respond',
    'ask',
    'endTurn',
    'keepGoing',
  ],
})
const call: Call = { tool: 'bash', args: { command: 'ls' } }

/** What stands in for a text that says nothing. */
const noReason: string = expect.stringMatching(/^No reason/)

function hook(run: () => unknown, rest: Partial<Hook> = {}): Hook {
  return { name: 'judge', on: gate, writes: true, ...rest, run: run as never }
}

async function decide(run: () => unknown, rest?: Partial<Hook>) {
  return createEngine(compileTable([hook(run, rest)])).run(gate, call)
}

const policies: readonly [string, Partial<Hook>][] = [
  ['closed', { onFailure: 'closed' }],
  ['open', { onFailure: 'open' }],
  ['required', { onFailure: 'required' }],
  ['a fallback', { onFailure: { fallback: { value: 'instead' } } }],
]

describe('an explicit reject rejects, whatever the policy', () => {
  test.each(policies)('when it is %s', async (_, rest) => {
    for (const run of [() => reject('No.'), async () => reject('No.')]) {
      const outcome = await decide(run, rest)
      expect(outcome).toMatchObject({
        type: 'reject',
        by: 'judge',
        reason: 'No.',
        value: call,
        writers: [],
      })
      expect(outcome).not.toHaveProperty('failure')
      expect(outcome.records).toMatchObject([
        {
          answer: 'reject',
          decided: true,
          policy: undefined,
          failedOpen: false,
        },
      ])
    }
  })

  test.each(policies)(
    'F031 without a reason, when it is %s',
    async (_, rest) => {
      const outcome = await decide(() => ({ type: 'reject' }), rest)
      expect(outcome).toMatchObject({
        type: 'reject',
        reason: noReason,
      })
    },
  )

  test('and no later hook turns it into something else', () => {
    const others = [proceed, transform('x'), replace('x'), respond('x')].map(
      (answer, at) =>
        scriptedHook({
          name: `other-${at}`,
          on: gate,
          writes: true,
          after: ['judge'],
          answers: [answer],
        }),
    )
    const judge = hook(() => reject('No.'))
    const engine = createEngine(compileTable([...others, judge]))
    const outcome = engine.run(gate, call)
    expect(outcome).toMatchObject({ type: 'reject', by: 'judge', value: call })
    expect(others.flatMap(({ seen }) => seen)).toEqual([])
  })

  test('F030 T16 and an earlier ask does not soften it', () => {
    const asking = hook(() => ask('May I?'), { name: 'asks', priority: 1 })
    const table = compileTable([asking, hook(() => reject('No.'))])
    const outcome = createEngine(table).run(gate, call)
    expect(outcome).toMatchObject({ type: 'reject', by: 'judge' })
    expect(outcome).not.toHaveProperty('questions')
  })

  test('F030 nor does an earlier ask soften a closed failure', () => {
    const asking = hook(() => ask('May I?'), { name: 'asks', priority: 1 })
    const table = compileTable([asking, hook(() => null)])
    const outcome = createEngine(table).run(gate, call)
    expect(outcome).toMatchObject({ reason: 'hook_error:invalid-answer' })
  })
})

describe('F031 T25 the reason of a reject', () => {
  const reasons: readonly [string, unknown, string][] = [
    ['that is empty is replaced', '', noReason],
    ['that is blank is replaced', ' \n\t ', noReason],
    ['of nothing printable is replaced', '\0\u001b\u202e', noReason],
    ['keeps its lines', 'One.\n\tTwo.', 'One.\n\tTwo.'],
    ['loses escape characters', '\u001b[31mred\u001b[0m', '[31mred[0m'],
    ['loses NUL', 'a\0b', 'ab'],
    ['loses carriage returns', 'deny\rallow', 'denyallow'],
    ['loses direction marks', 'a\u202eb\u2066c\u200fd', 'abcd'],
    ['has no half surrogates', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
    ['of 4 000 characters is whole', 'x'.repeat(4_000), 'x'.repeat(4_000)],
    [
      'that is longer is cut, which shows',
      'x'.repeat(4_001),
      `${'x'.repeat(4_000)}…`,
    ],
    [
      'that is enormous is cut, which shows',
      'x'.repeat(2e7),
      `${'x'.repeat(4_000)}…`,
    ],
  ]
  test.each(reasons)('%s', async (_, reason, said) => {
    const outcome = await decide(() => ({ type: 'reject', reason }), {
      onFailure: 'open',
    })
    expect(outcome).toMatchObject({ type: 'reject', reason: said })
  })
})

describe('the texts of other answers', () => {
  const texts: readonly [string, unknown, object][] = [
    [
      'a question is cleaned',
      ask('a\0b'),
      { questions: [{ by: 'judge', question: 'ab' }] },
    ],
    [
      'the end of a turn is cleaned',
      endTurn('a\0b'),
      { type: 'endTurn', reason: 'ab' },
    ],
    [
      'feedback is cleaned',
      keepGoing('a\0b'),
      { type: 'keepGoing', feedback: 'ab' },
    ],
  ]
  test.each(texts)('%s', async (_, answer, outcome) => {
    expect(await decide(() => answer)).toMatchObject(outcome)
  })

  const textless: readonly [string, unknown][] = [
    ['an ask without a question', { type: 'ask' }],
    ['an ask with a number', { type: 'ask', question: 42 }],
    ['an end of the turn without a reason', { type: 'endTurn' }],
    ['an end of the turn with an object', { type: 'endTurn', reason: {} }],
    ['a keepGoing without feedback', { type: 'keepGoing' }],
    ['a keepGoing with null', { type: 'keepGoing', feedback: null }],
    ['a keepGoing with blank feedback', keepGoing(' \n')],
    ['an ask that nobody could read', { type: 'ask', question: '\u202e' }],
  ]
  test.each(textless)('%s is no answer', async (_, answer) => {
    const outcome = await decide(() => answer)
    expect(outcome).toMatchObject({ reason: 'hook_error:invalid-answer' })
  })
})

describe('an answer is read whole', () => {
  test('F032 fields nobody knows are ignored', async () => {
    const answer = { ...reject('No.'), approve: true, decision: 'allow' }
    expect(await decide(() => answer)).toMatchObject({ type: 'reject' })
    const extra = { type: 'proceed', reason: 'x', value: Symbol('odd') }
    expect(await decide(() => extra)).toMatchObject({
      type: 'proceed',
      value: call,
    })
  })

  test('a proceed of our own making counts, also without a prototype', async () => {
    const bare = Object.assign(Object.create(null), { type: 'proceed' })
    for (const answer of [{ type: 'proceed' }, bare]) {
      expect(await decide(() => answer)).toMatchObject({ type: 'proceed' })
    }
  })

  test('each of its fields is read once', async () => {
    const reads = { type: 0, value: 0 }
    const answer = {
      get type() {
        return reads.type++ === 0 ? 'transform' : 'proceed'
      },
      get value() {
        return reads.value++ === 0 ? 'first' : 'second'
      },
    }
    const outcome = await decide(() => answer)
    expect(outcome.value).toEqual({ tool: 'bash', args: 'first' })
    expect(reads).toEqual({ type: 1, value: 1 })
  })

  test('F042 a transform that does not pass keeps the value so far', async () => {
    for (const value of [undefined, new Map(), () => 'x', Number.NaN]) {
      const bad = hook(() => ({ type: 'transform', value }), {
        onFailure: 'open',
      })
      const good = hook(() => transform('good'), { name: 'good', priority: 1 })
      const outcome = createEngine(compileTable([good, bad])).run(gate, call)
      expect(outcome).toMatchObject({
        value: { args: 'good' },
        writers: ['good'],
      })
    }
  })

  test('F041 T18 a transform reaches the subject, and nothing beside it', async () => {
    const forged = { tool: 'rm', args: 'x', id: 'other' }
    const outcome = await decide(() => ({ ...transform(forged), tool: 'rm' }))
    expect(outcome.value).toEqual({ tool: 'bash', args: forged })
  })

  test('F045 a hook is asked once in a dispatch, however often its value changes', async () => {
    let asked = 0
    const grows = hook(() => transform(`+${++asked}`))
    const writer = hook(() => transform('other'), { name: 'writer' })
    const outcome = createEngine(compileTable([grows, writer])).run(gate, call)
    expect(outcome).toMatchObject({ writers: ['judge', 'writer'] })
    expect(asked).toBe(1)
  })
})

describe('F022 F035 F036 F037 F039 what an answer carries is data within limits', () => {
  const deep = (levels: number) => {
    let value: unknown = 'leaf'
    for (let level = 0; level < levels; level++) value = { value }
    return value
  }
  const wide = (keys: number) =>
    Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, at]))
  const values: readonly [string, () => unknown, string][] = [
    ['a text beyond 1 MiB', () => 'x'.repeat(1_048_577), 'too-large'],
    ['a text of many megabytes', () => 'x'.repeat(2e7), 'too-large'],
    ['more than 10 000 keys', () => wide(10_001), 'too-large'],
    ['a hundred thousand keys', () => wide(100_000), 'too-large'],
    ['65 levels', () => deep(65), 'too-deep'],
    ['a hundred thousand levels', () => deep(100_000), 'too-deep'],
    ['a date', () => new Date(0), 'not-data'],
    ['a bigint', () => ({ big: 1n }), 'not-data'],
    ['infinity', () => [Number.POSITIVE_INFINITY], 'not-data'],
    ['no number', () => Number.NaN, 'not-data'],
  ]
  const makers = { transform, replace, respond }
  for (const [type, make] of Object.entries(makers)) {
    test.each(values)(`in a ${type}: %s`, async (_, value, code) => {
      const answer = make(value())
      const closed = await decide(() => answer)
      expect(closed).toMatchObject({
        reason: `hook_error:${code}`,
        value: call,
      })
      const open = await decide(async () => answer, { onFailure: 'open' })
      expect(open).toMatchObject({ type: 'proceed', value: call, writers: [] })
      expect(open.records[0]).toMatchObject({
        failedOpen: true,
        failure: { code },
      })
    })
  }

  test('10 000 keys, 64 levels and 1 MiB are within them', async () => {
    for (const value of [wide(10_000), deep(64), 'x'.repeat(1_048_576)]) {
      const outcome = await decide(() => transform(value))
      expect(outcome).toMatchObject({ type: 'proceed', writers: ['judge'] })
    }
  })

  test('a point can have limits of its own', () => {
    const limits = { depth: 2, keys: 3, chars: 10 }
    const small = definePoint('test.small', {
      input: type<unknown>(),
      answers: ['transform', 'reject'],
      limits,
    })
    const codeOf = (value: unknown) => {
      const judge = hook(() => transform(value), { on: small })
      const outcome = createEngine(compileTable([judge])).run(small, null)
      return Object(outcome).reason
    }
    expect(codeOf({ a: { b: 'x' } })).toBeUndefined()
    expect(codeOf({ a: { b: { c: 1 } } })).toBe('hook_error:too-deep')
    expect(codeOf({ a: 1, b: 2, c: 3, d: 4 })).toBe('hook_error:too-large')
    expect(codeOf('x'.repeat(11))).toBe('hook_error:too-large')
  })
})
