import { expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  createMemoryRecords,
  createMemoryState,
  defineCell,
  defineHook,
  defineKind,
  definePoint,
  type EngineOptions,
  emptyTable,
  type Hook,
  type Job,
  reject,
  transform,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

const audit = defineKind<string>()('audit', { unwaited: true })

const step = definePoint('test.step', {
  input: type<{ readonly text: string }>(),
  answers: ['transform', 'reject'],
  contributes: [audit],
  fields: { text: ({ text }: { text: string }) => text },
})

type Work = Hook<typeof step, 'background', false>

const worker = (run: Work['run'], more: Partial<Work> = {}) =>
  defineHook({ name: 'works', on: step, execution: 'background', run, ...more })

function start(hooks: readonly Hook[], options: EngineOptions = {}) {
  const clock = createFakeClock()
  const records = createMemoryRecords()
  const jobs: Job[] = []
  const engine = createEngine(compileTable(hooks), {
    clock,
    records,
    nextId: () => 'd1',
    enqueue: (job) => void jobs.push(job),
    ...options,
  })
  return { clock, engine, jobs, records }
}

/** A job as a queue would hand it back: through JSON. */
function stored(job: Job | undefined): Job {
  return JSON.parse(JSON.stringify(job))
}

test('a background hook becomes a job of plain data, and is recorded as backgrounded', async () => {
  const ran: unknown[] = []
  const { clock, engine, jobs, records } = start([
    worker(() => void ran.push('ran'), {
      handler: { id: 'mail', version: '2' },
    }),
  ])
  const scope = { session: 's-1' }
  expect(engine.run(step, { text: 'hey' }, { scope })).toMatchObject({
    type: 'proceed',
    records: [],
  })
  await clock.advance(0)
  expect(jobs).toEqual([
    {
      dispatch: 'd1',
      point: 'test.step',
      hook: 'works',
      handler: { id: 'mail', kind: 'code', version: '2' },
      input: { text: 'hey' },
      scope,
      decision: { type: 'proceed' },
      chain: [],
      attempt: 1,
    },
  ])
  expect(stored(jobs[0])).toEqual(jobs[0])
  expect(records.all()).toMatchObject([
    { hook: 'works', state: 'backgrounded', dispatch: 'd1' },
  ])
  expect(ran).toEqual([])
})

test('a job holds the final value and the decision', async () => {
  const gate = defineHook({
    name: 'gate',
    on: step,
    writes: true,
    run: ({ text }) =>
      text === 'hey' ? transform({ text: 'HEY' }) : reject('No.'),
  })
  const { clock, engine, jobs } = start([gate, worker(() => {})])
  void engine.run(step, { text: 'hey' })
  void engine.run(step, { text: 'no' })
  await clock.advance(0)
  expect(jobs).toMatchObject([
    { input: { text: 'HEY' }, decision: { type: 'proceed' } },
    {
      input: { text: 'no' },
      decision: { type: 'reject', by: 'gate', reason: 'No.' },
    },
  ])
})

test('a background hook whose matcher does not want the value becomes no job', async () => {
  const { clock, engine, jobs, records } = start([
    worker(() => {}, { match: { text: 'other' } }),
  ])
  void engine.run(step, { text: 'hey' })
  await clock.advance(0)
  expect(jobs).toEqual([])
  expect(records.all()).toEqual([])
  expect(engine.counts().get('works')).toMatchObject({ misses: 1 })
})

test('a job that is performed runs with its input, scope and decision, and leaves one record', async () => {
  const seen: unknown[] = []
  const { clock, engine, jobs, records } = start([
    worker((input, { decision, scope, run }) => {
      seen.push({ input, decision, scope, run })
    }),
  ])
  const scope = { session: 's-1' }
  void engine.run(step, { text: 'hey' }, { scope })
  await clock.advance(0)
  const record = await engine.perform({ ...stored(jobs[0]), attempt: 3 })
  expect(record).toMatchObject({
    dispatch: 'd1',
    hook: 'works',
    state: 'completed',
    attempt: 3,
    answer: undefined,
  })
  expect(seen).toEqual([
    {
      input: { text: 'hey' },
      decision: { type: 'proceed' },
      scope,
      run: 'd1/works',
    },
  ])
  const states = records.all().map(({ state, attempt }) => [state, attempt])
  expect(states).toEqual([
    ['backgrounded', 1],
    ['completed', 3],
  ])
})

const job: Job = {
  dispatch: 'd9',
  point: 'test.step',
  hook: 'works',
  handler: { id: 'works', kind: 'code', version: '0' },
  input: { text: 'hey' },
  scope: {},
  decision: { type: 'proceed' },
  chain: [],
  attempt: 1,
}

test('a job that fails leaves its failure in its record', async () => {
  const { engine } = start([
    worker(() => {
      throw new Error('Broken.')
    }),
  ])
  await expect(engine.perform(job)).resolves.toMatchObject({
    state: 'failed',
    failure: { code: 'threw' },
    policy: undefined,
  })
})

test('a job whose time is up leaves that in its record', async () => {
  const { clock, engine } = start([
    worker(() => Promise.withResolvers<never>().promise, { timeoutMs: 10 }),
  ])
  const performed = engine.perform(job)
  await clock.advance(10)
  await expect(performed).resolves.toMatchObject({ state: 'timed_out' })
})

test('what a job contributes is collected', async () => {
  const collected: unknown[] = []
  const { engine } = start(
    [
      worker((_, context) => context.contribute(audit('sent')), {
        capabilities: ['audit'],
      }),
    ],
    { collect: (all) => collected.push(...all) },
  )
  await engine.perform(job)
  expect(collected).toEqual([{ by: 'works', kind: 'audit', value: 'sent' }])
})

test('a job whose hook is gone is refused as unregistered', async () => {
  const { engine } = start([worker(() => {})])
  await expect(engine.perform({ ...job, hook: 'gone' })).resolves.toBe(
    'unregistered',
  )
  await expect(engine.perform({ ...job, point: 'test.gone' })).resolves.toBe(
    'unregistered',
  )
  engine.swap(emptyTable)
  await expect(engine.perform(job)).resolves.toBe('unregistered')
})

test('a job whose hook is disabled, or no longer runs in the background, is refused as unregistered', async () => {
  const disabled = start([worker(() => {}, { disabled: true })])
  await expect(disabled.engine.perform(job)).resolves.toBe('unregistered')
  const run = () => {}
  const record = start([
    defineHook({ name: 'works', on: step, execution: 'record', run }),
  ])
  await expect(record.engine.perform(job)).resolves.toBe('unregistered')
})

test.each([{ version: '2' }, { id: 'other' }, { kind: 'http' }])(
  'a job whose handler is another one now (%o) is refused as version-changed',
  async (handler) => {
    const ran: unknown[] = []
    const { engine, records } = start([
      worker(() => void ran.push('ran'), { handler }),
    ])
    await expect(engine.perform(job)).resolves.toBe('version-changed')
    expect(ran).toEqual([])
    expect(records.all()).toEqual([])
  },
)

test('a job is not matched again: it matched when it was queued', async () => {
  const { engine } = start([worker(() => {}, { match: () => false })])
  await expect(engine.perform(job)).resolves.toMatchObject({
    state: 'completed',
  })
})

test('a job runs also when what its hook needs is not there to complete again', async () => {
  const gate = defineHook({
    name: 'gate',
    on: step,
    run: () => reject('No.'),
  })
  const { engine } = start([gate, worker(() => {}, { needs: ['gate'] })])
  await expect(engine.perform(job)).resolves.toMatchObject({
    state: 'completed',
  })
})

test.each<[string, () => void | Promise<void>]>([
  [
    'throws',
    () => {
      throw new Error('The queue is full.')
    },
  ],
  ['rejects', () => Promise.reject(new Error('The queue is full.'))],
])(
  'an enqueue that %s is recorded as failed, and nothing else changes',
  async (_, enqueue) => {
    const { clock, engine, records } = start([worker(() => {})], { enqueue })
    const outcome = engine.run(step, { text: 'hey' })
    await clock.advance(0)
    expect(outcome).toMatchObject({ type: 'proceed' })
    expect(records.all()).toMatchObject([
      {
        hook: 'works',
        state: 'failed',
        failure: { code: 'threw' },
        policy: undefined,
      },
    ])
    await expect(engine.drain()).resolves.toBeUndefined()
  },
)

test('an enqueue that takes its time is waited for before the job counts as backgrounded', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { clock, engine, records } = start([worker(() => {})], {
    enqueue: () => promise,
  })
  void engine.run(step, { text: 'hey' })
  await clock.advance(0)
  expect(records.all()).toEqual([])
  resolve()
  await clock.settle()
  expect(records.all()).toMatchObject([{ state: 'backgrounded' }])
})

test('without a queue a job runs in this process, soon, and a drain waits for it', async () => {
  const clock = createFakeClock()
  const records = createMemoryRecords()
  const seen: unknown[] = []
  const works = worker((input, { decision }) => void seen.push(input, decision))
  const engine = createEngine(compileTable([works]), { clock, records })
  void engine.run(step, { text: 'hey' })
  const drained = engine.drain()
  await clock.advance(0)
  await drained
  expect(seen).toEqual([{ text: 'hey' }, { type: 'proceed' }])
  expect(records.all().map(({ state }) => state)).toEqual([
    'backgrounded',
    'completed',
  ])
})

test('a job in this process whose hook has gone meanwhile is alarmed', async () => {
  const clock = createFakeClock()
  const alarms: string[] = []
  const works = worker(() => {})
  const engine = createEngine(compileTable([works]), { clock })
  engine.observe((event) => {
    if (event.type === 'alarm') alarms.push(`${event.code} ${event.about}`)
  })
  void engine.run(step, { text: 'hey' })
  engine.swap(emptyTable)
  await clock.advance(0)
  await engine.drain()
  expect(alarms).toEqual(['job-refused works'])
})

test('a hook of a job may ask points from inside', async () => {
  const asked: number[] = []
  const looks = defineHook({
    name: 'looks',
    on: step,
    execution: 'record',
    run: (_, { depth }) => void asked.push(depth),
  })
  const { clock, engine } = start([
    looks,
    worker(async (_, context) => {
      await context.dispatch(step, { text: 'inner' })
    }),
  ])
  await engine.perform(job)
  await clock.advance(0)
  expect(asked).toEqual([1])
})

test('F017 jobs that ask the point they came from lead to none of the hooks before them', async () => {
  const ran: string[] = []
  const asks = (name: string) =>
    defineHook({
      name,
      on: step,
      execution: 'background',
      async run(input, { dispatch, depth }) {
        ran.push(`${name} at ${depth}`)
        await dispatch(step, input)
      },
    })
  const clock = createFakeClock()
  const engine = createEngine(compileTable([asks('a'), asks('b')]), { clock })
  void engine.run(step, { text: 'hey' })
  await clock.advance(1_000)
  await engine.drain()
  expect(ran).toEqual(['a at 0', 'b at 0', 'b at 1', 'a at 1'])
})

test('a job has the state that its dispatch had, here and where a worker brings it', async () => {
  const visits = defineCell('visits', { initial: () => 0, scope: 'session' })
  const counts = worker(async (_, { state }) => {
    await state.update(visits, (count) => count + 1)
  })
  const state = createMemoryState().at({ session: 's-1' })
  const clock = createFakeClock()
  const here = createEngine(compileTable([counts]), { clock })
  void here.run(step, { text: 'hey' }, { state })
  await clock.advance(100)
  await here.drain()
  expect(await state.get(visits)).toBe(1)
  const elsewhere = start([counts])
  await elsewhere.engine.perform(job, { state })
  expect(await state.get(visits)).toBe(2)
})
