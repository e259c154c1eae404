import { expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  defineHook,
  definePoint,
  type EngineEvent,
  type Hook,
  type HookRecord,
  type LateNote,
  proceed,
  type RecordSink,
  transform,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

const step = definePoint('test.step', {
  input: type<string>(),
  answers: ['transform', 'reject'],
})

type Step = Hook<typeof step, 'blocking', true>

const hook = (name: string, run: Step['run'], more: Partial<Step> = {}) =>
  defineHook({ name, on: step, writes: true, run, ...more })

function createSink() {
  const started: Parameters<NonNullable<RecordSink['start']>>[0][] = []
  const ended: HookRecord[] = []
  const late: LateNote[] = []
  const sink: RecordSink = {
    start: (run) => started.push(run),
    end: (record) => ended.push(record),
    late: (note) => late.push(note),
  }
  return { sink, started, ended, late }
}

test('a sink is told when a run begins and how it ended', () => {
  const { sink, started, ended } = createSink()
  const handler = { id: 'shouting', version: '3' }
  const table = compileTable([
    hook('a', (input) => transform(input.toUpperCase()), {
      handler,
      visibility: 'user_audit',
    }),
  ])
  const engine = createEngine(table, {
    records: sink,
    nextId: () => 'd1',
    clock: createFakeClock(1_000),
  })
  const outcome = engine.run(step, 'hey')
  expect(started).toEqual([{ dispatch: 'd1', point: 'test.step', hook: 'a' }])
  expect(ended).toEqual([
    {
      dispatch: 'd1',
      point: 'test.step',
      hook: 'a',
      handler: { id: 'shouting', kind: 'code', version: '3' },
      visibility: 'user_audit',
      mode: 'enforce',
      attempt: 1,
      state: 'completed',
      note: undefined,
      startedAt: 1_000,
      latencyMs: 0,
      answer: 'transform',
      decided: false,
      failure: undefined,
      policy: undefined,
      failedOpen: false,
      contributions: [],
      diagnostics: [],
    },
  ])
  expect(outcome).toHaveProperty('records', ended)
})

test('a sink is told of a skipped hook only that it was skipped', () => {
  const { sink, started, ended } = createSink()
  const table = compileTable([
    hook('a', () => ({ type: 'reject', reason: 'No.' })),
    hook('b', () => proceed),
  ])
  void createEngine(table, { records: sink }).run(step, 'hey')
  expect(started.map(({ hook: name }) => name)).toEqual(['a'])
  expect(ended.map((one) => [one.hook, one.state])).toEqual([
    ['a', 'completed'],
    ['b', 'skipped'],
  ])
})

test.each([
  ['answered', () => Promise.resolve(proceed)],
  ['threw', () => Promise.reject(new Error('Broken.'))],
] as const)(
  'a sink is told of a late run that %s, once',
  async (settled, end) => {
    const clock = createFakeClock()
    const { sink, ended, late } = createSink()
    const { promise, resolve } = Promise.withResolvers<typeof proceed>()
    const slow = hook('slow', () => promise, {
      timeoutMs: 10,
      onFailure: 'open',
    })
    const engine = createEngine(compileTable([slow]), {
      clock,
      records: sink,
      nextId: () => 'd1',
    })
    const given = engine.run(step, 'hey')
    await clock.advance(10)
    await given
    expect(late).toEqual([])
    await clock.advance(90)
    resolve(end())
    await clock.settle()
    expect(late).toEqual([
      {
        dispatch: 'd1',
        hook: 'slow',
        point: 'test.step',
        settled,
        latencyMs: 100,
      },
    ])
    expect(ended.map(({ state }) => state)).toEqual(['timed_out'])
  },
)

test('a sink that throws changes nothing and is alarmed each time', async () => {
  const clock = createFakeClock()
  const breaks = () => {
    throw new Error('The disk is full.')
  }
  const records = { start: breaks, end: breaks, late: breaks }
  const { promise, resolve } = Promise.withResolvers<typeof proceed>()
  const table = compileTable([
    hook('a', (input) => transform(`${input}!`)),
    hook('b', () => promise, { timeoutMs: 10, onFailure: 'open' }),
  ])
  const engine = createEngine(table, { clock, records })
  const alarms: EngineEvent[] = []
  engine.observe((event) => {
    if (event.type === 'alarm') alarms.push(event)
  })
  const given = engine.run(step, 'hey')
  await clock.advance(10)
  await expect(given).resolves.toMatchObject({
    type: 'proceed',
    value: 'hey!',
    records: [{ hook: 'a' }, { hook: 'b', state: 'timed_out' }],
  })
  resolve(proceed)
  await clock.settle()
  const broken = { type: 'alarm', code: 'port-threw', about: 'records' }
  const late = { type: 'alarm', code: 'late', about: 'b' }
  // Two runs began and ended, and one was heard of again.
  expect(alarms).toEqual([broken, broken, broken, broken, broken, late])
})

test('a sink that throws changes nothing when nobody listens', () => {
  const records = {
    end: () => {
      throw new Error('The disk is full.')
    },
  }
  const table = compileTable([hook('a', (input) => transform(`${input}!`))])
  const engine = createEngine(table, { records })
  expect(engine.run(step, 'hey')).toMatchObject({ value: 'hey!' })
})
