// What the flow got wrong once, where several things happen at the same time.
import { expect, test, vi } from 'vitest'
import {
  ask,
  compileTable,
  createEngine,
  createMemoryRecords,
  createMemoryState,
  defineCell,
  defineHook,
  defineKind,
  definePoint,
  type Engine,
  type EngineOptions,
  type Hook,
  proceed,
  reject,
  replace,
  respond,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

const fact = defineKind<string>()('fact')

interface Scope {
  readonly agent?: string
}

const step = definePoint('test.step', {
  input: type<string>(),
  output: type<string>(),
  scope: type<Scope>(),
  answers: ['transform', 'replace', 'reject', 'respond', 'ask'],
  contributes: [fact],
  fields: { agent: (_: string, { agent }: Scope) => agent },
})
const inner = definePoint('test.inner', {
  input: type<string>(),
  answers: ['reject'],
})

type Step = Hook<typeof step, 'blocking', true>
type Watch = Hook<typeof step, 'record', false>

const hook = (name: string, run: Step['run'], more: Partial<Step> = {}) =>
  defineHook({ name, on: step, writes: true, run, ...more })

const watcher = (name: string, run: Watch['run'], more: Partial<Watch> = {}) =>
  defineHook({ name, on: step, execution: 'record', run, ...more })

function start(hooks: readonly Hook[], options: EngineOptions = {}) {
  const clock = createFakeClock()
  const records = createMemoryRecords()
  const ports = { clock, records, ...options }
  return { clock, records, engine: createEngine(compileTable(hooks), ports) }
}

function tellEnds(engine: Engine) {
  const ends: string[] = []
  engine.observe((event) => {
    if (event.type === 'dispatch-end') ends.push(event.decision.type)
  })
  return ends
}

const forever = () => Promise.withResolvers<never>().promise
const throws = () => {
  throw new Error('Broken.')
}

// Dispatch.#note does not look whether the dispatch has ended already.
test('a dispatch that its own hook cancels ends once, and is observed once', async () => {
  const observed: string[] = []
  const controller = new AbortController()
  const { clock, engine } = start([
    hook('a-slow', async () => proceed),
    hook('b-kills', () => {
      controller.abort()
      return reject('Killed.')
    }),
    watcher('watches', (_, { decision }) => void observed.push(decision.type)),
  ])
  const ends = tellEnds(engine)
  const given = engine.run(step, 'hey', { signal: controller.signal })
  await expect(given).rejects.toMatchObject({ code: 'cancelled' })
  await clock.advance(0)
  expect(ends).toEqual(['cancelled'])
  expect(observed).toEqual(['cancelled'])
})

// Dispatch.#wait puts the ended dispatch among the sleepers again.
test('a hook that cancels its dispatch and goes on is told to stop, and is not timed out later', async () => {
  const signals: AbortSignal[] = []
  const controller = new AbortController()
  const { clock, engine, records } = start([
    hook('a-slow', async () => proceed),
    hook('b-kills', (_, { signal }) => {
      signals.push(signal)
      controller.abort()
      return forever()
    }),
  ])
  const ends = tellEnds(engine)
  const given = engine.run(step, 'hey', { signal: controller.signal })
  await expect(given).rejects.toMatchObject({ code: 'cancelled' })
  await clock.advance(60_000)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  expect(records.all().map((one) => [one.hook, one.state])).toEqual([
    ['a-slow', 'completed'],
    ['b-kills', 'cancelled'],
  ])
  expect(ends).toEqual(['cancelled'])
})

// The caller's signal is looked at before the first hook, and listened to only
// from the first promise on.
test('F131 a caller that gives up while a hook answers at once is heeded', async () => {
  const ran: string[] = []
  const controller = new AbortController()
  const { engine } = start([
    hook('a-now', () => {
      controller.abort()
      return proceed
    }),
    hook('b-slow', async () => {
      ran.push('b-slow')
      return proceed
    }),
  ])
  const run = async () => engine.run(step, 'hey', { signal: controller.signal })
  await expect(run()).rejects.toMatchObject({ code: 'cancelled' })
  expect(ran).toEqual([])
})

// Ledger.#complete notes the index of an observer among the waited hooks.
test('F111 an observer that needs a failed hook is skipped, also after another observer has completed', async () => {
  const ran: string[] = []
  const { clock, engine } = start([
    hook('fails', throws, { onFailure: 'open' }),
    watcher('a', () => void ran.push('a')),
    watcher('b', () => void ran.push('b'), { needs: ['fails'] }),
  ])
  void engine.run(step, 'hey')
  await clock.advance(0)
  expect(ran).toEqual(['a'])
})

// `noContributions` is one open array for all dispatches of the process.
test('a hook cannot add to what other hooks contributed, in this dispatch or in others', async () => {
  const forged = { by: 'gate', kind: 'fact', value: 'forged' }
  const seen: number[] = []
  const { engine } = start([
    hook('a', (_, { contributions }) => {
      Reflect.set(contributions.all, contributions.all.length, forged)
      return proceed
    }),
    hook('b', (_, { contributions }) => {
      seen.push(contributions.all.length)
      return proceed
    }),
  ])
  try {
    expect(engine.run(step, 'hey')).toMatchObject({
      contributions: { all: [] },
    })
    expect(seen).toEqual([0])
    const other = start([hook('c', () => proceed)]).engine.run(step, 'hey')
    expect(other).toMatchObject({ contributions: { all: [] } })
  } finally {
    const { contributions } = await createEngine().run(step, '')
    if (!Object.isFrozen(contributions.all)) {
      Reflect.set(contributions.all, 'length', 0)
    }
  }
})

// `none` of the ledger is one open array: writers and questions of all dispatches.
test('a caller that adds to the writers of an outcome changes no other dispatch', async () => {
  const { engine } = start([hook('a', () => proceed)])
  const { writers } = await engine.run(step, 'hey')
  try {
    Reflect.set(writers, 0, 'caller')
    expect(engine.run(step, 'hey')).toMatchObject({
      type: 'proceed',
      writers: [],
    })
  } finally {
    if (!Object.isFrozen(writers)) Reflect.set(writers, 'length', 0)
  }
})

// The decision that all proceeded is one open object for all dispatches.
test('an observer cannot change what others are told was decided', async () => {
  const told: string[] = []
  const { clock, engine } = start([
    watcher(
      'a',
      (_, { decision }) => void Reflect.set(decision, 'type', 'ask'),
    ),
    watcher('b', (_, { decision }) => void told.push(decision.type)),
  ])
  void engine.run(step, 'hey')
  await clock.advance(0)
  const restore = watcher('c', (_, { decision }) => {
    Reflect.set(decision, 'type', 'proceed')
  })
  const after = start([restore])
  void after.engine.run(step, 'hey')
  await after.clock.advance(0)
  expect(told).toEqual(['proceed'])
})

// The scope is the caller's own object, open.
test('T18 a hook cannot write to the scope, and so out of the match of a later gate', async () => {
  const { engine } = start([
    hook('a', (_, { scope }) => {
      Reflect.set(scope, 'agent', 'nobody')
      return proceed
    }),
    hook('gate', () => reject('No.'), { match: { agent: 'main' } }),
  ])
  const scope = { agent: 'main' }
  expect(engine.run(step, 'hey', { scope })).toMatchObject({
    type: 'reject',
    by: 'gate',
  })
})

// Ledger.#apply takes every text that an answer carries for its reason.
test.each<[string, Step['run']]>([
  ['replace', () => replace('hunter2')],
  ['respond', () => respond('hunter2')],
])(
  'the decision of a %s has no reason, and never its content',
  async (_, run) => {
    const reasons: unknown[] = []
    const { clock, engine } = start([
      hook('decides', run),
      watcher(
        'watches',
        (__, { decision }) => void reasons.push(decision.reason),
      ),
    ])
    void engine.run(step, 'hey')
    await clock.advance(0)
    expect(reasons).toEqual([undefined])
  },
)

// The scope is inherited, the state is not.
test('what a hook asks from inside has the state of its own dispatch', () => {
  const visits = defineCell('visits', { initial: () => 0, scope: 'session' })
  const { engine } = start([
    hook('asks', (_, context) => {
      void context.state.update(visits, (n) => n + 1)
      const asked = context.dispatch(inner, '')
      return asked instanceof Promise || asked.type === 'reject'
        ? reject('The inner gate could not read its session.')
        : proceed
    }),
    defineHook({
      name: 'gate',
      on: inner,
      run: (_, { state }) =>
        state.get(visits) === 1 ? proceed : reject('Another state.'),
    }),
  ])
  const state = createMemoryState().at({ session: 's-1' })
  expect(engine.run(step, 'hey', { state })).toMatchObject({ type: 'proceed' })
})

// Without hooks the signal is looked at only when somebody listens.
test('a listener does not change what a caller that gave up gets at a point without hooks', () => {
  const answerOf = (engine: Engine) => {
    try {
      const outcome = engine.run(step, 'hey', { signal: AbortSignal.abort() })
      return outcome instanceof Promise ? 'promise' : outcome.type
    } catch {
      return 'cancelled'
    }
  }
  const quiet = createEngine()
  const watched = createEngine()
  watched.observe(() => {})
  expect(answerOf(watched)).toBe(answerOf(quiet))
})

// Dispatch.#call and #resume fail the run as `threw` without asking for its breach.
test.each<[string, string[], unknown, string]>([
  ['its capability', [], fact('one'), 'missing-capability'],
  [
    'a place at the point',
    ['fact'],
    { kind: 'other', value: 1 },
    'contribution-not-allowed',
  ],
])(
  'a contribution without %s fails its hook with that code, also if the hook lets the error through',
  async (_, capabilities, given, code) => {
    const contributes: Step['run'] = (__, context) => {
      context.contribute(given as ReturnType<typeof fact>)
      return proceed
    }
    const now = start([hook('a', contributes, { capabilities })])
    expect(now.engine.run(step, 'hey')).toMatchObject({ failure: { code } })
    const later: Step['run'] = async (...both) => contributes(...both)
    const soon = start([hook('a', later, { capabilities })])
    await expect(soon.engine.run(step, 'hey')).resolves.toMatchObject({
      failure: { code },
    })
  },
)

// sealData freezes before it has seen whether the value is data.
test('I8 F033 an answer that carries Object.prototype does not freeze it', () => {
  const frozen: unknown[] = []
  const { engine } = start([
    hook('a', () => replace(Object.prototype as never)),
  ])
  const freeze = vi.spyOn(Object, 'freeze').mockImplementation((value) => {
    frozen.push(value)
    return value as object
  })
  try {
    void engine.run(step, 'hey')
  } finally {
    freeze.mockRestore()
  }
  expect(frozen).not.toContain(Object.prototype)
})

// LocalObservers.#queued makes a new hook each time, and the breaker knows hooks by identity.
test('F026 a background hook that cannot be queued five times in a row is quarantined', async () => {
  const { clock, engine, records } = start(
    [
      defineHook({
        name: 'works',
        on: step,
        execution: 'background',
        run: () => {},
      }),
    ],
    { enqueue: throws },
  )
  for (let n = 0; n < 6; n++) {
    void engine.run(step, 'hey')
    await clock.advance(0)
  }
  expect(records.all().at(-1)).toMatchObject({
    state: 'skipped',
    failure: { code: 'quarantined' },
  })
})

// A record has no field that could say it.
test('F019 the record of a run inside another names the run it is nested in', () => {
  const runs: string[] = []
  const { engine, records } = start([
    hook('asks', (_, context) => {
      runs.push(context.run)
      void context.dispatch(inner, '')
      return proceed
    }),
    defineHook({ name: 'gate', on: inner, run: () => proceed }),
  ])
  void engine.run(step, 'hey')
  const nested = records.all().find((record) => record.hook === 'gate')
  expect(JSON.stringify(nested)).toContain(runs[0])
})

// The promise of a cancelled inner dispatch rejects whether somebody waits for it or not.
test('an inner dispatch that its hook did not get to wait for leaves no rejection unhandled', async () => {
  const unhandled: unknown[] = []
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (reason) => unhandled.push(reason))
  const { clock, engine } = start([
    hook(
      'asks',
      async (_, context) => {
        await Promise.resolve()
        const asked = context.dispatch(inner, '')
        await forever()
        await asked
        return proceed
      },
      { timeoutMs: 10 },
    ),
    defineHook({ name: 'hangs', on: inner, run: forever }),
  ])
  try {
    const given = engine.run(step, 'hey')
    await clock.advance(10)
    await given
    await new Promise((resolve) => setImmediate(resolve))
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const other of others) process.on('unhandledRejection', other)
  }
  expect(unhandled).toEqual([])
})

// The replace overwrites the decision, though the outcome is the ask.
test('observers are told of the ask that a later replace left standing', async () => {
  const told: string[] = []
  const { clock, engine } = start([
    hook('a', () => ask('Really?')),
    hook('b', () => replace('other')),
    watcher('watches', (_, { decision }) => void told.push(decision.type)),
  ])
  expect(engine.run(step, 'hey')).toMatchObject({ type: 'ask' })
  await clock.advance(0)
  expect(told).toEqual(['ask'])
})

// Dispatch.#advance gives way to runs that are not there.
test('an engine that may run no hook at all is refused, or runs one; it never hangs', async () => {
  const dispatch = async () => {
    const { clock, engine } = start([hook('a', () => proceed)], {
      parallelism: 0,
    })
    const settled: string[] = []
    const note = (how: string) => () => void settled.push(how)
    const given = Promise.resolve(engine.run(step, 'hey'))
    given.then(note('answered'), note('threw'))
    await clock.advance(120_000)
    return settled.length
  }
  await expect(dispatch().catch(() => 1)).resolves.toBe(1)
})

// HookEngine.observe takes out every listener that is the same function.
test('a listener that was added twice and stopped once is still told', () => {
  const engine = createEngine()
  let told = 0
  const listener = () => {
    told++
  }
  engine.observe(listener)
  const stop = engine.observe(listener)
  stop()
  void engine.run(step, 'hey')
  expect(told).toBe(2)
})

// Which of two dispatches with one deadline is looked at first is where it slept.
test('what an outer hook asked ends the same when its time is up, whenever it was asked', async () => {
  const endOf = async (turns: number) => {
    const { clock, engine, records } = start([
      hook(
        'asks',
        async (_, context) => {
          for (let turn = 0; turn < turns; turn++) await Promise.resolve()
          const asked = Promise.resolve(context.dispatch(inner, ''))
          await asked.catch(() => {})
          return proceed
        },
        { timeoutMs: 10 },
      ),
      defineHook({ name: 'hangs', on: inner, run: forever }),
    ])
    const given = engine.run(step, 'hey')
    await clock.advance(10)
    await given
    return records.all().find((record) => record.hook === 'hangs')?.state
  }
  expect(await endOf(1)).toBe(await endOf(0))
})

// The dispatch may end while its listeners are told that a run begins.
test('a hook does not run in a dispatch that a listener cancelled as it began', async () => {
  const ran: string[] = []
  const controller = new AbortController()
  const { clock, engine } = start([
    hook('a-slow', async () => proceed),
    hook('b-late', () => {
      ran.push('b-late')
      return forever()
    }),
  ])
  engine.observe((event) => {
    if (event.type === 'hook-start' && event.hook === 'b-late') {
      controller.abort()
    }
  })
  const given = engine.run(step, 'hey', { signal: controller.signal })
  await expect(given).rejects.toMatchObject({ code: 'cancelled' })
  await clock.advance(60_000)
  expect(ran).toEqual([])
})
