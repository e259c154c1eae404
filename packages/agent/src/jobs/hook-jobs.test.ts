import {
  compileTable,
  createEngine,
  createMemoryRecords,
  createMemoryState,
  defineCell,
  defineHook,
  type Hook,
  type HookDescriptor,
  type Table,
} from 'hookline'
import {
  type AgentScope,
  event,
  permissionResolved,
  turnPostTurn,
} from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { queuedRun } from '../store/runs/queued-run.ts'
import { faultyDatabase } from './fixtures/faulty-database.ts'
import { queueParts } from './fixtures/queue-parts.ts'
import { forEachQueue, type QueueWorld } from './fixtures/queue-worlds.ts'
import { workOnce } from './fixtures/work-once.ts'
import { createHookJobs, type HookJobsOptions } from './hook-jobs.ts'
import type { JobQueue, JobRetry } from './job-queue.ts'
import { createJobWorker } from './job-worker.ts'
import { TableQueue } from './table-queue.ts'

const scope: AgentScope = {
  agent: 'clerk',
  origin: 'user',
  coreType: 'steps',
  sessionId: 's-1',
  turnId: 't-1',
}

type Work = Hook<typeof turnPostTurn, 'background', false>
const summary = { status: 'completed' } as never // hooks here do not look at it

const mail = (run: Work['run'] = () => {}, more: Partial<Work> = {}) =>
  defineHook({
    name: 'mail',
    on: turnPostTurn,
    execution: 'background',
    handler: { id: 'mail', version: '1' },
    run,
    ...more,
  })

/** A daemon: an engine with one agent's table, and its side of the queue. */
function daemon(
  { queue }: { readonly queue: JobQueue },
  hooks: readonly Hook[],
  options: Partial<HookJobsOptions> & { declared?: object } = {},
) {
  const state = createMemoryState()
  const records = createMemoryRecords()
  const { declared, ...more } = options
  let table = declare(compileTable(hooks), declared)
  const jobs = createHookJobs({
    queue,
    engine: { perform: (job, about) => engine.perform(job, about) },
    tableFor: ({ agent }) =>
      agent === 'clerk' ? { table, isWhole: true } : undefined,
    stateAt: ({ sessionId }) =>
      state.at(sessionId === undefined ? {} : { session: sessionId }),
    ...more,
  })
  const engine = createEngine(table, {
    records,
    enqueue: jobs.enqueue,
    collect: (all, about) => {
      for (const one of all) jobs.collect(one, about as AgentScope)
    },
  })
  return {
    jobs,
    records,
    state,
    swap: (next: readonly Hook[]) => {
      table = compileTable(next)
    },
    async ask() {
      await engine.run(turnPostTurn, summary, { scope, table })
      await engine.drain()
    },
  }
}

/** What hooks are to say themselves one day. */
function declare(table: Table, declared: object = {}): Table {
  const hooks = table.hooks.map(
    (one): HookDescriptor => ({ ...one, ...declared }),
  )
  return { ...table, hooks }
}

const retry: JobRetry = { type: 'fixed', delayMs: 0, maxAttempts: 3 }

const stateAndReason = async ({ queue }: Pick<QueueWorld, 'queue'>) =>
  (await queue.list()).jobs.map(({ state, reason }) => `${state} ${reason}`)

forEachQueue((open) => {
  test('a background hook runs in another process, with its input, its scope and its state', async () => {
    const world = await open()
    const visits = defineCell('visits', { initial: () => 0, scope: 'session' })
    const seen: unknown[] = []
    const run: Work['run'] = async (input, context) => {
      await context.state.update(visits, (count) => count + 1)
      seen.push(input, context.scope, context.decision)
    }
    const here = daemon(world, [mail()])
    await here.ask()
    expect(here.records.all()).toMatchObject([{ state: 'backgrounded' }])
    const { jobs } = await world.queue.list()
    expect(jobs).toMatchObject([
      {
        kind: 'hook',
        lane: 's-1',
        sessionId: 's-1',
        maxAttempts: 1,
        isIdempotent: false,
        about: {
          hook: 'mail',
          point: 'turn.post_turn',
          handler: 'mail',
          version: '1',
        },
      },
    ])
    const queue = await world.another()
    const there = daemon({ queue }, [mail(run)])
    expect(await workOnce(queue, there.jobs)).toBe('done')
    expect(seen).toEqual([summary, scope, { type: 'proceed' }])
    expect(there.records.all()).toMatchObject([
      { state: 'completed', attempt: 1 },
    ])
    expect(await there.state.at({ session: 's-1' }).get(visits)).toBe(1)
  })

  test('F172 the same run of a hook is queued once', async () => {
    const world = await open()
    const { jobs } = daemon(world, [mail()])
    const job = {
      dispatch: 'd-1',
      point: 'turn.post_turn',
      hook: 'mail',
      handler: { id: 'mail', kind: 'code', version: '1' },
      input: summary,
      scope,
      decision: { type: 'proceed' },
      chain: [],
      attempt: 1,
    } as const
    await Promise.all([jobs.enqueue(job), jobs.enqueue(job)])
    await jobs.enqueue(job)
    expect(await world.queue.counts()).toMatchObject({ queued: 1 })
  })

  const user = { kind: 'person', name: 'user:ann' }
  const hook = { kind: 'hook', name: 'stand-in' }
  const nobody = { kind: 'nobody', because: 'unanswered' }

  test.each([
    { on: permissionResolved, by: 'user:ann', told: user },
    { on: permissionResolved, by: 'stand-in', told: hook },
    { on: permissionResolved, by: 'expiry', told: nobody },
    { on: permissionResolved, by: user, told: user },
    { on: event, by: 'user:ann', told: user },
    { on: event, by: user, told: user },
  ])(
    'a hook at $on.name that is told of an answer by a job of any version hears of $by what it was',
    async ({ on, by, told }) => {
      const world = await open()
      const heard: unknown[] = []
      const listener = defineHook({
        name: 'listener',
        on,
        execution: 'background',
        handler: { id: 'listener', version: '1' },
        run: (input) => void heard.push(input),
      })
      const here = daemon(world, [listener])
      const about = { decision: { type: 'allow' }, by }
      const input = { type: 'permission-end', questionId: 'q-1', ...about }
      await here.jobs.enqueue({
        dispatch: 'd-1',
        point: on.name,
        hook: 'listener',
        handler: { id: 'listener', kind: 'code', version: '1' },
        input,
        scope,
        decision: { type: 'proceed' },
        chain: [],
        attempt: 1,
      })
      expect(await workOnce(world.queue, here.jobs)).toBe('done')
      expect(heard).toEqual([{ ...input, by: told }])
    },
  )

  test.each<[string, readonly Hook[], string]>([
    [
      'F121 a job whose hook was removed is cancelled',
      [],
      'cancelled unregistered',
    ],
    [
      'F121 a job whose hook was disabled is cancelled',
      [mail(() => {}, { disabled: true })],
      'cancelled unregistered',
    ],
    [
      'a job whose hook no longer runs in the background is cancelled',
      [{ ...mail(), execution: 'record' }],
      'cancelled unregistered',
    ],
    [
      'F122 a job whose hook has another version now is a dead letter',
      [mail(() => {}, { handler: { id: 'mail', version: '2' } })],
      'dead version_changed',
    ],
    [
      'F122 a job whose hook has another handler now is a dead letter',
      [mail(() => {}, { handler: { id: 'post', version: '1' } })],
      'dead version_changed',
    ],
    [
      'F122 a job whose hook has a handler of another kind now is a dead letter',
      [mail(() => {}, { handler: { id: 'mail', kind: 'http', version: '1' } })],
      'dead version_changed',
    ],
  ])('%s, and does not run', async (_, next, expected) => {
    const world = await open()
    const ran: unknown[] = []
    const here = daemon(world, [mail(() => void ran.push(1))])
    await here.ask()
    here.swap(next)
    await workOnce(world.queue, here.jobs)
    expect(await stateAndReason(world)).toEqual([expected])
    expect(ran).toEqual([])
  })

  test('a hook that fails, and does not say that it may be repeated, has failed', async () => {
    const world = await open()
    const run = () => Promise.reject(new Error('Broken.'))
    const here = daemon(world, [mail(run)], { declared: { retry } })
    await here.ask()
    expect(await workOnce(world.queue, here.jobs)).toBe('failed')
    expect(await stateAndReason(world)).toEqual(['failed threw'])
  })

  test('a hook that says it may be repeated is tried again as it says', async () => {
    const world = await open()
    let tries = 0
    const run = async () => {
      if (++tries < 3) throw new Error('Broken.')
    }
    const declared = { idempotent: true, retry }
    const here = daemon(world, [mail(run)], { declared })
    await here.ask()
    expect(await workOnce(world.queue, here.jobs)).toBe('delayed')
    expect(await workOnce(world.queue, here.jobs)).toBe('delayed')
    expect(await workOnce(world.queue, here.jobs)).toBe('done')
    const tried = here.records
      .all()
      .map(({ state, attempt }) => `${state} ${attempt}`)
    expect(tried).toEqual([
      'backgrounded 1',
      'failed 1',
      'failed 2',
      'completed 3',
    ])
  })

  test('a hook whose time is up has timed out', async () => {
    const world = await open()
    const run = () => Promise.withResolvers<never>().promise
    const here = daemon(world, [mail(run, { timeoutMs: 1 })])
    await here.ask()
    await workOnce(world.queue, here.jobs)
    expect(await stateAndReason(world)).toEqual(['failed timed_out'])
  })

  test('a hook hears that its job is no longer here', async () => {
    const world = await open()
    const { promise: begun, resolve: begin } =
      Promise.withResolvers<AbortSignal>()
    const run: Work['run'] = (_, { signal }) => {
      begin(signal)
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('Aborted.')))
      })
    }
    const here = daemon(world, [mail(run)])
    await here.ask()
    const { perform } = here.jobs
    const worker = createJobWorker({ queue: world.queue, perform })
    const signal = await begun
    expect(signal.aborted).toBe(false)
    await worker.stop({ deadlineMs: 0 })
    expect(signal.aborted).toBe(true)
    expect(await stateAndReason(world)).toEqual(['failed unknown_outcome'])
  })

  test('F121 a job whose hook may still be on its way waits for it', async () => {
    const world = await open()
    const clock = createFakeClock()
    await daemon(world, [mail()]).ask()
    const ran: unknown[] = []
    const starting = daemon(world, [], { clock, startMs: 60_000 })
    expect(await workOnce(world.queue, starting.jobs)).toBe('delayed')
    expect(await stateAndReason(world)).toEqual(['delayed not_yet'])
    starting.swap([mail(() => void ran.push('sent'))])
    await world.advance(500)
    expect(await workOnce(world.queue, starting.jobs)).toBe('done')
    expect(ran).toEqual(['sent'])
    await daemon(world, [mail()]).ask()
    starting.swap([])
    await clock.advance(60_000)
    expect(await workOnce(world.queue, starting.jobs)).toBe('cancelled')
  })

  test('a job of an agent that is not here is left to others, for a day', async () => {
    const world = await open()
    await daemon(world, [mail()]).ask()
    const stranger = daemon(world, [], { tableFor: () => undefined })
    expect(await workOnce(world.queue, stranger.jobs)).toBe('delayed')
    expect(await stateAndReason(world)).toEqual(['delayed no_agent'])
    await world.advance(30_000)
    expect(await workOnce(world.queue, daemon(world, [mail()]).jobs)).toBe(
      'done',
    )
    await daemon(world, [mail()]).ask()
    await world.advance(25 * 3_600_000)
    expect(await workOnce(world.queue, stranger.jobs)).toBe('dead')
  })

  test('a hook that is not run because it keeps failing is left for later', async () => {
    const world = await open()
    const perform = async () => ({ state: 'skipped' }) as never // as with an open breaker
    const here = daemon(world, [mail()], { engine: { perform } })
    await here.ask()
    expect(await workOnce(world.queue, here.jobs)).toBe('delayed')
    expect(await stateAndReason(world)).toEqual(['delayed skipped'])
  })

  test('F173 a job of a session that is not there any more is dropped', async () => {
    const world = await open()
    const ran: unknown[] = []
    const hasSession = async () => false
    const here = daemon(world, [mail(() => void ran.push(1))], { hasSession })
    await here.ask()
    await workOnce(world.queue, here.jobs)
    expect(await stateAndReason(world)).toEqual(['cancelled session_deleted'])
    expect(ran).toEqual([])
  })

  test('F144 a hook is recorded as backgrounded in one unit with its job, or neither is there', async () => {
    const world = await open()
    const database = faultyDatabase(world.database)
    const parts = queueParts(database, 'here')
    const queue = new TableQueue(parts)
    const here = daemon({ queue }, [mail()], { along: queuedRun(parts) })
    const statesIn = async (table: string) => {
      const sql = `SELECT state FROM ${table}`
      const rows = await database.read({ sql, values: [] })
      return rows.map((row) => row['state'])
    }
    await here.ask()
    expect(await statesIn('runs')).toEqual(['backgrounded'])
    expect(await statesIn('jobs')).toEqual(['queued'])
    expect(database.units).toEqual(['job.add'])
    database.failing.add('job.add')
    await here.ask()
    expect(await statesIn('runs')).toHaveLength(1)
    expect(await statesIn('jobs')).toHaveLength(1)
    expect(here.records.all().map(({ state }) => state)).toEqual([
      'backgrounded',
      'failed',
    ])
  })
})
