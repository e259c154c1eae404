import { expect, test } from 'vitest'
import {
  ask,
  compileTable,
  createEngine,
  createMemoryRecords,
  defineHook,
  defineKind,
  definePoint,
  type EngineOptions,
  type Hook,
  proceed,
  reject,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

const note = defineKind<string>()('note')

const gather = definePoint('test.gather', {
  input: type<{ readonly q: string }>(),
  flow: 'parallel',
  answers: ['reject', 'ask'],
  contributes: [note],
})

type Gather = Hook<typeof gather, 'blocking', false>
type Answer = Awaited<ReturnType<Gather['run']>>

/** A hook that answers when the test says so. */
function gated(name: string, more: Partial<Gather> = {}) {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const log = { begun: false, aborted: false, sees: [] as string[] }
  const hook = defineHook({
    name,
    on: gather,
    capabilities: ['note'],
    ...more,
    run(_, context) {
      log.begun = true
      log.sees = context.contributions.of(note).map(({ value }) => value)
      context.signal.addEventListener('abort', () => {
        log.aborted = true
      })
      context.contribute(note(`by ${name}`))
      return promise
    },
  })
  return { hook, log, answer: (answer: Answer = proceed) => resolve(answer) }
}

type Gated = ReturnType<typeof gated>

function start(hooks: readonly Gated[], options: EngineOptions = {}) {
  const clock = createFakeClock()
  const records = createMemoryRecords()
  const table = compileTable(hooks.map(({ hook }) => hook))
  const engine = createEngine(table, { clock, records, ...options })
  const outcome = Promise.resolve(engine.run(gather, { q: 'why' }))
  return { clock, engine, outcome, records }
}

const begun = (hooks: readonly Gated[]) =>
  hooks.filter(({ log }) => log.begun).map(({ hook }) => hook.name)

const letters = (count: number) =>
  Array.from({ length: count }, (_, index) => String.fromCharCode(97 + index))

test('all hooks of a batch begin before any of them ends', () => {
  const hooks = letters(5).map((name) => gated(name))
  start(hooks)
  expect(begun(hooks)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('an outcome tells its runs, and has their records, as they ended', async () => {
  const a = gated('a')
  const b = gated('b')
  const { clock, outcome } = start([a, b])
  b.answer()
  await clock.advance(1)
  a.answer()
  const { runs, records } = await outcome
  expect(runs.map(({ planned }) => planned.name)).toEqual(['b', 'a'])
  expect(records.map(({ hook }) => hook)).toEqual(['b', 'a'])
})

test('a batch begins when every hook of the batch before it has ended', async () => {
  const a = gated('a')
  const b = gated('b')
  const c = gated('c', { after: ['a'] })
  const d = gated('d', { after: ['c'] })
  const all = [a, b, c, d]
  const { clock, outcome } = start(all)
  expect(begun(all)).toEqual(['a', 'b'])
  a.answer()
  await clock.settle()
  expect(begun(all)).toEqual(['a', 'b'])
  b.answer()
  await clock.settle()
  expect(begun(all)).toEqual(['a', 'b', 'c'])
  c.answer()
  await clock.settle()
  expect(begun(all)).toEqual(['a', 'b', 'c', 'd'])
  d.answer()
  await expect(outcome).resolves.toMatchObject({ type: 'proceed' })
})

test('with a cap of one, the hooks of a batch run one after the other in plan order', async () => {
  const hooks = letters(3).map((name) => gated(name))
  const { clock, outcome } = start(hooks, { parallelism: 1 })
  expect(begun(hooks)).toEqual(['a'])
  hooks[1]?.answer()
  await clock.settle()
  expect(begun(hooks)).toEqual(['a'])
  hooks[0]?.answer()
  await clock.settle()
  expect(begun(hooks)).toEqual(['a', 'b', 'c'])
  hooks[2]?.answer()
  await expect(outcome).resolves.toMatchObject({ type: 'proceed' })
})

test('with a cap, the next of a batch begins as soon as one of them ends', async () => {
  const hooks = letters(5).map((name) => gated(name))
  const { clock, outcome } = start(hooks, { parallelism: 2 })
  expect(begun(hooks)).toEqual(['a', 'b'])
  hooks[1]?.answer()
  await clock.settle()
  expect(begun(hooks)).toEqual(['a', 'b', 'c'])
  for (const hook of hooks) hook.answer()
  await clock.settle()
  expect(begun(hooks)).toEqual(['a', 'b', 'c', 'd', 'e'])
  await expect(outcome).resolves.toMatchObject({ type: 'proceed' })
})

test('sixteen hooks of a batch run at the same time unless the engine is told otherwise', () => {
  const hooks = letters(20).map((name) => gated(name))
  start(hooks)
  expect(begun(hooks)).toHaveLength(16)
})

test('hooks that answer at once do not fill the cap, and the outcome is no promise', () => {
  const quick = letters(20).map((name) =>
    defineHook({ name, on: gather, run: () => proceed }),
  )
  const engine = createEngine(compileTable(quick), { parallelism: 2 })
  const outcome = engine.run(gather, { q: 'why' })
  expect(outcome).not.toBeInstanceOf(Promise)
  expect(outcome).toMatchObject({ type: 'proceed' })
})

test('a batch sees what earlier batches contributed and nothing of its own', async () => {
  const a = gated('a')
  const b = gated('b')
  const c = gated('c', { after: ['a'] })
  const d = gated('d', { after: ['b'] })
  const e = gated('e', { after: ['c'] })
  const all = [a, b, c, d, e]
  const { outcome } = start(all)
  for (const hook of all) hook.answer()
  await outcome
  expect(all.map(({ log }) => log.sees)).toEqual([
    [],
    [],
    ['by a', 'by b'],
    ['by a', 'by b'],
    ['by a', 'by b', 'by c', 'by d'],
  ])
})

test('contributions are in plan order, whatever the order of arrival', async () => {
  const hooks = letters(4).map((name) => gated(name))
  const next = gated('next', { after: ['a'] })
  const { clock, outcome } = start([...hooks, next])
  for (const hook of hooks.toReversed()) {
    hook.answer()
    await clock.settle()
  }
  next.answer()
  const { contributions, records } = await outcome
  const order = ['by a', 'by b', 'by c', 'by d']
  expect(next.log.sees).toEqual(order)
  expect(contributions.of(note).map(({ value }) => value)).toEqual([
    ...order,
    'by next',
  ])
  const arrived = records.map(({ hook }) => hook)
  expect(arrived).toEqual(['d', 'c', 'b', 'a', 'next'])
})

test('the plan order of a batch is by priority, then by name', async () => {
  const hooks = [
    gated('a', { priority: 300 }),
    gated('b'),
    gated('c', { priority: 1 }),
    gated('d'),
  ]
  const { outcome } = start(hooks)
  for (const hook of hooks) hook.answer()
  const { contributions } = await outcome
  expect(contributions.all.map(({ by }) => by)).toEqual(['c', 'b', 'd', 'a'])
})

test('F134 the first reject ends the dispatch at once; its siblings are aborted and recorded as superseded', async () => {
  const hangs = gated('hangs')
  const rejects = gated('rejects')
  const waits = gated('waits', { after: ['hangs'] })
  const { outcome } = start([hangs, rejects, waits])
  rejects.answer(reject('No.'))
  const ended = await outcome
  expect(ended).toMatchObject({ type: 'reject', by: 'rejects', reason: 'No.' })
  expect(hangs.log.aborted).toBe(true)
  expect(waits.log.begun).toBe(false)
  const states = ended.records.map(({ hook, state, note: why, decided }) => [
    hook,
    state,
    why,
    decided,
  ])
  expect(states).toEqual([
    ['rejects', 'completed', undefined, true],
    ['hangs', 'cancelled', 'superseded', false],
    ['waits', 'skipped', 'chain-ended', false],
  ])
})

test('F134 the hook that rejects is not told to stop', async () => {
  const rejects = gated('rejects')
  const { outcome } = start([rejects, gated('hangs')])
  rejects.answer(reject('No.'))
  await outcome
  expect(rejects.log.aborted).toBe(false)
})

test('F134 the late answer of a superseded hook changes nothing, and is counted', async () => {
  const late = gated('late')
  const rejects = gated('rejects')
  const { clock, engine, outcome, records } = start([late, rejects])
  rejects.answer(reject('No.'))
  const ended = await outcome
  const before = { ...ended }
  const recorded = [...ended.records]
  expect(engine.counts().get('late')).toMatchObject({ leaked: 1, late: 0 })
  late.answer(reject('Me too.'))
  await clock.settle()
  expect(ended).toEqual(before)
  expect(ended.contributions.all.map(({ by }) => by)).toEqual(['rejects'])
  expect(ended.records).toEqual(recorded)
  expect(records.all()).toEqual(recorded)
  expect(engine.counts().get('late')).toMatchObject({ leaked: 0, late: 1 })
})

test('F134 a superseded hook has not failed', async () => {
  const hangs = gated('hangs')
  const rejects = gated('rejects')
  const { engine, outcome } = start([hangs, rejects])
  rejects.answer(reject('No.'))
  await outcome
  expect(engine.counts().get('hangs')).toMatchObject({ failures: 0 })
})

test('I2 of two rejects side by side the first to arrive counts, in whatever order they stand', async () => {
  const first = gated('z')
  const second = gated('a')
  const { clock, outcome } = start([first, second])
  first.answer(reject('First.'))
  second.answer(reject('Second.'))
  await clock.settle()
  await expect(outcome).resolves.toMatchObject({
    type: 'reject',
    by: 'z',
    reason: 'First.',
  })
})

test('a reject at once keeps the rest of its batch from beginning', () => {
  const rest = gated('rest')
  const first = defineHook({
    name: 'first',
    on: gather,
    run: () => reject('No.'),
  })
  const engine = createEngine(compileTable([first, rest.hook]))
  expect(engine.run(gather, { q: 'why' })).toMatchObject({
    type: 'reject',
    by: 'first',
    records: [
      { hook: 'first', state: 'completed' },
      { hook: 'rest', state: 'skipped', note: 'chain-ended' },
    ],
  })
  expect(rest.log.begun).toBe(false)
})

test('a reject at once supersedes the siblings that began before it', async () => {
  const before = gated('a')
  const now = defineHook({ name: 'b', on: gather, run: () => reject('No.') })
  const engine = createEngine(compileTable([before.hook, now]))
  expect(engine.run(gather, { q: 'why' })).toMatchObject({
    type: 'reject',
    by: 'b',
    records: [
      { hook: 'b', state: 'completed' },
      { hook: 'a', state: 'cancelled', note: 'superseded' },
    ],
  })
  expect(before.log.aborted).toBe(true)
})

test('questions of hooks side by side are all asked', async () => {
  const hooks = letters(3).map((name) => gated(name))
  const { outcome } = start(hooks)
  hooks[2]?.answer(ask('Third?'))
  hooks[1]?.answer()
  hooks[0]?.answer(ask('First?'))
  const ended = await outcome
  if (ended.type !== 'ask') throw new Error(`It was ${ended.type}.`)
  const asked = ended.questions.toSorted((a, b) => (a.by < b.by ? -1 : 1))
  expect(asked).toEqual([
    { by: 'a', question: 'First?' },
    { by: 'c', question: 'Third?' },
  ])
})

test('F030 a reject that arrives after an ask of the same batch is the outcome', async () => {
  const asks = gated('asks')
  const rejects = gated('rejects')
  const { clock, outcome } = start([asks, rejects])
  asks.answer(ask('Really?'))
  await clock.settle()
  rejects.answer(reject('No.'))
  await expect(outcome).resolves.toMatchObject({
    type: 'reject',
    by: 'rejects',
  })
})

test('a matcher miss leaves its batch to the others, without a record', async () => {
  const a = gated('a')
  const misses = gated('misses', { match: () => false })
  const { engine, outcome } = start([a, misses])
  a.answer()
  const { records } = await outcome
  expect(records.map(({ hook }) => hook)).toEqual(['a'])
  expect(misses.log.begun).toBe(false)
  expect(engine.counts().get('misses')).toMatchObject({ misses: 1 })
})

test('an open hook of a batch that hangs is timed out, and the others count', async () => {
  const hangs = gated('hangs', { onFailure: 'open', timeoutMs: 50 })
  const other = gated('other')
  const { clock, outcome } = start([hangs, other])
  other.answer()
  await clock.advance(50)
  const ended = await outcome
  expect(ended.type).toBe('proceed')
  expect(ended.contributions.all.map(({ by }) => by)).toEqual(['other'])
  expect(hangs.log.aborted).toBe(true)
})

test('what a hook contributes after it has answered does not count, though its batch still runs', async () => {
  const late: (() => void)[] = []
  const early = defineHook({
    name: 'early',
    on: gather,
    capabilities: ['note'],
    run(_, context) {
      late.push(() => context.contribute(note('too late')))
      context.contribute(note('in time'))
      return proceed
    },
  })
  const other = gated('other')
  const { outcome } = start([{ ...other, hook: early }, other])
  for (const contribute of late) contribute()
  other.answer()
  const { contributions } = await outcome
  expect(contributions.all.map(({ value }) => value)).toEqual([
    'in time',
    'by other',
  ])
})
