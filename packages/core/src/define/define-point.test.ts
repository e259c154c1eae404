import { describe, expect, test } from 'vitest'
import { HookError } from '../engine/index.ts'
import { defineKind } from './define-kind.ts'
import { definePoint, type } from './define-point.ts'

interface Call {
  readonly tool: string
  readonly args?: object
}

const input = type<Call>()

/** What is wrong with a definition. */
function problemOf(define: () => unknown): string {
  try {
    define()
    return 'none'
  } catch (error) {
    if (!(error instanceof HookError)) throw error
    expect(error.code).toBe('invalid-point')
    return error.message
  }
}

describe('the name', () => {
  test.each(['tool', 'tool.pre_call', 'a.b.c', 'x1.y_2', 'a_'])(
    '%s is one',
    (name) => {
      expect(definePoint(name, { input }).name).toBe(name)
    },
  )

  test.each([
    '',
    '.',
    'Tool',
    'tool.',
    '.tool',
    'a..b',
    'a.1b',
    '1a',
    '_a',
    'a-b',
    'a b',
    'a\n',
    'tööl',
    '__proto__',
  ])('%j is none', (name) => {
    expect(problemOf(() => definePoint(name, { input }))).toBe(
      `"${name}" is not a point name; use lower-case words joined by dots.`,
    )
  })
})

describe('answers', () => {
  const all = [
    'transform',
    'replace',
    'reject',
    'respond',
    'ask',
    'endTurn',
    'keepGoing',
  ] as const

  test('of a serial point can be any', () => {
    const point = definePoint('p', { input, answers: all })
    expect([...point.answers]).toEqual(all)
  })

  test.each([
    'transform',
    'replace',
    'respond',
    'endTurn',
    'keepGoing',
  ] as const)('F043 of a parallel point cannot be %s', (answer) => {
    const define = () =>
      definePoint('p', { input, flow: 'parallel', answers: ['reject', answer] })
    expect(problemOf(define)).toBe(
      `Point p is parallel, so its hooks cannot answer "${answer}"; make it serial.`,
    )
  })

  test('of a parallel point can be reject and ask', () => {
    const answers = ['reject', 'ask'] as const
    const point = definePoint('p', { input, flow: 'parallel', answers })
    expect([...point.answers]).toEqual(answers)
  })

  test.each(all)('of an observe point cannot be %s', (answer) => {
    const define = () =>
      definePoint('p', { input, flow: 'observe', answers: [answer] })
    expect(problemOf(define)).toBe(
      `Point p is observe, so its hooks cannot answer "${answer}"; make it serial.`,
    )
  })
})

test('a point that says nothing but its input has every default', () => {
  expect(definePoint('p', { input })).toMatchObject({
    name: 'p',
    flow: 'serial',
    order: 'ascending',
    subject: undefined,
    answers: new Set(),
    kinds: new Map(),
    fields: new Map(),
    failure: 'open',
    rights: new Map(),
    limits: { depth: 64, keys: 10_000, chars: 1_048_576 },
    isStreamed: false,
    conceal: undefined,
  })
})

test('a point has what it was given', () => {
  const note = defineKind<string>()('note')
  const tool = (call: Call) => call.tool
  const conceal = (call: Call): Call => ({ tool: call.tool })
  const point = definePoint('p', {
    input,
    output: type<string>(),
    flow: 'serial',
    order: 'descending',
    subject: 'args',
    answers: ['respond'],
    contributes: [note],
    fields: { tool },
    failure: 'required',
    rights: { respond: 'approve' },
    limits: { depth: 3 },
    isStreamed: true,
    conceal,
  })
  expect(point).toMatchObject({
    order: 'descending',
    subject: 'args',
    answers: new Set(['respond']),
    kinds: new Map([['note', note]]),
    fields: new Map([['tool', tool]]),
    failure: 'required',
    rights: new Map([['respond', 'approve']]),
    limits: { depth: 3, keys: 10_000, chars: 1_048_576 },
    isStreamed: true,
    conceal,
  })
})

describe('the failure rule', () => {
  test('is closed where the point can refuse, else open', () => {
    const closed = definePoint('p', { input, answers: ['reject'] })
    const open = definePoint('p', { input, answers: ['ask', 'transform'] })
    const observe = definePoint('p', { input, flow: 'observe' })
    const rules = [closed, open, observe].map(({ failure }) => failure)
    expect(rules).toEqual(['closed', 'open', 'open'])
  })

  test('is what the point says, where it says so', () => {
    const answers = ['reject'] as const
    const open = definePoint('p', { input, answers, failure: 'open' })
    const required = definePoint('p', { input, answers, failure: 'required' })
    expect([open.failure, required.failure]).toEqual(['open', 'required'])
  })
})

test('a point is frozen', () => {
  expect(Object.isFrozen(definePoint('p', { input }))).toBe(true)
})
