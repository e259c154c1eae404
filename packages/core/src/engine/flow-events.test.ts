import { expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  defineHook,
  definePoint,
  type Engine,
  type EngineEvent,
  type Hook,
  proceed,
  reject,
  transform,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

const step = definePoint('test.step', {
  input: type<string>(),
  answers: ['transform', 'reject'],
})
const seen = definePoint('test.seen', {
  input: type<string>(),
  flow: 'observe',
})

type Run = Hook<typeof step, 'blocking', true>['run']

const hook = (name: string, run: Run) =>
  defineHook({ name, on: step, writes: true, run })

function ids() {
  let count = 0
  return () => `d${++count}`
}

function listen(engine: Engine) {
  const events: EngineEvent[] = []
  engine.observe((event) => events.push(event))
  return events
}

/** An event in one line. */
function tell(event: EngineEvent): string {
  switch (event.type) {
    case 'hook-end':
      return `hook-end ${event.record.hook} ${event.record.state}`
    case 'hook-start':
      return `hook-start ${event.hook}`
    case 'hook-event':
      return `hook-event ${event.hook} ${event.event}`
    case 'dispatch-start':
      return `dispatch-start ${event.point}@${event.depth} ${event.input}`
    case 'dispatch-end':
      return `dispatch-end ${event.point}@${event.depth} ${event.decision.type} ${event.value}`
    case 'alarm':
      return `alarm ${event.code} ${event.about}`
    case 'table-swap':
      return 'table-swap'
  }
}

test('a dispatch is told from its start to its end, hook by hook', () => {
  const engine = createEngine(
    compileTable([
      hook('a', (input) => transform(`${input}!`)),
      hook('b', (_, context) => {
        context.emit('half way')
        return proceed
      }),
      hook('c', () => reject('No.')),
      hook('d', () => proceed),
    ]),
  )
  const events = listen(engine)
  void engine.run(step, 'hey')
  expect(events.map(tell)).toEqual([
    'dispatch-start test.step@0 hey',
    'hook-start a',
    'hook-end a completed',
    'hook-start b',
    'hook-event b half way',
    'hook-end b completed',
    'hook-start c',
    'hook-end c completed',
    'hook-end d skipped',
    'dispatch-end test.step@0 reject hey!',
  ])
})

test('the events of a dispatch carry its id, and its end how long it took', async () => {
  const clock = createFakeClock()
  const { promise, resolve } = Promise.withResolvers<typeof proceed>()
  const engine = createEngine(compileTable([hook('a', () => promise)]), {
    clock,
    nextId: ids(),
  })
  const events = listen(engine)
  const given = engine.run(step, 'hey')
  await clock.advance(25)
  resolve(proceed)
  await given
  expect(events).toEqual([
    {
      type: 'dispatch-start',
      dispatch: 'd1',
      point: 'test.step',
      depth: 0,
      input: 'hey',
    },
    {
      type: 'hook-start',
      dispatch: 'd1',
      point: 'test.step',
      hook: 'a',
      scope: {},
      startedAt: expect.any(Number),
      deadlineMs: 30_000,
      input: 'hey',
    },
    {
      type: 'hook-end',
      record: expect.objectContaining({ dispatch: 'd1', hook: 'a' }),
      error: undefined,
    },
    {
      type: 'dispatch-end',
      dispatch: 'd1',
      point: 'test.step',
      depth: 0,
      decision: { type: 'proceed' },
      value: 'hey',
      latencyMs: 25,
    },
  ])
})

test('the end of a hook that failed carries the error with its cause, which the record does not', () => {
  const cause = new Error('secret path /home/me')
  const engine = createEngine(
    compileTable([
      hook('a', () => {
        throw cause
      }),
    ]),
  )
  const events = listen(engine)
  void engine.run(step, 'hey')
  const end = events.find((event) => event.type === 'hook-end')
  expect(end?.error).toMatchObject({ code: 'threw', hook: 'a', cause })
  expect(JSON.stringify(end?.record)).not.toContain('secret path')
})

test('a dispatch from inside a hook is told inside it, one deeper', () => {
  const inner = definePoint('test.inner', { input: type<string>() })
  const engine = createEngine(
    compileTable([
      hook('a', (_, context) => {
        void context.dispatch(inner, 'in')
        return proceed
      }),
    ]),
  )
  const events = listen(engine)
  void engine.run(step, 'out')
  expect(events.map(tell)).toEqual([
    'dispatch-start test.step@0 out',
    'hook-start a',
    'dispatch-start test.inner@1 in',
    'dispatch-end test.inner@1 proceed in',
    'hook-end a completed',
    'dispatch-end test.step@0 proceed out',
  ])
})

test('a point without hooks is told when somebody listens', () => {
  const engine = createEngine()
  const events = listen(engine)
  expect(engine.run(step, 'hey')).toMatchObject({
    type: 'proceed',
    value: 'hey',
  })
  expect(events.map(tell)).toEqual([
    'dispatch-start test.step@0 hey',
    'dispatch-end test.step@0 proceed hey',
  ])
})

test('at a point without hooks nothing is made when nobody listens', () => {
  const taken: string[] = []
  const engine = createEngine(compileTable([]), {
    nextId: () => {
      taken.push('id')
      return 'id'
    },
    clock: {
      ...createFakeClock(),
      now: () => {
        taken.push('time')
        return 0
      },
    },
  })
  const stop = engine.observe(() => {})
  stop()
  expect(engine.run(step, 'hey')).toMatchObject({ type: 'proceed' })
  expect(taken).toEqual([])
})

test('an observer without listeners runs without events', async () => {
  const clock = createFakeClock()
  const inputs: string[] = []
  const watch = defineHook({
    name: 'watch',
    on: seen,
    run: (input) => void inputs.push(input),
  })
  const engine = createEngine(compileTable([watch]), { clock })
  void engine.run(seen, 'hey')
  await clock.advance(0)
  expect(inputs).toEqual(['hey'])
})

test('the run of an observer is told after the end of its dispatch, under the same id', async () => {
  const clock = createFakeClock()
  const watch = defineHook({ name: 'watch', on: seen, run: () => {} })
  const engine = createEngine(compileTable([watch]), { clock, nextId: ids() })
  const events = listen(engine)
  void engine.run(seen, 'hey')
  await clock.advance(0)
  expect(events.map(tell)).toEqual([
    'dispatch-start test.seen@0 hey',
    'dispatch-end test.seen@0 proceed hey',
    'hook-start watch',
    'hook-end watch completed',
  ])
  const start = events.find((event) => event.type === 'hook-start')
  expect(start?.dispatch).toBe('d1')
})

test('a listener that throws changes nothing, and the others are told', () => {
  const engine = createEngine(
    compileTable([hook('a', (input) => transform(`${input}!`))]),
  )
  const before = listen(engine)
  engine.observe(() => {
    throw new Error('Broken.')
  })
  const after = listen(engine)
  expect(engine.run(step, 'hey')).toMatchObject({ value: 'hey!' })
  expect(after).toEqual(before)
  expect(after).toHaveLength(4)
})

test('how often listeners threw is counted', () => {
  const engine = createEngine()
  engine.observe(() => {
    throw new Error('Broken.')
  })
  void engine.run(step, 'hey')
  expect(engine.counts().get('(listener)')).toMatchObject({ failures: 2 })
})

test('a listener that was stopped is told nothing more, and the others are', () => {
  const engine = createEngine()
  const stopped: EngineEvent[] = []
  const stop = engine.observe((event) => stopped.push(event))
  const kept = listen(engine)
  void engine.run(step, 'one')
  stop()
  stop()
  void engine.run(step, 'two')
  expect(stopped).toHaveLength(2)
  expect(kept).toHaveLength(4)
})

test('a listener may stop itself, or add another, while it is told', () => {
  const engine = createEngine()
  const told: string[] = []
  const stop = engine.observe(({ type }) => {
    told.push(`first ${type}`)
    stop()
    engine.observe((event) => told.push(`second ${event.type}`))
  })
  void engine.run(step, 'hey')
  expect(told).toEqual(['first dispatch-start', 'second dispatch-end'])
})

test('listeners cannot change the input that they are told', () => {
  const point = definePoint('test.list', {
    input: type<{ readonly list: readonly string[] }>(),
  })
  const run = () => proceed
  const table = compileTable([defineHook({ name: 'a', on: point, run })])
  const engine = createEngine(table)
  engine.observe((event) => {
    if (event.type !== 'dispatch-start') return
    expect(Object.isFrozen(Object(event.input).list)).toBe(true)
  })
  void engine.run(point, { list: ['a'] })
  expect(engine.counts().get('(listener)')).toBeUndefined()
})
