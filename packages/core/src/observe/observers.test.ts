import { expect, test } from 'vitest'
import {
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
  transform,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

const audit = defineKind<string>()('audit', { unwaited: true })

const step = definePoint('test.step', {
  input: type<string>(),
  answers: ['transform', 'reject'],
  contributes: [audit],
  fields: { text: (input: string) => input },
})
const done = definePoint('test.done', {
  input: type<string>(),
  flow: 'observe',
  contributes: [audit],
})

type Watch = Hook<typeof step, 'record', false>
type Decide = Hook<typeof step, 'blocking', true>

const watcher = (name: string, run: Watch['run'], more: Partial<Watch> = {}) =>
  defineHook({ name, on: step, execution: 'record', run, ...more })

const decider = (
  name: string,
  run: Decide['run'],
  more: Partial<Decide> = {},
) => defineHook({ name, on: step, writes: true, run, ...more })

function start(hooks: readonly Hook[], options: EngineOptions = {}) {
  const clock = createFakeClock()
  const records = createMemoryRecords()
  const ports = { clock, records, ...options }
  const engine = createEngine(compileTable(hooks), ports)
  return { clock, engine, records }
}

const forever = () => Promise.withResolvers<never>().promise

test('an observer begins only when its caller has the outcome', async () => {
  const log: string[] = []
  const { clock, engine } = start([
    decider('decides', () => proceed),
    watcher('watches', () => void log.push('observed')),
  ])
  void engine.run(step, 'hey')
  log.push('caller has it')
  await clock.advance(0)
  expect(log).toEqual(['caller has it', 'observed'])
})

test('an observer begins only when a caller that had to wait has the outcome', async () => {
  const log: string[] = []
  const { clock, engine } = start([
    decider('decides', async () => proceed),
    watcher('watches', () => void log.push('observed')),
  ])
  const caller = async () => {
    await engine.run(step, 'hey')
    await Promise.resolve()
    log.push('caller has it')
  }
  const called = caller()
  await clock.advance(0)
  await called
  expect(log).toEqual(['caller has it', 'observed'])
})

test('an observer begins only when a caller that is thrown at has the error', async () => {
  const log: string[] = []
  const broken = () => {
    throw new Error('Broken.')
  }
  const { clock, engine } = start([
    decider('decides', broken, { onFailure: 'required' }),
    watcher('watches', (_, { decision }) => void log.push(decision.type)),
  ])
  expect(() => engine.run(step, 'hey')).toThrow('required')
  expect(log).toEqual([])
  await clock.advance(0)
  expect(log).toEqual(['error'])
})

test('an observer cannot delay the dispatch, nor the next one', async () => {
  const { clock, engine } = start([watcher('hangs', forever)])
  expect(engine.run(step, 'one')).toMatchObject({ type: 'proceed' })
  await clock.advance(0)
  expect(engine.run(step, 'two')).toMatchObject({ type: 'proceed' })
})

test('an observer gets the final value', async () => {
  const seen: string[] = []
  const { clock, engine } = start([
    watcher('watches', (input) => void seen.push(input), { priority: 1 }),
    decider('a', (input) => transform(`${input}!`)),
    decider('b', (input) => transform(`${input}?`)),
  ])
  void engine.run(step, 'hey')
  await clock.advance(0)
  expect(seen).toEqual(['hey!?'])
})

test('observers begin at the same time', async () => {
  const begun: string[] = []
  const hangs = (name: string) =>
    watcher(name, () => {
      begun.push(name)
      return forever()
    })
  const { clock, engine } = start([hangs('a'), hangs('b'), hangs('c')])
  void engine.run(step, 'hey')
  await clock.advance(0)
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('observers are not in the outcome, but have records of their own under its id', async () => {
  const { clock, engine, records } = start([
    decider('decides', () => proceed),
    watcher('watches', () => {}),
  ])
  const outcome = engine.run(step, 'hey')
  expect(outcome).toHaveProperty('records.length', 1)
  await clock.advance(0)
  const [decided, watched] = records.all()
  expect(watched).toMatchObject({
    hook: 'watches',
    state: 'completed',
    answer: undefined,
    decided: false,
    dispatch: decided?.dispatch,
  })
})

test.each<[string, unknown]>([
  ['a reject', reject('No.')],
  ['a transform', transform('other')],
  ['nonsense', 'nonsense'],
])(
  'F047 %s that an observer returns is ignored, and it has completed',
  async (_, given) => {
    const { clock, engine, records } = start([
      watcher('watches', () => given as undefined),
    ])
    const outcome = engine.run(step, 'hey')
    await clock.advance(0)
    expect(outcome).toMatchObject({
      type: 'proceed',
      value: 'hey',
      writers: [],
    })
    expect(records.all()).toMatchObject([
      { hook: 'watches', state: 'completed', answer: undefined },
    ])
  },
)

test('the failure of an observer is recorded, with no policy', async () => {
  const { clock, engine, records } = start([
    watcher('a-throws', () => {
      throw new Error('Broken.')
    }),
    watcher('b-rejects', () => Promise.reject(new Error('Broken.'))),
    watcher('c-watches', () => {}),
  ])
  void engine.run(step, 'hey')
  await clock.advance(0)
  const failed = {
    state: 'failed',
    failure: { code: 'threw' },
    policy: undefined,
    failedOpen: false,
    decided: false,
  }
  expect(records.all()).toMatchObject([
    { hook: 'a-throws', ...failed },
    { hook: 'c-watches', state: 'completed' },
    { hook: 'b-rejects', ...failed },
  ])
  expect(engine.counts().get('a-throws')).toMatchObject({
    failures: 1,
    failedOpen: 0,
  })
})

test('an observer whose time is up is recorded and told to stop', async () => {
  const signals: AbortSignal[] = []
  const { clock, engine, records } = start([
    watcher(
      'hangs',
      (_, { signal }) => {
        signals.push(signal)
        return forever()
      },
      { timeoutMs: 20 },
    ),
  ])
  void engine.run(step, 'hey')
  await clock.advance(19)
  expect(records.all()).toEqual([])
  await clock.advance(1)
  expect(records.all()).toMatchObject([
    { hook: 'hangs', state: 'timed_out', failure: { code: 'timed-out' } },
  ])
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test('an observer has its own time, not what the dispatch had left', async () => {
  const seen: number[] = []
  const { clock, engine } = start([
    watcher('watches', (_, { remainingMs }) => void seen.push(remainingMs)),
  ])
  void engine.run(step, 'hey', { deadlineMs: 5 })
  await clock.advance(0)
  expect(seen).toEqual([30_000])
})

test('what observers contribute is collected once they have completed', async () => {
  const collected: unknown[] = []
  const contributes = (name: string, more?: () => Promise<void>) =>
    watcher(
      name,
      async (_, context) => {
        context.contribute(audit(`by ${name}`))
        await more?.()
      },
      { capabilities: ['audit'] },
    )
  const broken = async () => {
    throw new Error('Broken.')
  }
  const { clock, engine } = start(
    [contributes('a'), contributes('b', broken), contributes('c')],
    { collect: (all) => collected.push(all) },
  )
  const outcome = engine.run(step, 'hey')
  await clock.advance(0)
  expect(collected).toEqual([
    [
      { by: 'a', kind: 'audit', value: 'by a' },
      { by: 'c', kind: 'audit', value: 'by c' },
    ],
  ])
  expect(outcome).toMatchObject({ contributions: { all: [] } })
})

test('what waited hooks contribute is in the outcome and is not collected', async () => {
  const collected: unknown[] = []
  const contributes = decider(
    'decides',
    (_, context) => {
      context.contribute(audit('waited'))
      return proceed
    },
    { capabilities: ['audit'] },
  )
  const { clock, engine } = start([contributes, watcher('watches', () => {})], {
    collect: (all) => collected.push(all),
  })
  expect(engine.run(step, 'hey')).toMatchObject({
    contributions: { all: [{ value: 'waited' }] },
  })
  await clock.advance(0)
  expect(collected).toEqual([])
})

test('a collect that throws is alarmed, and changes nothing', async () => {
  const alarms: string[] = []
  const { clock, engine, records } = start(
    [
      watcher('a', (_, context) => context.contribute(audit('one')), {
        capabilities: ['audit'],
      }),
    ],
    {
      collect: () => {
        throw new Error('Broken.')
      },
    },
  )
  engine.observe((event) => {
    if (event.type === 'alarm') alarms.push(`${event.code} ${event.about}`)
  })
  void engine.run(step, 'hey')
  await clock.advance(0)
  await engine.drain()
  expect(alarms).toEqual(['port-threw collect'])
  expect(records.all()).toMatchObject([{ state: 'completed' }])
})

test('an observer is matched by the final value; a miss is counted and has no record', async () => {
  const seen: string[] = []
  const { clock, engine, records } = start([
    decider('decides', () => transform('final')),
    watcher('a', (input) => void seen.push(input), {
      match: { text: 'final' },
    }),
    watcher('b', (input) => void seen.push(input), { match: { text: 'hey' } }),
  ])
  void engine.run(step, 'hey')
  await clock.advance(0)
  expect(seen).toEqual(['final'])
  expect(records.all().map(({ hook }) => hook)).toEqual(['decides', 'a'])
  expect(engine.counts().get('b')).toMatchObject({ misses: 1, failures: 0 })
})

test('an observer that needs a waited hook runs if that one completed', async () => {
  const ran: string[] = []
  const throws = () => {
    throw new Error('Broken.')
  }
  const { clock, engine, records } = start([
    decider('fails', throws, { onFailure: 'open' }),
    decider('passes', () => proceed),
    watcher('a', () => void ran.push('a'), { needs: ['fails'] }),
    watcher('b', () => void ran.push('b'), { needs: ['passes'] }),
  ])
  void engine.run(step, 'hey')
  await clock.advance(0)
  expect(ran).toEqual(['b'])
  expect(records.all()).toMatchObject([
    { hook: 'fails' },
    { hook: 'passes' },
    { hook: 'a', state: 'skipped', failure: { code: 'needs-failed' } },
    { hook: 'b', state: 'completed' },
  ])
})

test('an observer has the scope and the state of its dispatch', async () => {
  const seen: unknown[] = []
  const state = { get: () => 'kept' as never, update: () => 'kept' as never }
  const { clock, engine } = start(
    [
      watcher('watches', (_, context) => {
        seen.push(context.scope, context.state === state, context.run)
      }),
    ],
    { nextId: () => 'd1' },
  )
  void engine.run(step, 'hey', { scope: { session: 's-1' }, state })
  await clock.advance(0)
  expect(seen).toEqual([{ session: 's-1' }, true, 'd1/watches'])
})

test('the cancellation of the caller does not cancel observers', async () => {
  const log: string[] = []
  const controller = new AbortController()
  const { clock, engine, records } = start([
    decider('hangs', forever),
    watcher('watches', async (_, { decision, signal }) => {
      log.push(decision.type)
      await Promise.resolve()
      log.push(signal.aborted ? 'aborted' : 'undisturbed')
    }),
  ])
  const { signal } = controller
  const given = engine.run(step, 'hey', { signal })
  controller.abort()
  await expect(given).rejects.toMatchObject({ code: 'cancelled' })
  await clock.advance(0)
  expect(log).toEqual(['cancelled', 'undisturbed'])
  expect(records.all().at(-1)).toMatchObject({
    hook: 'watches',
    state: 'completed',
  })
})

test('the cancellation of the caller after the outcome does not cancel observers', async () => {
  const controller = new AbortController()
  const { clock, engine, records } = start([
    watcher('watches', async () => {
      await Promise.resolve()
    }),
  ])
  const { signal } = controller
  void engine.run(step, 'hey', { signal })
  controller.abort()
  await clock.advance(0)
  expect(records.all()).toMatchObject([{ state: 'completed' }])
})

test('a point that only observes answers at once, whatever its hooks do', async () => {
  const run = () => forever()
  const { clock, engine } = start([
    defineHook({ name: 'hangs', on: done, timeoutMs: 10, run }),
  ])
  expect(engine.run(done, 'hey')).toMatchObject({
    type: 'proceed',
    records: [],
  })
  await clock.advance(10)
  expect(engine.counts().get('hangs')).toMatchObject({ failures: 1 })
})

test('an observer in evaluate mode is recorded, and what it contributes is not collected', async () => {
  const collected: unknown[] = []
  const { clock, engine, records } = start(
    [
      watcher('a', (_, context) => context.contribute(audit('one')), {
        capabilities: ['audit'],
        mode: 'evaluate',
      }),
    ],
    { collect: (all) => collected.push(all) },
  )
  void engine.run(step, 'hey')
  await clock.advance(0)
  expect(collected).toEqual([])
  expect(records.all()).toMatchObject([
    { mode: 'evaluate', contributions: [{ kind: 'audit' }] },
  ])
})

test('an observer after another starts when that one has ended', async () => {
  const log: string[] = []
  const clock = createFakeClock()
  const on = definePoint('test.after', { input: type<string>() })
  const watch = (name: string, ms: number, after: string[] = []) =>
    defineHook({
      name,
      on,
      execution: 'record',
      after,
      async run() {
        log.push(`${name} starts`)
        await new Promise<void>((resolve) => void clock.after(ms, resolve))
        log.push(`${name} ends`)
      },
    })
  const hooks = [watch('a', 10), watch('b', 1, ['a']), watch('c', 1)]
  const engine = createEngine(compileTable(hooks), { clock })
  void engine.run(on, '')
  await clock.advance(100)
  const order = [
    'a starts',
    'a ends',
    'b starts',
    'c starts',
    'b ends',
    'c ends',
  ]
  expect(log).toEqual(order)
})

test('observers see what the hook that decided contributed', async () => {
  const seen: unknown[] = []
  const fact = defineKind<string>()('fact')
  const on = definePoint('test.seen', {
    input: type<string>(),
    answers: ['reject'],
    contributes: [fact],
  })
  const decides = defineHook({
    name: 'decides',
    on,
    capabilities: ['fact'],
    run(_, { contribute }) {
      contribute(fact('known'))
      return reject('No.')
    },
  })
  const watches = defineHook({
    name: 'watches',
    on,
    execution: 'record',
    run: (_, { contributions }) => void seen.push(...contributions.of(fact)),
  })
  const engine = createEngine(compileTable([decides, watches]))
  void engine.run(on, '')
  await engine.drain()
  expect(seen).toEqual([{ by: 'decides', kind: 'fact', value: 'known' }])
})
