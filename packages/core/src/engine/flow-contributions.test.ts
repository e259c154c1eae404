import { expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  createMemoryRecords,
  defineHook,
  defineKind,
  definePoint,
  type Hook,
  type HookContext,
  HookError,
  type Judge,
  plainJudge,
  proceed,
  reject,
  type ShapeOf,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

const fact = defineKind<{ readonly text: string }>()('fact', {
  check: (value) =>
    typeof Object(value).text === 'string' ? undefined : 'has no text',
})
const weight = defineKind<number>()('weight')
const tool = defineKind<{ name: string; call: () => string }>()('tool', {
  live: true,
})
const foreign = defineKind<string>()('foreign')

const gather = definePoint('test.gather', {
  input: type<string>(),
  answers: ['reject'],
  contributes: [fact, weight, tool],
})

type Gather = Hook<typeof gather, 'blocking', false>
type Context = HookContext<ShapeOf<typeof gather>>

const all = ['fact', 'weight', 'tool']

function contributor(
  name: string,
  contribute: (context: Context) => void,
  more: Partial<Gather> = {},
) {
  return defineHook({
    name,
    on: gather,
    capabilities: all,
    run(_, context) {
      contribute(context)
      return proceed
    },
    ...more,
  })
}

function run(...hooks: readonly Hook[]) {
  const outcome = createEngine(compileTable(hooks)).run(gather, 'input')
  if (outcome instanceof Promise) throw new Error('It took time.')
  return outcome
}

const adds = (name: string, text: string, more: Partial<Gather> = {}) =>
  contributor(name, (context) => context.contribute(fact({ text })), more)

test('a hook that contributes without end is stopped, whoever judges it', () => {
  const endless = contributor('endless', ({ contribute }) => {
    for (;;) contribute(weight(1))
  })
  const judge: Judge = {
    ...plainJudge,
    contribution: (...given) => plainJudge.contribution(...given),
  }
  const engine = createEngine(compileTable([endless]), { judge })
  expect(engine.run(gather, 'input')).toMatchObject({
    type: 'reject',
    reason: 'hook_error:too-large',
    contributions: { all: [] },
  })
})

test('a contribution is named for the hook that made it, and kinds are kept apart', () => {
  const { contributions } = run(
    adds('a', 'one'),
    contributor('b', (context) => {
      context.contribute(weight(7))
      context.contribute(fact({ text: 'two' }))
    }),
  )
  expect(contributions.all).toEqual([
    { by: 'a', kind: 'fact', value: { text: 'one' } },
    { by: 'b', kind: 'weight', value: 7 },
    { by: 'b', kind: 'fact', value: { text: 'two' } },
  ])
  expect(contributions.of(fact).map(({ value }) => value.text)).toEqual([
    'one',
    'two',
  ])
  const sum = contributions.of(weight).reduce((n, { value }) => n + value, 0)
  expect(sum).toBe(7)
  expect(contributions.of(tool)).toEqual([])
})

test('a serial hook sees what the hooks before it contributed, not its own', () => {
  const seen: string[][] = []
  const looks = (name: string) =>
    contributor(name, (context) => {
      context.contribute(fact({ text: name }))
      seen.push(context.contributions.of(fact).map(({ by }) => by))
    })
  run(looks('a'), looks('b'), looks('c'))
  expect(seen).toEqual([[], ['a'], ['a', 'b']])
})

test('a contribution without its capability fails the hook, also when the hook catches the error', () => {
  const codes: unknown[] = []
  const sly = contributor(
    'sly',
    (context) => {
      try {
        context.contribute(fact({ text: 'one' }))
      } catch (error) {
        codes.push(error instanceof HookError && error.code)
      }
    },
    { capabilities: ['weight'], onFailure: 'open' },
  )
  const { contributions, records } = run(sly)
  expect(codes).toEqual(['missing-capability'])
  expect(contributions.all).toEqual([])
  expect(records).toMatchObject([
    {
      state: 'failed',
      failure: { code: 'missing-capability' },
      policy: 'open',
    },
  ])
})

test('one bad contribution voids the good ones of the same hook', () => {
  const mixed = contributor(
    'mixed',
    (context) => {
      context.contribute(fact({ text: 'good' }))
      context.contribute(weight(1))
    },
    { capabilities: ['fact'], onFailure: 'open' },
  )
  expect(run(mixed).contributions.all).toEqual([])
})

test('a kind that the point does not take fails the hook', () => {
  const wrong = contributor('wrong', (context) =>
    context.contribute(foreign('x') as never),
  )
  expect(run(wrong)).toMatchObject({
    type: 'reject',
    by: 'wrong',
    contributions: { all: [] },
  })
})

test('a value that its kind refuses fails the hook, and the failure does not repeat the value', () => {
  const wrong = contributor('wrong', (context) =>
    context.contribute(fact({ secret: 'hunter2' } as never)),
  )
  const outcome = run(wrong)
  expect(outcome).toMatchObject({ type: 'reject', by: 'wrong' })
  expect(JSON.stringify(outcome.records)).not.toContain('hunter2')
})

test('a kind that is not live takes only data', () => {
  const wrong = contributor('wrong', (context) =>
    context.contribute(fact({ text: 'one', call: () => 'x' } as never)),
  )
  expect(run(wrong)).toMatchObject({ type: 'reject', by: 'wrong' })
})

test('a live kind carries functions, frozen beside its data', () => {
  const value = { name: 'recall', call: () => 'remembered' }
  const { contributions } = run(
    contributor('tools', (context) => context.contribute(tool(value))),
  )
  const [made] = contributions.of(tool)
  expect(made?.value.call()).toBe('remembered')
  expect(Object.isFrozen(value)).toBe(true)
})

test('a contribution and its value are frozen', () => {
  const value = { text: 'one' }
  const { contributions } = run(
    contributor('a', (context) => context.contribute(fact(value))),
  )
  const [made] = contributions.of(fact)
  expect(Object.isFrozen(made)).toBe(true)
  expect(Object.isFrozen(made?.value)).toBe(true)
  Reflect.set(value, 'text', 'two')
  expect(made?.value).toEqual({ text: 'one' })
})

test('a hook that rejects has completed: what it contributed counts', () => {
  const rejects = defineHook({
    name: 'rejects',
    on: gather,
    capabilities: ['fact'],
    run(_, context) {
      context.contribute(fact({ text: 'why' }))
      return reject('No.')
    },
  })
  const outcome = run(adds('a', 'one'), rejects)
  expect(outcome.type).toBe('reject')
  expect(outcome.contributions.all.map(({ by }) => by)).toEqual([
    'a',
    'rejects',
  ])
})

test.each<[string, Gather['run']]>([
  [
    'throws',
    () => {
      throw new Error('Broken.')
    },
  ],
  ['answers nonsense', () => 'nonsense' as never],
])('the contributions of a hook that %s do not count', (_, end) => {
  const fails = defineHook({
    name: 'fails',
    on: gather,
    capabilities: ['fact'],
    onFailure: 'open',
    run(input, context) {
      context.contribute(fact({ text: 'lost' }))
      return end(input, context)
    },
  })
  const { contributions, records } = run(adds('a', 'kept'), fails)
  expect(contributions.all.map(({ by }) => by)).toEqual(['a'])
  expect(records[1]).toMatchObject({ state: 'failed' })
})

test('the contributions of a hook whose time is up do not count, whether made before or after', async () => {
  const clock = createFakeClock()
  const { promise, resolve } = Promise.withResolvers<void>()
  const late = defineHook({
    name: 'late',
    on: gather,
    capabilities: ['fact'],
    onFailure: 'open',
    execution: { deadlineMs: 10 },
    async run(_, context) {
      context.contribute(fact({ text: 'before' }))
      await promise
      context.contribute(fact({ text: 'after' }))
      return proceed
    },
  })
  const engine = createEngine(compileTable([late]), { clock })
  const given = engine.run(gather, 'input')
  await clock.advance(10)
  const outcome = await given
  resolve()
  await clock.settle()
  expect(outcome.contributions.all).toEqual([])
  expect(engine.counts().get('late')).toMatchObject({ late: 1, leaked: 0 })
})

test('what a hook contributes after it has answered does not count', () => {
  const contexts: Context[] = []
  const outcome = run(
    contributor('a', (context) => {
      contexts.push(context)
      context.contribute(fact({ text: 'in time' }))
    }),
  )
  contexts[0]?.contribute(fact({ text: 'too late' }))
  expect(outcome.contributions.of(fact)).toHaveLength(1)
})

test('the contributions of a hook in evaluate mode do not count, and are recorded', () => {
  const { contributions, records } = run(adds('a', 'one', { mode: 'evaluate' }))
  expect(contributions.all).toEqual([])
  expect(records[0]?.contributions).toMatchObject([{ kind: 'fact' }])
})

test('a fallback contributes in the place of its hook', () => {
  const fails = contributor(
    'b',
    () => {
      throw new Error('Broken.')
    },
    { onFailure: { fallback: { contributions: [fact({ text: 'spare' })] } } },
  )
  const { contributions } = run(adds('a', 'one'), fails, adds('c', 'three'))
  expect(
    contributions.of(fact).map(({ by, value }) => [by, value.text]),
  ).toEqual([
    ['a', 'one'],
    ['b', 'spare'],
    ['c', 'three'],
  ])
})

test('a record holds the kind and a hash of each contribution, never its content', () => {
  const records = createMemoryRecords()
  const hash = (value: unknown) => `hash of ${Object(value).text.length}`
  const engine = createEngine(compileTable([adds('a', 'hunter2')]), {
    records,
    hash,
  })
  void engine.run(gather, 'top secret input')
  expect(records.all()[0]?.contributions).toEqual([
    { kind: 'fact', hash: 'hash of 7' },
  ])
  const written = JSON.stringify(records.all())
  expect(written).not.toContain('hunter2')
  expect(written).not.toContain('top secret')
})

test('equal contributions have equal hashes, others have others', () => {
  const { records } = run(adds('a', 'one'), adds('b', 'one'), adds('c', 'two'))
  const [a, b, c] = records.map((record) => record.contributions[0]?.hash)
  expect(a).toMatch(/^[0-9a-f]{16}$/)
  expect(b).toBe(a)
  expect(c).not.toBe(a)
})

test('a hash port that throws leaves an empty hash and an alarm, and the contribution counts', () => {
  const alarms: unknown[] = []
  const engine = createEngine(compileTable([adds('a', 'one')]), {
    hash: () => {
      throw new Error('Broken.')
    },
  })
  engine.observe((event) => {
    if (event.type === 'alarm') alarms.push([event.code, event.about])
  })
  expect(engine.run(gather, 'input')).toMatchObject({
    contributions: { all: [{ by: 'a' }] },
    records: [{ contributions: [{ kind: 'fact', hash: '' }] }],
  })
  expect(alarms).toEqual([['port-threw', 'hash']])
})
