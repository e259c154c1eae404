import fc from 'fast-check'
import { test } from 'vitest'
import { agree, check, law } from '../fixtures/check-property.ts'
import { createEngine } from '../src/create-engine.ts'
import { definePoint, type } from '../src/define/define-point.ts'
import type {
  Engine,
  EngineEvent,
  Hook,
  HookRecord,
  Job,
  Table,
} from '../src/engine/index.ts'
import { compileTable } from '../src/table/compile-table.ts'
import { type BlockableClock, createBlockableClock } from './blockable-clock.ts'
import {
  anyBehaviour,
  anyPolicy,
  badInput,
  blocking,
  gate,
  type HookSpec,
  type Judged,
  makeHook,
  named,
  priority,
} from './generators.ts'

const watched = definePoint('watched', {
  input: type<Judged>(),
  flow: 'observe',
})

const points = [gate('serial', 'reject', 'ask'), gate('parallel', 'reject')]

const unwaited = ['record', 'background'] as const

const spec = fc.record({
  behaviour: fc.oneof(
    { weight: 6, arbitrary: anyBehaviour },
    { weight: 1, arbitrary: blocking },
  ),
  onFailure: anyPolicy,
  priority,
  timeoutMs: fc.integer({ min: 5, max: 20 }),
  mode: fc.constantFrom<HookSpec['mode']>('enforce', 'enforce', 'evaluate'),
  match: fc.constantFrom<HookSpec['match']>(
    'always',
    'always',
    'always',
    'never',
    'throws',
  ),
  execution: fc.constantFrom<HookSpec['execution']>('blocking', ...unwaited),
  /** It needs the first hook that is waited for, if it is not that hook. */
  needsFirst: fc.constantFrom(false, false, true),
})

/** What becomes of a background hook when its time has come. */
const queues = [
  'none',
  'keeps',
  'keeps later',
  'throws',
  'rejects',
  'hangs',
] as const

const cases = fc.record({
  point: fc.constantFrom(...points, watched),
  specs: named(spec, { tag: 'hook', min: 1, max: 6 }),
  queue: fc.constantFrom<(typeof queues)[number]>(...queues),
  dispatchMs: fc.constantFrom(15, 60, 10_000),
  parallelism: fc.constantFrom(1, 2, 16),
  attempts: fc.integer({ min: 1, max: 2 }),
  /** The table that the kept jobs meet. */
  meets: fc.constantFrom('same', 'same', 'empty', 'new version'),
})

type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never
type Spec = Case['specs'][number]

/** One engine, with all that it said and was given to keep. */
interface Stage {
  readonly engine: Engine
  readonly clock: BlockableClock
  readonly caller: AbortController
  readonly records: HookRecord[]
  readonly events: EngineEvent[]
  readonly jobs: Job[]
}

function setUp(example: Case): Stage {
  const { point, queue, dispatchMs, parallelism } = example
  const clock = createBlockableClock()
  const caller = new AbortController()
  const records: HookRecord[] = []
  const events: EngineEvent[] = []
  const jobs: Job[] = []
  const enqueue = (job: Job): void | Promise<void> => {
    if (queue === 'throws') throw new Error('full')
    if (queue === 'rejects') return Promise.reject(new Error('full'))
    if (queue === 'hangs') return new Promise(() => {})
    jobs.push(job)
    if (queue === 'keeps') return undefined
    return new Promise((kept) => void clock.after(3, () => kept()))
  }
  const hooks = hooksOf(example, { point, clock, caller })
  const engine = createEngine(compileTable(hooks), {
    clock,
    dispatchMs,
    parallelism,
    records: { end: ({ record }) => void records.push(record) },
    ...(queue === 'none' ? {} : { enqueue }),
  })
  engine.observe((event) => events.push(event))
  return { engine, clock, caller, records, events, jobs }
}

function hooksOf(
  { specs, point }: Case,
  setting: Parameters<typeof makeHook>[1],
): Hook[] {
  const all = specs.map((one) => ({ ...one, ...fitTo(one, point.flow) }))
  const first = all.find((one) => one.execution === 'blocking')?.name
  return all.map(({ needsFirst, ...one }) => {
    const isLed = needsFirst && first !== undefined && first !== one.name
    const hook = makeHook(one, setting)
    return isLed ? { ...hook, needs: [first] } : hook
  })
}

/** Where nobody is waited for, those who would be only observe. */
function fitTo({ execution }: Spec, flow: string) {
  const isObserver = flow === 'observe' && execution === 'blocking'
  return { execution: isObserver ? ('record' as const) : execution }
}

async function ask({ engine, clock, caller }: Stage, { point }: Case) {
  let hasEnded = false
  let isDrained = false
  const dispatch = async () => {
    await engine.run(point, badInput(), { signal: caller.signal })
  }
  const end = () => {
    hasEnded = true
  }
  void dispatch().then(end, end)
  await clock.pass(500)
  agree('the dispatch has ended', hasEnded, true)
  void engine.drain().then(() => {
    isDrained = true
  })
  await clock.settle()
  agree('the engine is drained', isDrained, true)
}

/** How many records of each dispatch and hook there must be at least. */
function tally<T>(all: readonly T[], keyOf: (one: T) => string) {
  const counts = new Map<string, number>()
  for (const one of all)
    counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  return counts
}

const runKey = ({ dispatch, hook }: { dispatch: string; hook: string }) =>
  `${dispatch}/${hook}`

function checkRecords(stage: Stage, example: Case) {
  const { records, events } = stage
  const starts = events.filter((event) => event.type === 'hook-start')
  const dispatches = events.filter((event) => event.type === 'dispatch-start')
  const ends = events.filter((event) => event.type === 'dispatch-end')
  const byRun = tally(records, runKey)
  agree('dispatches end', ends.length, dispatches.length)
  for (const [key, count] of tally(starts, runKey)) {
    const ran = records.filter((record) => runKey(record) === key)
    agree(`records of ${key}`, ran.length >= count, true)
  }
  agree(
    'none only started',
    records.some(({ state }) => state === 'started'),
    false,
  )
  for (const { dispatch, depth } of dispatches) {
    for (const one of example.specs) {
      const key = `${dispatch}/${one.name}`
      const count = byRun.get(key) ?? 0
      const [least, most] = expectedRecords(one, { stage, example, dispatch })
      const isRight = count <= most && (depth > 0 || count >= least)
      agree(
        `${key} has ${least} to ${most} records, not ${count}`,
        isRight,
        true,
      )
    }
  }
}

/** A miss leaves none, unless the chain ended first; a job leaves its own. */
function expectedRecords(
  { name, execution, match }: Spec,
  about: { stage: Stage; example: Case; dispatch: string },
): [number, number] {
  const { stage, example, dispatch } = about
  const own = stage.records.filter(
    (record) => record.dispatch === dispatch && record.hook === name,
  )
  if (match === 'never') {
    agree(
      'a miss',
      own.every(({ state }) => state === 'skipped'),
      true,
    )
    return [0, 1]
  }
  const wasQueued = own.some(({ state }) => state === 'backgrounded')
  const runsAsJob = execution === 'background' && wasQueued
  const expected = runsAsJob && example.queue === 'none' ? 2 : 1
  return [expected, expected]
}

/** Every job that is performed leaves one record, and a refused one none. */
async function performAll(stage: Stage, example: Case) {
  const { engine, clock, jobs, records } = stage
  engine.swap(tableMet(example, stage))
  for (const job of [...jobs]) {
    for (let attempt = 1; attempt <= example.attempts; attempt++) {
      const isOurs = (record: HookRecord) => runKey(record) === runKey(job)
      const before = records.filter(isOurs).length
      let result: unknown
      void engine.perform({ ...job, attempt }).then((one) => {
        result = one
      })
      await clock.pass(300)
      const after = records.filter(isOurs)
      const isRefused = example.meets !== 'same'
      const refusal =
        example.meets === 'empty' ? 'unregistered' : 'version-changed'
      agree('a job', typeof result === 'string', isRefused)
      if (isRefused) agree('the refusal', result, refusal)
      agree('its records', after.length - before, isRefused ? 0 : 1)
      if (!isRefused) agree('its record', after.at(-1) === result, true)
      if (!isRefused) agree('its attempt', after.at(-1)?.attempt, attempt)
    }
  }
}

function tableMet(example: Case, { engine, clock, caller }: Stage): Table {
  if (example.meets === 'same') return engine.table
  if (example.meets === 'empty') return compileTable([])
  const hooks = hooksOf(example, { point: example.point, clock, caller })
  return compileTable(
    hooks.map((hook) => ({ ...hook, handler: { version: '2' } })),
  )
}

test('every run ends in one record, waited for or not', {
  timeout: 300_000,
}, async () => {
  const property = law(cases, async (example) => {
    const stage = setUp(example)
    await ask(stage, example)
    checkRecords(stage, example)
    await performAll(stage, example)
    await stage.clock.pass(100)
    agree('timers in the end', stage.clock.pending, 0)
  })
  await check('one record a run', property, { runs: 5_000 })
})
