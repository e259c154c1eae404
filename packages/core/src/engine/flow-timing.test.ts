import { expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  createMemoryRecords,
  defineHook,
  definePoint,
  type Hook,
  HookError,
  proceed,
  reject,
  transform,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

const step = definePoint('test.step', {
  input: type<readonly string[]>(),
  answers: ['transform', 'reject'],
})

type Run = Hook<typeof step, 'blocking', true>['run']

/** Runs hooks in the order given, on a clock that stands still. */
function start(...runs: readonly Run[]) {
  const clock = createFakeClock()
  const hooks = runs.map((run, index) =>
    defineHook({
      name: `hook-${index}`,
      on: step,
      writes: true,
      run,
    }),
  )
  const engine = createEngine(compileTable(hooks), { clock })
  return { clock, given: engine.run(step, []) }
}

const add =
  (name: string): Run =>
  (input) =>
    transform([...input, name])

const addLater =
  (name: string, turns = 1): Run =>
  async (input) => {
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    return transform([...input, name])
  }

test('hooks that answer at once give an outcome that is no promise', () => {
  const { given } = start(add('a'), add('b'), () => proceed)
  expect(given).not.toBeInstanceOf(Promise)
  expect(given).toMatchObject({ type: 'proceed', value: ['a', 'b'] })
})

test('a reject at once gives an outcome that is no promise', () => {
  const { given } = start(() => reject('No.'), addLater('b'))
  expect(given).toMatchObject({ type: 'reject', by: 'hook-0' })
})

test.each([0, 1, 2])(
  'one asynchronous hook, at place %i, makes it a promise',
  async (place) => {
    const runs = [add('a'), add('b'), add('c')]
    runs[place] = addLater('late')
    const { given } = start(...runs)
    expect(given).toBeInstanceOf(Promise)
    const value = ['a', 'b', 'c'].with(place, 'late')
    await expect(given).resolves.toMatchObject({ value })
  },
)

test('serial hooks keep their order however long each of them takes', async () => {
  const { given } = start(
    add('a'),
    addLater('b', 9),
    add('c'),
    addLater('d', 1),
    addLater('e', 5),
    add('f'),
  )
  await expect(given).resolves.toMatchObject({
    value: ['a', 'b', 'c', 'd', 'e', 'f'],
    writers: ['hook-0', 'hook-1', 'hook-2', 'hook-3', 'hook-4', 'hook-5'],
  })
})

test('a serial hook begins only when the one before it has answered', async () => {
  const log: string[] = []
  const note =
    (name: string): Run =>
    async () => {
      log.push(`${name} begins`)
      await Promise.resolve()
      log.push(`${name} ends`)
      return proceed
    }
  await start(note('a'), note('b')).given
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('a serial hook that never answers keeps the next from beginning until its time is up', async () => {
  const seen: string[] = []
  const { clock, given } = start(
    () => Promise.withResolvers<never>().promise,
    () => {
      seen.push('next')
      return proceed
    },
  )
  await clock.advance(29_999)
  expect(seen).toEqual([])
  await clock.advance(1)
  await expect(given).resolves.toMatchObject({ type: 'reject', by: 'hook-0' })
  expect(seen).toEqual([])
})

test('a promise of the shared proceed is a proceed', async () => {
  const { given } = start(() => Promise.resolve(proceed))
  await expect(given).resolves.toMatchObject({
    type: 'proceed',
    records: [{ state: 'completed', answer: 'proceed' }],
  })
})

test('an error to the caller is thrown at once, or rejects the promise, as the hook failed', async () => {
  const failing = (run: Run) => {
    const onFailure = 'required'
    const hook = defineHook({
      name: 'a',
      on: step,
      writes: true,
      onFailure,
      run,
    })
    return createEngine(compileTable([hook]))
  }
  const atOnce = failing(() => {
    throw new Error('Broken.')
  })
  expect(() => atOnce.run(step, [])).toThrow(HookError)
  const later = failing(() => Promise.reject(new Error('Broken.')))
  const given = later.run(step, [])
  await expect(given).rejects.toMatchObject({
    code: 'required-failed',
    hook: 'a',
  })
})

test('the records of a run say when it began and how long it took', async () => {
  const clock = createFakeClock(Date.UTC(2026, 5, 1))
  const { promise, resolve } = Promise.withResolvers<typeof proceed>()
  const hook = defineHook({ name: 'slow', on: step, run: () => promise })
  const engine = createEngine(compileTable([hook]), { clock })
  await clock.advance(500)
  const given = engine.run(step, [])
  await clock.advance(70)
  resolve(proceed)
  const { records } = await given
  const startedAt = Date.UTC(2026, 5, 1) + 500
  expect(records).toMatchObject([{ hook: 'slow', startedAt, latencyMs: 70 }])
})

test('records that nobody is told of are the same whenever they are asked for', async () => {
  const clock = createFakeClock(0)
  const events: string[] = []
  const hooks = ['first', 'second'].map((name) =>
    defineHook({
      name,
      on: step,
      run: async (_, { diagnose }) => {
        diagnose('seen', name)
        if (name === 'first') await clock.advance(30)
        return proceed
      },
    }),
  )
  const engine = createEngine(compileTable(hooks), { clock })
  const outcome = await engine.run(step, [])
  await clock.advance(1_000)
  engine.observe(({ type: told }) => void events.push(told))
  const { records } = outcome
  expect(records).toMatchObject([
    { hook: 'first', startedAt: 0, latencyMs: 30, state: 'completed' },
    { hook: 'second', startedAt: 30, latencyMs: 0, answer: 'proceed' },
  ])
  expect(records[0]?.diagnostics).toMatchObject([{ message: 'first' }])
  await clock.advance(1_000)
  expect(outcome.records[0]).toBe(records[0])
  expect(events).toEqual([])
})

test('F203 a record has the wall time of its start, whenever it is read', async () => {
  const clock = createFakeClock()
  clock.setWall(Date.UTC(2026, 0, 1))
  const waits = defineHook({
    name: 'waits',
    on: step,
    run: async () => {
      await clock.advance(30)
      return proceed
    },
  })
  const records = createMemoryRecords()
  const engine = createEngine(compileTable([waits]), { clock, records })
  const outcome = await engine.run(step, [])
  clock.setWall(Date.UTC(2026, 0, 2))
  const times = { startedAt: Date.UTC(2026, 0, 1), latencyMs: 30 }
  expect(records.all()).toMatchObject([times])
  expect(outcome.records).toMatchObject([times])
  expect(outcome.runs).toMatchObject([times])
})

test('F203 a hook that begins after the wall clock was set has the time that it was set to', async () => {
  const clock = createFakeClock()
  clock.setWall(Date.UTC(2026, 0, 1))
  const hook = (name: string, run: Run) =>
    defineHook({ name, on: step, writes: true, run })
  const sets = hook('a', async () => {
    await clock.advance(30)
    clock.setWall(Date.UTC(2026, 0, 2))
    return proceed
  })
  const table = compileTable([sets, hook('b', () => proceed)])
  const { records } = await createEngine(table, { clock }).run(step, [])
  expect(records).toMatchObject([
    { hook: 'a', startedAt: Date.UTC(2026, 0, 1), latencyMs: 30 },
    { hook: 'b', startedAt: Date.UTC(2026, 0, 2), latencyMs: 0 },
  ])
})
