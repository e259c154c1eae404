import { expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  createMemoryState,
  defineHook,
  definePoint,
  type Engine,
  emptyTable,
  type Job,
  noopEngine,
  proceed,
  type RunOptions,
  type,
} from './index.ts'

const step = definePoint('test.step', {
  input: type<unknown>(),
  output: type<string>(),
  answers: ['transform', 'reject', 'respond', 'ask'],
})
const side = definePoint('test.side', {
  input: type<unknown>(),
  flow: 'parallel',
})
const seen = definePoint('test.seen', {
  input: type<unknown>(),
  flow: 'observe',
})

const engines: [string, Engine][] = [
  ['the engine that never has hooks', noopEngine],
  ['an engine without hooks', createEngine()],
  ['an engine whose hooks are all disabled', createEngine(withDisabledHook())],
]

function withDisabledHook() {
  const run = () => proceed
  return compileTable([
    defineHook({ name: 'a', on: step, disabled: true, run }),
  ])
}

const aborted = AbortSignal.abort()
const state = createMemoryState().at({})

const cases: [string, RunOptions][] = [
  ['no options', {}],
  ['a scope', { scope: { session: 's-1' } }],
  ['a state', { state }],
  ['a deadline that has passed', { deadlineMs: 0 }],
  ['a caller that has given up', { signal: aborted }],
  ['a table of its own', { table: emptyTable }],
]

test.each(
  engines.flatMap(([name, engine]) =>
    cases.map(([what, options]) => ({ name, engine, what, options })),
  ),
)(
  '$name answers at once and as if there were no point, with $what',
  ({ engine, options }) => {
    for (const point of [step, side, seen]) {
      const input = { list: [1] }
      expect(engine.run(point, input, options)).toEqual({
        type: 'proceed',
        value: { list: [1] },
        writers: [],
        contributions: expect.objectContaining({ all: [] }),
        runs: [],
        records: [],
      })
    }
  },
)

test.each(engines)(
  '%s hands its input back as it is and does not freeze it',
  async (_, engine) => {
    const input = { list: [1] }
    const { value } = await engine.run(step, input)
    expect(value).toBe(input)
    input.list.push(2)
    expect(input).toEqual({ list: [1, 2] })
  },
)

test.each(engines)('%s takes inputs of every kind', (_, engine) => {
  for (const input of [undefined, null, 0, '', Symbol.iterator, () => 1]) {
    expect(engine.run(step, input)).toMatchObject({ value: input })
  }
})

const job: Job = {
  dispatch: 'd1',
  point: 'test.step',
  hook: 'gone',
  handler: { id: 'gone', kind: 'code', version: '0' },
  input: null,
  scope: {},
  decision: { type: 'proceed' },
  chain: [],
  attempt: 1,
}

test.each(engines)(
  '%s has nothing to perform, to wait for or to count',
  async (_, engine) => {
    await expect(engine.perform(job)).resolves.toBe('unregistered')
    await expect(engine.drain()).resolves.toBeUndefined()
    expect([...engine.counts()]).toEqual([])
  },
)

test.each(engines)('%s lets a listener come and go', (_, engine) => {
  const stop = engine.observe(() => {})
  expect(stop).not.toThrow()
  expect(stop).not.toThrow()
})

test('the engine that never has hooks keeps its empty table, and tells nobody anything', () => {
  const events: unknown[] = []
  noopEngine.observe((event) => events.push(event))
  const run = () => proceed
  noopEngine.swap(compileTable([defineHook({ name: 'a', on: step, run })]))
  expect(noopEngine.run(step, 'hey')).toMatchObject({ records: [] })
  expect(noopEngine.table.hooks).toEqual([])
  expect(events).toEqual([])
  expect(Object.isFrozen(noopEngine)).toBe(true)
})

test('an engine with hooks freezes its input', () => {
  const run = () => proceed
  const engine = createEngine(
    compileTable([defineHook({ name: 'a', on: step, run })]),
  )
  const input = { list: [1] }
  void engine.run(step, input)
  expect(() => input.list.push(2)).toThrow(TypeError)
})

test('the hooks of one point leave another point without hooks as it is', () => {
  const run = () => proceed
  const engine = createEngine(
    compileTable([defineHook({ name: 'a', on: side, run })]),
  )
  const input = { list: [1] }
  void engine.run(step, input)
  expect(Object.isFrozen(input)).toBe(false)
})

test('every dispatch has an id unlike all others, also of other engines', () => {
  const table = compileTable([
    defineHook({ name: 'a', on: step, run: () => proceed }),
  ])
  const one = createEngine(table)
  const two = createEngine(table)
  const ids = [one, two, one, two].map((engine) => {
    const outcome = engine.run(step, 'hey')
    return outcome instanceof Promise ? '' : outcome.records[0]?.dispatch
  })
  expect(new Set(ids).size).toBe(4)
})

test('an engine without options runs on the clock of its platform', async () => {
  const table = compileTable([
    defineHook({ name: 'a', on: step, run: async () => proceed }),
  ])
  const before = Date.now()
  const { records } = await createEngine(table).run(step, 'hey')
  const { startedAt = 0, latencyMs = -1 } = records[0] ?? {}
  // It is the time of day; how exact it is depends on who else is busy.
  expect(Math.abs(startedAt - before)).toBeLessThan(60_000)
  expect(latencyMs).toBeGreaterThanOrEqual(0)
})
