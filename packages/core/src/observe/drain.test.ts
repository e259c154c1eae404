import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  createMemoryRecords,
  defineHook,
  definePoint,
  type EngineOptions,
  type Hook,
  HookError,
  type Job,
  proceed,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

const pointNamed = (name: string) =>
  definePoint(name, { input: type<string>(), answers: ['reject'] })

const step = pointNamed('test.step')
const other = pointNamed('test.other')

type Watch = Hook<typeof step, 'record', false>

const watcher = (name: string, run: Watch['run'], on = step) =>
  defineHook({ name, on, execution: 'record', run })

function start(hooks: readonly Hook[], options: EngineOptions = {}) {
  const clock = createFakeClock()
  const records = createMemoryRecords()
  const ports = { clock, records, ...options }
  return { clock, records, engine: createEngine(compileTable(hooks), ports) }
}

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, open: () => resolve() }
}

/** Whether a promise has settled by now. */
function watchOver(promise: Promise<unknown>) {
  const watched = { isOver: false }
  void promise.then(() => {
    watched.isOver = true
  })
  return watched
}

test('a drain with nothing to wait for settles', async () => {
  const { engine } = start([])
  await expect(engine.drain()).resolves.toBeUndefined()
})

test('a drain waits for observers that have not begun, and for those that run', async () => {
  const { promise, open } = gate()
  const { clock, engine } = start([watcher('slow', () => promise)])
  void engine.run(step, 'hey')
  const drained = watchOver(engine.drain())
  await clock.settle()
  expect(drained.isOver).toBe(false)
  await clock.advance(0)
  expect(drained.isOver).toBe(false)
  open()
  await clock.settle()
  expect(drained.isOver).toBe(true)
})

test('a drain waits no longer than the time that an observer has', async () => {
  const { clock, engine } = start([
    watcher('hangs', () => Promise.withResolvers<never>().promise),
  ])
  void engine.run(step, 'hey')
  const drained = watchOver(engine.drain())
  await clock.advance(29_999)
  expect(drained.isOver).toBe(false)
  await clock.advance(1)
  await clock.settle()
  expect(drained.isOver).toBe(true)
})

test('a drain waits for observers that other observers caused', async () => {
  const log: string[] = []
  const { clock, engine } = start([
    watcher('first', async (_, context) => {
      log.push('first')
      await context.dispatch(other, 'inner')
    }),
    watcher('second', () => void log.push('second'), other),
  ])
  void engine.run(step, 'hey')
  const drained = engine.drain().then(() => log.push('drained'))
  await clock.advance(0)
  await drained
  expect(log).toEqual(['first', 'second', 'drained'])
})

test('observers of an inner dispatch run also when the outer hook is over', async () => {
  const log: string[] = []
  const nests = defineHook({
    name: 'nests',
    on: step,
    run(_, context) {
      void context.dispatch(other, 'inner')
      return proceed
    },
  })
  const { clock, engine } = start([
    nests,
    watcher(
      'watches',
      (input, { depth }) => void log.push(`${input}@${depth}`),
      other,
    ),
  ])
  void engine.run(step, 'hey')
  await clock.advance(0)
  expect(log).toEqual(['inner@1'])
})

test('F017 an observer of what it causes itself is left out, so that a circle ends', async () => {
  const log: string[] = []
  const echo = (name: string, on: typeof step, next: typeof step) =>
    watcher(
      name,
      async (_, context) => {
        log.push(`${name}@${context.depth}`)
        await context.dispatch(next, 'again')
      },
      on,
    )
  const { clock, engine } = start([
    echo('a', step, other),
    echo('b', other, step),
  ])
  void engine.run(step, 'hey')
  const drained = engine.drain()
  await clock.advance(0)
  await drained
  expect(log).toEqual(['a@0', 'b@1'])
})

test('F017 an observer that drains would wait for itself, and is told so at once', async () => {
  const codes: unknown[] = []
  const { clock, engine, records } = start([
    watcher('drains', async (_, context) => {
      try {
        await engine.drain({ parent: context })
      } catch (error) {
        codes.push(error instanceof HookError && [error.code, error.hook])
        throw error
      }
    }),
  ])
  void engine.run(step, 'hey')
  await clock.advance(0)
  expect(codes).toEqual([['self-wait', 'drains']])
  expect(records.all()).toMatchObject([
    { hook: 'drains', state: 'failed', failure: { code: 'self-wait' } },
  ])
})

test('F017 a hook inside a dispatch that an observer caused would wait for it as well', async () => {
  const codes: unknown[] = []
  const inner = defineHook({
    name: 'inner',
    on: other,
    async run(_, context) {
      await engine.drain({ parent: context }).catch((error) => {
        codes.push(error.code)
      })
      return proceed
    },
  })
  const { clock, engine } = start([
    inner,
    watcher('outer', async (_, context) => {
      await context.dispatch(other, 'inner')
    }),
  ])
  void engine.run(step, 'hey')
  await clock.advance(0)
  expect(codes).toEqual(['self-wait'])
})

test('F017 an async scope finds an observer that drains without saying who it is', async () => {
  const storage = new AsyncLocalStorage<unknown>()
  const asyncScope = {
    run: <T>(run: unknown, callback: () => T) => storage.run(run, callback),
    current: () => storage.getStore(),
  }
  const { clock, engine, records } = start(
    [
      watcher('drains', async () => {
        await Promise.resolve()
        await engine.drain()
      }),
    ],
    { asyncScope },
  )
  void engine.run(step, 'hey')
  await clock.advance(0)
  expect(records.all()).toMatchObject([{ failure: { code: 'self-wait' } }])
})

test('a waited hook may drain what ran before it', async () => {
  const { promise, open } = gate()
  const drains = defineHook({
    name: 'drains',
    on: other,
    async run(_, context) {
      await engine.drain({ parent: context })
      return proceed
    },
  })
  const { clock, engine } = start([drains, watcher('slow', () => promise)])
  void engine.run(step, 'hey')
  const given = watchOver(Promise.resolve(engine.run(other, 'hey')))
  await clock.advance(0)
  expect(given.isOver).toBe(false)
  open()
  await clock.settle()
  expect(given.isOver).toBe(true)
})

test('observers of dispatches that end together begin in the order of their dispatches', async () => {
  const seen: string[] = []
  const { clock, engine } = start([
    watcher('watches', (input) => void seen.push(input)),
  ])
  for (const input of ['one', 'two', 'three']) void engine.run(step, input)
  expect(clock.pending).toBe(1)
  await clock.advance(0)
  expect(seen).toEqual(['one', 'two', 'three'])
})

describe('whoever asked is told that its observers are over', () => {
  test('when the last has ended, also where one has failed', async () => {
    const { promise, open } = gate()
    const fails = () => {
      throw new Error('Broken.')
    }
    const { clock, engine } = start([
      watcher('slow', () => promise),
      watcher('fails', fails),
    ])
    let told = 0
    void engine.run(step, 'hey', { observed: () => told++ })
    await clock.advance(0)
    expect(told).toBe(0)
    open()
    await clock.settle()
    expect(told).toBe(1)
  })

  test('when a background hook is queued, whoever does it and when', async () => {
    const { promise, open } = gate()
    const later = defineHook({
      name: 'later',
      on: step,
      execution: 'background',
      run: () => {},
    })
    const { clock, engine } = start([later], { enqueue: () => promise })
    let told = 0
    void engine.run(step, 'hey', { observed: () => told++ })
    await clock.advance(0)
    expect(told).toBe(0)
    open()
    await clock.settle()
    expect(told).toBe(1)
  })

  test('and one who then throws is an alarm, and nothing else', async () => {
    const alarms: string[] = []
    const { clock, engine } = start([watcher('watches', () => {})])
    engine.observe((event) => {
      if (event.type === 'alarm') alarms.push(`${event.code} ${event.about}`)
    })
    const observed = () => {
      throw new Error('Broken.')
    }
    void engine.run(step, 'hey', { observed })
    await clock.advance(0)
    await engine.drain()
    expect(alarms).toEqual(['port-threw observed'])
  })
})

test('a dispatch that is asked again has the id that it is given, and so have its jobs', async () => {
  const jobs: string[] = []
  const later = defineHook({
    name: 'later',
    on: step,
    execution: 'background',
    run: () => {},
  })
  const enqueue = ({ dispatch }: Job) => void jobs.push(dispatch)
  const { clock, engine } = start([later], { enqueue })
  for (const input of ['one', 'two']) {
    void engine.run(step, input, { id: 'turn-7-end' })
  }
  await clock.advance(0)
  expect(jobs).toEqual(['turn-7-end', 'turn-7-end'])
})
