import { expect, test } from 'vitest'
import {
  ask,
  compileTable,
  createEngine,
  defineHook,
  definePoint,
  endTurn,
  type Hook,
  keepGoing,
  type Outcome,
  proceed,
  reject,
  replace,
  respond,
  transform,
  type,
} from '../index.ts'

interface Call {
  readonly id: string
  readonly args: { readonly n: number }
}

const step = definePoint('test.step', {
  input: type<Call>(),
  output: type<string>(),
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

type Run = Hook<typeof step, 'blocking', true>['run']

const call = (n = 1): Call => ({ id: 'call-1', args: { n } })

/** Hooks that run in the order given; their names are a, b, c and so on. */
function decide(...runs: readonly Run[]) {
  const hooks = runs.map((run, index) => {
    const name = String.fromCharCode(97 + index)
    return defineHook({ name, on: step, writes: true, run })
  })
  const outcome = createEngine(compileTable(hooks)).run(step, call())
  if (outcome instanceof Promise) throw new Error('It took time.')
  return outcome
}

const plus =
  (more: number): Run =>
  ({ args }) =>
    transform({ n: args.n + more })

const never: Run = () => {
  throw new Error('It ran.')
}

const states = (outcome: ReturnType<typeof decide>) =>
  outcome.records.map(({ hook, state, note }) => [hook, state, note])

const decided = (outcome: ReturnType<typeof decide>) =>
  outcome.records.filter((record) => record.decided).map(({ hook }) => hook)

test('when every hook proceeds, the outcome is proceed and the value is as it was', () => {
  const input = call()
  const run = () => proceed
  const table = compileTable([defineHook({ name: 'a', on: step, run })])
  const outcome = createEngine(table).run(step, input) as Outcome<typeof step>
  expect(outcome).toEqual({
    type: 'proceed',
    value: { id: 'call-1', args: { n: 1 } },
    writers: [],
    contributions: expect.objectContaining({ all: [] }),
  })
  expect(outcome.records).toMatchObject([{ hook: 'a', answer: 'proceed' }])
  expect(createEngine(table).run(step, input)).toHaveProperty('value', input)
})

test('a proceed that is not the shared one counts as well', () => {
  const outcome = decide(() => ({ type: 'proceed' }))
  expect(outcome.type).toBe('proceed')
  expect(states(outcome)).toEqual([['a', 'completed', undefined]])
})

test('the next hook sees what a transform left, and the outcome has all changes with their writers in order', () => {
  const seen: number[] = []
  const look: Run = ({ args }) => {
    seen.push(args.n)
    return proceed
  }
  const outcome = decide(plus(1), look, plus(10), look, plus(100))
  expect(seen).toEqual([2, 12])
  expect(outcome.type).toBe('proceed')
  expect(outcome.value).toEqual({ id: 'call-1', args: { n: 112 } })
  expect(outcome.writers).toEqual(['a', 'c', 'e'])
  expect(decided(outcome)).toEqual([])
})

test('F041 T18 a transform changes the subject and nothing else of the input', () => {
  // All of the call where the arguments belong: it becomes the arguments.
  const whole = { id: 'other', n: 9, args: { n: 9 } }
  const outcome = decide(() => transform(whole))
  expect(outcome.value).toEqual({ id: 'call-1', args: whole })
})

test('F041 T18 a replace changes the subject and nothing else of the input', () => {
  const whole = { id: 'other', n: 9 }
  const outcome = decide(() => replace(whole))
  expect(outcome.value).toEqual({ id: 'call-1', args: whole })
})

test('T18 properties beside the value of a transform reach nothing', () => {
  const more = { by: 'someone', id: 'other', subject: 'id', writers: ['x'] }
  const outcome = decide(() => ({ ...transform({ n: 2 }), ...more }))
  expect(outcome.value).toEqual({ id: 'call-1', args: { n: 2 } })
  expect(outcome.writers).toEqual(['a'])
})

test('F015 T18 F041 no level of the input can be changed by writing to it', () => {
  const tamper: Run = (input) => {
    expect(Reflect.set(input, 'id', 'other')).toBe(false)
    expect(Reflect.set(input.args, 'n', 9)).toBe(false)
    expect(Reflect.deleteProperty(input, 'id')).toBe(false)
    expect(Reflect.setPrototypeOf(input, null)).toBe(false)
    return proceed
  }
  const outcome = decide(tamper, plus(1), tamper)
  expect(outcome.value).toEqual({ id: 'call-1', args: { n: 2 } })
})

test('a hook that keeps the value it returned can no longer change it', () => {
  const kept = { n: 2 }
  const outcome = decide(
    () => transform(kept),
    () => {
      expect(Reflect.set(kept, 'n', 9)).toBe(false)
      return proceed
    },
  )
  expect(outcome.value.args).toEqual({ n: 2 })
})

test('where a point names no subject, a transform changes all of its input', () => {
  const text = definePoint('test.text', {
    input: type<string>(),
    answers: ['transform'],
  })
  const shout = defineHook({
    name: 'shout',
    on: text,
    writes: true,
    run: (input) => transform(input.toUpperCase()),
  })
  const outcome = createEngine(compileTable([shout])).run(text, 'hey')
  expect(outcome).toMatchObject({ value: 'HEY', writers: ['shout'] })
})

test('a replace is used as it is and the remaining hooks are skipped', () => {
  const outcome = decide(plus(1), () => replace({ n: 50 }), never, never)
  expect(outcome.type).toBe('proceed')
  expect(outcome.value).toEqual({ id: 'call-1', args: { n: 50 } })
  expect(outcome.writers).toEqual(['a', 'b'])
  expect(states(outcome)).toEqual([
    ['a', 'completed', undefined],
    ['b', 'completed', undefined],
    ['c', 'skipped', 'chain-ended'],
    ['d', 'skipped', 'chain-ended'],
  ])
  expect(decided(outcome)).toEqual(['b'])
})

test('a reject skips the remaining hooks and says who rejected and why', () => {
  const outcome = decide(plus(1), () => reject('Not today.'), never)
  expect(outcome).toMatchObject({
    type: 'reject',
    by: 'b',
    reason: 'Not today.',
    value: { id: 'call-1', args: { n: 2 } },
    writers: ['a'],
  })
  expect(outcome).not.toHaveProperty('failure')
  expect(states(outcome).at(-1)).toEqual(['c', 'skipped', 'chain-ended'])
  expect(decided(outcome)).toEqual(['b'])
})

test('a respond is the outcome of the operation and skips the remaining hooks', () => {
  const outcome = decide(() => respond('from the cache'), never)
  expect(outcome).toMatchObject({
    type: 'respond',
    by: 'a',
    output: 'from the cache',
  })
  expect(states(outcome)[1]).toEqual(['b', 'skipped', 'chain-ended'])
  expect(decided(outcome)).toEqual(['a'])
})

test('what a respond gives is frozen', () => {
  const point = definePoint('test.reply', {
    input: type<string>(),
    output: type<{ lines: string[] }>(),
    answers: ['respond'],
  })
  const output = { lines: ['one'] }
  const hook = defineHook({ name: 'a', on: point, run: () => respond(output) })
  const outcome = createEngine(compileTable([hook])).run(point, '')
  output.lines.push('two')
  expect(outcome).toMatchObject({ output: { lines: ['one'] } })
  expect(Object.isFrozen(Object(outcome).output.lines)).toBe(true)
})

test('an endTurn skips the remaining hooks and says who ended the turn and why', () => {
  const outcome = decide(() => endTurn('Enough.'), never)
  expect(outcome).toMatchObject({ type: 'endTurn', by: 'a', reason: 'Enough.' })
  expect(states(outcome)[1]).toEqual(['b', 'skipped', 'chain-ended'])
})

test('a keepGoing skips the remaining hooks and carries its feedback', () => {
  const outcome = decide(() => keepGoing('Run the tests.'), never)
  expect(outcome).toMatchObject({
    type: 'keepGoing',
    by: 'a',
    feedback: 'Run the tests.',
  })
  expect(states(outcome)[1]).toEqual(['b', 'skipped', 'chain-ended'])
})

test('the questions of all hooks are collected, and later hooks still run', () => {
  const outcome = decide(
    () => ask('Really?'),
    plus(1),
    () => ask('In production?'),
  )
  expect(outcome).toMatchObject({
    type: 'ask',
    questions: [
      { by: 'a', question: 'Really?' },
      { by: 'c', question: 'In production?' },
    ],
    value: { id: 'call-1', args: { n: 2 } },
    writers: ['b'],
  })
  expect(decided(outcome)).toEqual([])
})

test.each<[string, Run, string]>([
  ['a respond', () => respond('done'), 'respond'],
  ['an endTurn', () => endTurn('Enough.'), 'endTurn'],
  ['a keepGoing', () => keepGoing('Go on.'), 'keepGoing'],
])('%s after an ask is the outcome', (_, run, type) => {
  const outcome = decide(() => ask('Really?'), run, never)
  expect(outcome).toMatchObject({ type, by: 'b' })
  expect(outcome).not.toHaveProperty('questions')
})

test('F030 T16 a reject after an ask is the outcome', () => {
  const outcome = decide(
    () => ask('Really?'),
    () => reject('No.'),
    never,
  )
  expect(outcome).toMatchObject({ type: 'reject', by: 'b', reason: 'No.' })
  expect(outcome).not.toHaveProperty('questions')
})

test.each<[string, Run]>([
  ['proceed', () => proceed],
  ['transform', plus(1)],
  ['replace', () => replace({ n: 2 })],
])('T16 a %s after an ask answers no question', (_, run) => {
  const outcome = decide(() => ask('Really?'), run)
  expect(outcome).toMatchObject({
    type: 'ask',
    questions: [{ by: 'a', question: 'Really?' }],
  })
})

test('a replace after an ask gives the value, and a person is still asked', () => {
  const outcome = decide(
    () => ask('Really?'),
    () => replace({ n: 2 }),
    never,
  )
  expect(outcome).toMatchObject({
    type: 'ask',
    value: { id: 'call-1', args: { n: 2 } },
    writers: ['b'],
  })
  expect(states(outcome).at(-1)).toEqual(['c', 'skipped', 'chain-ended'])
})

test.each<[string, Run]>([
  ['proceeds', () => proceed],
  ['rewrites', plus(1)],
  ['asks', () => ask('Really?')],
  ['responds', () => respond('done')],
])(
  'F030 T17 a hook that %s before or after does not lift a reject',
  (_, run) => {
    const refuse: Run = () => reject('No.')
    const after = decide(refuse, run)
    expect(after).toMatchObject({ type: 'reject', by: 'a', reason: 'No.' })
    const before = decide(run, refuse)
    const isFinal = before.type === 'reject' || before.type === 'respond'
    expect(isFinal).toBe(true)
  },
)

test('a hook that was not asked is not in the chain of its siblings at another point', () => {
  const other = definePoint('test.other', { input: type<Call>() })
  const run = () => proceed
  const table = compileTable([
    defineHook({ name: 'here', on: step, run }),
    defineHook({ name: 'there', on: other, run }),
  ])
  const outcome = createEngine(table).run(other, call())
  expect(outcome).toMatchObject({ records: [{ hook: 'there' }] })
})
