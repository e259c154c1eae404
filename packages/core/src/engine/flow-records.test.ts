import { expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  defineHook,
  defineKind,
  definePoint,
  type EngineEvent,
  type Hook,
  type HookRecord,
  type Job,
  type LateNote,
  proceed,
  type RecordSink,
  reject,
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
    end: ({ record }) => ended.push(record),
    late: (note) => late.push(note),
  }
  return { sink, started, ended, late }
}

test('an outcome tells how its hooks fared', async () => {
  const clock = createFakeClock()
  const slow = hook('a-slow', async () => {
    await clock.advance(20)
    return transform('Hey')
  })
  const stops = hook('b-stops', () => reject('No.'))
  const hooks = [slow, stops, hook('c-after', () => proceed)]
  const engine = createEngine(compileTable(hooks), { clock })
  const outcome = await engine.run(step, 'hey')
  const told = outcome.runs.map(({ planned, latencyMs, ending }) => {
    const { state, answer, note } = ending
    return [planned.name, latencyMs, state, answer, note]
  })
  expect(told).toEqual([
    ['a-slow', 20, 'completed', 'transform', undefined],
    ['b-stops', 0, 'completed', 'reject', undefined],
    ['c-after', 0, 'skipped', undefined, 'chain-ended'],
  ])
  const recorded = outcome.records.map(({ hook: name }) => name)
  expect(recorded).toEqual(['a-slow', 'b-stops', 'c-after'])
  expect({ ...outcome }).not.toHaveProperty('runs')
})

test('a sink is given what a run said', async () => {
  const said: unknown[] = []
  const note = defineKind<string>()('note')
  const noted = definePoint('test.noted', {
    input: type<string>(),
    answers: ['transform', 'reject'],
    contributes: [note],
  })
  type Shout = Hook<typeof noted, 'blocking', true>['run']
  const shout: Shout = (input, context) => {
    context.contribute(note('seen'))
    return transform(`${input}!`)
  }
  const table = compileTable([
    defineHook({ name: 'a', on: noted, writes: true, run: () => proceed }),
    defineHook({
      name: 'b',
      on: noted,
      writes: true,
      capabilities: ['note'],
      run: shout,
    }),
    defineHook({ name: 'c', on: noted, run: () => reject('No.') }),
  ])
  const records: RecordSink = {
    end: ({ ending: { payload, contributed } }) =>
      said.push({ payload, contributed }),
  }
  await createEngine(table, { records }).run(noted, 'hey')
  expect(said).toEqual([
    {},
    {
      payload: 'hey!',
      contributed: [{ by: 'b', kind: 'note', value: 'seen' }],
    },
    { payload: 'No.' },
  ])
})

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
  expect(started).toEqual([
    {
      dispatch: 'd1',
      point: 'test.step',
      hook: 'a',
      scope: {},
      startedAt: 1_000,
      deadlineMs: 30_000,
      input: 'hey',
    },
  ])
  expect(ended).toEqual([
    {
      dispatch: 'd1',
      inside: undefined,
      scope: {},
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

test('a record has the words of an answer, and never its value', () => {
  const { sink, ended } = createSink()
  for (const answer of [reject('No.'), transform('HEY'), proceed]) {
    const table = compileTable([hook('a', () => answer)])
    void createEngine(table, { records: sink }).run(step, 'hey')
  }
  expect(ended.map(({ answer, reason }) => [answer, reason])).toEqual([
    ['reject', 'No.'],
    ['transform', undefined],
    ['proceed', undefined],
  ])
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

const asked = definePoint('test.asked', {
  input: type<string>(),
  scope: type<{ readonly session?: string }>(),
  answers: ['reject'],
})

/** The scopes of what was recorded, by hook; the later record counts. */
async function scopesOf(hooks: readonly Hook[], scope?: { session: string }) {
  const { sink, ended } = createSink()
  const engine = createEngine(compileTable(hooks), { records: sink })
  await engine.run(asked, 'hey', scope === undefined ? {} : { scope })
  await engine.drain()
  return new Map(ended.map((record) => [record.hook, record.scope]))
}

test('a record has the very scope that its caller gave', async () => {
  const scope = { session: 's-1' }
  const rejects = () => reject('No.')
  const scopes = await scopesOf(
    [
      defineHook({ name: 'decides', on: asked, run: rejects }),
      defineHook({ name: 'is-skipped', on: asked, run: rejects }),
    ],
    scope,
  )
  expect(scopes.get('decides')).toBe(scope)
  expect(scopes.get('is-skipped')).toBe(scope)
})

test('a record has an empty scope where its caller gave none', async () => {
  const run = () => proceed
  const scopes = await scopesOf([defineHook({ name: 'a', on: asked, run })])
  expect(scopes.get('a')).toEqual({})
})

test('the record of a hook that failed has the scope too', async () => {
  const scope = { session: 's-1' }
  const run = () => Promise.reject(new Error('Broken.'))
  const fails = defineHook({ name: 'fails', on: asked, run })
  expect((await scopesOf([fails], scope)).get('fails')).toBe(scope)
})

test('a record of an inner dispatch has the scope of the outer one unless that brings its own', async () => {
  const inner = definePoint('test.inner', { input: type<string>() })
  const other = definePoint('test.other', {
    input: type<string>(),
    scope: type<{ readonly session?: string }>(),
  })
  const scope = { session: 's-1' }
  const own = { session: 'own' }
  const nests = defineHook({
    name: 'nests',
    on: asked,
    async run(input, { dispatch }) {
      await dispatch(inner, input)
      await dispatch(other, input, { scope: own })
      return proceed
    },
  })
  const run = () => proceed
  const inherits = defineHook({ name: 'inherits', on: inner, run })
  const differs = defineHook({ name: 'differs', on: other, run })
  const scopes = await scopesOf([nests, inherits, differs], scope)
  expect(scopes.get('inherits')).toBe(scope)
  expect(scopes.get('differs')).toBe(own)
})

test('the records of observers have the scope of what they observed', async () => {
  const scope = { session: 's-1' }
  const observer = (name: string, execution: 'record' | 'background') =>
    defineHook({ name, on: asked, execution, run: () => {} })
  const scopes = await scopesOf(
    [observer('watches', 'record'), observer('works', 'background')],
    scope,
  )
  expect(scopes.get('watches')).toBe(scope)
  expect(scopes.get('works')).toEqual(scope)
})

test('the record of a job that was stored has the scope that was stored', async () => {
  const jobs: Job[] = []
  const works = defineHook({
    name: 'works',
    on: asked,
    execution: 'background',
    run: () => {},
  })
  const engine = createEngine(compileTable([works]), {
    enqueue: (job) => void jobs.push(job),
  })
  await engine.run(asked, 'hey', { scope: { session: 's-1' } })
  await engine.drain()
  const performed = await engine.perform(JSON.parse(JSON.stringify(jobs[0])))
  expect(performed).toMatchObject({ scope: { session: 's-1' } })
})
