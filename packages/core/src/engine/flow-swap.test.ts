import { expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  defineHook,
  definePoint,
  type EngineEvent,
  emptyTable,
  type Hook,
  HookError,
  proceed,
  reject,
  type Table,
  transform,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

const step = definePoint('test.step', {
  input: type<readonly string[]>(),
  answers: ['transform', 'reject'],
})
const next = definePoint('test.next', {
  input: type<readonly string[]>(),
  answers: ['transform', 'reject'],
})

type Run = Hook<typeof step, 'blocking', true>['run']

const hook = (name: string, run: Run, on = step) =>
  defineHook({ name, on, writes: true, run })

/** Adds its name to the value. */
const mark = (name: string, on = step) =>
  hook(name, (input) => transform([...input, name]), on)

const tableOf = (...hooks: readonly Hook[]) => compileTable(hooks)

test('F020 F119 a dispatch ends on the table it began with, and the next sees the newest', () => {
  const swaps = hook('a-swaps', (input) => {
    engine.swap(tableOf(mark('new')))
    return transform([...input, 'a-swaps'])
  })
  const engine = createEngine(tableOf(swaps, mark('b-old')))
  expect(engine.run(step, [])).toMatchObject({ value: ['a-swaps', 'b-old'] })
  expect(engine.run(step, [])).toMatchObject({ value: ['new'] })
})

test('F020 F119 a dispatch that takes its time ends on the table it began with', async () => {
  const clock = createFakeClock()
  const { promise, resolve } = Promise.withResolvers<typeof proceed>()
  const slow = hook('a-slow', () => promise)
  const engine = createEngine(tableOf(slow, mark('b-old')), { clock })
  const given = engine.run(step, [])
  engine.swap(tableOf(mark('new')))
  await clock.settle()
  expect(engine.run(step, [])).toMatchObject({ value: ['new'] })
  resolve(proceed)
  await expect(given).resolves.toMatchObject({
    value: ['b-old'],
    records: [{ hook: 'a-slow' }, { hook: 'b-old' }],
  })
})

test('F020 a hook that takes itself out of the table still counts for this dispatch', () => {
  const once = hook('once', (input) => {
    engine.swap(emptyTable)
    return transform([...input, 'once'])
  })
  const engine = createEngine(tableOf(once))
  expect(engine.run(step, [])).toMatchObject({
    value: ['once'],
    records: [{ hook: 'once', state: 'completed' }],
  })
  expect(engine.run(step, [])).toMatchObject({ value: [], records: [] })
})

test('F020 a reject of a hook that was taken out meanwhile is a reject', async () => {
  const clock = createFakeClock()
  const { promise, resolve } =
    Promise.withResolvers<ReturnType<typeof reject>>()
  const engine = createEngine(tableOf(hook('gate', () => promise)), { clock })
  const given = engine.run(step, [])
  engine.swap(emptyTable)
  resolve(reject('No.'))
  await expect(given).resolves.toMatchObject({ type: 'reject', by: 'gate' })
})

test('F020 a swapped-out hook that hangs is still timed out', async () => {
  const clock = createFakeClock()
  const hangs = hook('hangs', () => Promise.withResolvers<never>().promise)
  const engine = createEngine(tableOf(hangs), { clock })
  const given = engine.run(step, [])
  engine.swap(emptyTable)
  await clock.advance(30_000)
  await expect(given).resolves.toMatchObject({
    type: 'reject',
    failure: { code: 'timed-out' },
  })
})

test('F119 a table that the caller holds is the table of all its dispatches', () => {
  const held = tableOf(mark('old-1'), mark('old-2', next))
  const engine = createEngine(held)
  engine.swap(tableOf(mark('new-1'), mark('new-2', next)))
  const options = { table: held }
  expect(engine.run(step, [], options)).toMatchObject({ value: ['old-1'] })
  expect(engine.run(next, [], options)).toMatchObject({ value: ['old-2'] })
  expect(engine.run(step, [])).toMatchObject({ value: ['new-1'] })
  expect(engine.run(next, [])).toMatchObject({ value: ['new-2'] })
})

test('F119 a table that the caller holds counts also where the newest has no hook', () => {
  const engine = createEngine()
  const table = tableOf(mark('held'))
  expect(engine.run(step, [], { table })).toMatchObject({ value: ['held'] })
  engine.swap(table)
  expect(engine.run(step, [], { table: emptyTable })).toMatchObject({
    value: [],
  })
})

test('a bad new table never gets in: it cannot be made, and the old one stays', () => {
  const engine = createEngine(tableOf(mark('old')))
  const replaceTable = (make: () => Table) => engine.swap(make())
  expect(() => replaceTable(() => tableOf(mark('twin'), mark('twin')))).toThrow(
    HookError,
  )
  expect(engine.table.hooks).toMatchObject([{ name: 'old' }])
  expect(engine.run(step, [])).toMatchObject({ value: ['old'] })
})

test('a table is frozen: it is replaced whole, never changed', () => {
  expect(Object.isFrozen(tableOf(mark('a')))).toBe(true)
})

test('a swap tells listeners which table went and which came', () => {
  const from = tableOf(mark('old'))
  const to = tableOf(mark('new'))
  const engine = createEngine(from)
  const events: EngineEvent[] = []
  engine.observe((event) => events.push(event))
  engine.swap(to)
  expect(events).toEqual([{ type: 'table-swap', from, to }])
  expect(engine.table).toBe(to)
})

test('what a hook asks from inside is asked on the newest table', () => {
  const seen: unknown[] = []
  const nests = hook('nests', (_, context) => {
    engine.swap(tableOf(mark('new', next)))
    const inner = context.dispatch(next, [])
    seen.push(inner instanceof Promise || inner.value)
    return proceed
  })
  const engine = createEngine(tableOf(nests, mark('old', next)))
  void engine.run(step, [])
  expect(seen).toEqual([['new']])
})
