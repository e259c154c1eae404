import {
  compileTable,
  createEngine,
  createMemoryState,
  defineHook,
} from 'hookline'
import { type AgentScope, turnPostTurn } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import type { Database } from '../store/database.ts'
import { listAttempts } from '../store/queries/list-attempts.ts'
import { findRun } from '../store/queries/list-runs.ts'
import { queuedRun } from '../store/runs/queued-run.ts'
import { createRunRecords } from '../store/runs/run-records.ts'
import { createQueuedRunSweep } from './end-queued-runs.ts'
import { queueParts } from './fixtures/queue-parts.ts'
import { forEachQueue, type OpenWorld } from './fixtures/queue-worlds.ts'
import { workOnce } from './fixtures/work-once.ts'
import { createHookJobs } from './hook-jobs.ts'
import { elsewhere } from './hook-outcome.ts'
import type { JobQueue, JobRetry, LeasedJob } from './job-queue.ts'
import { TableQueue } from './table-queue.ts'

const scope: AgentScope = {
  agent: 'clerk',
  origin: 'user',
  coreType: 'steps',
  sessionId: 's-1',
  turnId: 't-1',
}
const summary = { status: 'completed' } as never // the hook does not look at it
const leaseMs = 1_000

/** A background hook whose run is queued, and whose record is kept. */
async function queuedMail(open: OpenWorld) {
  const world = await open()
  const { database } = world
  const parts = queueParts(database, 'here')
  const queue = new TableQueue(parts)
  const records = createRunRecords(parts)
  const mail = { version: '1', isDown: true }
  const tableNow = () =>
    compileTable([
      defineHook({
        name: 'mail',
        on: turnPostTurn,
        execution: 'background',
        idempotent: true,
        handler: { id: 'mail', version: mail.version },
        run() {
          if (mail.isDown) throw new Error('Nobody is at the counter.')
        },
      }),
    ])
  const table = tableNow()
  const state = createMemoryState()
  const jobs = createHookJobs({
    queue,
    engine: { perform: (job, about) => engine.perform(job, about) },
    tableFor: () => ({ table: tableNow(), isWhole: true }),
    stateAt: () => state.at({}),
    along: queuedRun(parts),
  })
  const engine = createEngine(table, { records, enqueue: jobs.enqueue })
  await engine.run(turnPostTurn, summary, { scope, table, id: 'd-1' })
  await engine.drain()
  const [job] = (await queue.list()).jobs
  return {
    ...world,
    parts,
    queue,
    mail,
    id: job?.id ?? expect.fail(),
    async work() {
      const settlement = await workOnce(queue, jobs)
      await records.flush()
      return settlement
    },
    record: () => findRun(parts, 'd-1/mail'),
  }
}

async function claimOne(queue: JobQueue): Promise<LeasedJob> {
  const [job] = await queue.claim({ limit: 1, leaseMs })
  return job ?? expect.fail('There was nothing to claim.')
}

/** A database where something happens between a look and what comes of it. */
function afterReading(
  database: Database,
  { table, act }: { readonly table: string; readonly act: () => Promise<void> },
): Database {
  return new Proxy(database, {
    get(target, key: keyof Database) {
      const given = target[key]
      if (typeof given !== 'function') return given
      if (key !== 'read') return given.bind(target)
      return async (...[statement]: Parameters<Database['read']>) => {
        const rows = await target.read(statement)
        if (statement.sql.includes(`FROM ${table}`)) await act()
        return rows
      }
    },
  })
}

forEachQueue((open) => {
  test('the record of a dead job that was put back says what came of it then', async () => {
    const world = await queuedMail(open)
    expect(await world.work()).toBe('dead')
    expect(await world.record()).toMatchObject({
      state: 'failed',
      failure: { code: 'threw' },
    })
    world.mail.isDown = false
    expect(await world.queue.retryDead(world.id)).toBe('put_back')
    expect(await world.work()).toBe('done')
    expect(await world.record()).toMatchObject({
      state: 'completed',
      failure: undefined,
    })
    const attempts = await listAttempts(world.parts, 'd-1/mail')
    expect(attempts.map(({ attempt, state }) => [attempt, state])).toEqual([
      [1, 'failed'],
      [2, 'completed'],
    ])
  })

  test('whoever has just seen that a job was dead does not end its record when it was put back', async () => {
    const world = await queuedMail(open)
    const { mail, queue, parts } = world
    mail.version = '2'
    expect(await world.work()).toBe('dead')
    mail.version = '1'
    mail.isDown = false
    await world.advance(60_000)
    const database = afterReading(parts.database, {
      table: 'jobs',
      act: async () => {
        expect(await queue.retryDead(world.id)).toBe('put_back')
      },
    })
    expect(await createQueuedRunSweep({ database })(10)).toBe(1)
    expect(await world.work()).toBe('done')
    expect(await world.record()).toMatchObject({
      state: 'completed',
      failure: undefined,
    })
  })

  test('what is put back is tried as often as it was given, each time, and counted on', async () => {
    const { queue } = await open()
    const retry: JobRetry = { type: 'fixed', delayMs: 0, maxAttempts: 2 }
    const job = { kind: 'letter', lane: 'ada', payload: {}, isIdempotent: true }
    const [{ id } = expect.fail()] = await queue.add([{ ...job, retry }])
    for (const last of [2, 4, 6]) {
      const first = await claimOne(queue)
      expect(first).toMatchObject({ attempt: last - 1, maxAttempts: last })
      expect(await queue.fail(first, { reason: 'threw' })).toBe('delayed')
      const second = await claimOne(queue)
      expect(second).toMatchObject({ attempt: last, maxAttempts: last })
      expect(await queue.fail(second, { reason: 'threw' })).toBe('dead')
      expect((await queue.list()).jobs).toMatchObject([
        { attempt: last, maxAttempts: last },
      ])
      expect(await queue.retryDead(id)).toBe('put_back')
    }
    // Given up at the first of its two: what it did not use is not added.
    const early = { reason: 'version_changed', becomes: 'dead' } as const
    expect(await queue.fail(await claimOne(queue), early)).toBe('dead')
    expect(await queue.retryDead(id)).toBe('put_back')
    expect(await claimOne(queue)).toMatchObject({ attempt: 8, maxAttempts: 9 })
  })

  test('what is put back is kept for a process that can do it as long as at first', async () => {
    const { queue, advance } = await open()
    const job = { kind: 'letter', lane: 'ada', payload: {}, isIdempotent: true }
    const [{ id } = expect.fail()] = await queue.add([job])
    const hour = 3_600_000
    const outcomeAfter = async (ms: number) => {
      await advance(ms)
      const leased = await claimOne(queue)
      return { leased, outcome: elsewhere(leased, 'no_agent', 0) }
    }
    for (let round = 0; round < 2; round++) {
      const early = await outcomeAfter(23 * hour)
      expect(early.outcome.type).toBe('released')
      await queue.release(early.leased, { reason: 'no_agent', delayMs: 0 })
      const late = await outcomeAfter(2 * hour)
      expect(late.outcome).toMatchObject({ failure: { becomes: 'dead' } })
      await queue.fail(late.leased, { reason: 'no_agent', becomes: 'dead' })
      expect(await queue.retryDead(id)).toBe('put_back')
    }
  })

  test('what is put back waits as it did at first, and not as it did at last', async () => {
    const { queue, advance } = await open()
    const retry = { type: 'exponential', delayMs: 100, maxAttempts: 3 } as const
    const job = { kind: 'letter', lane: 'ada', payload: {}, isIdempotent: true }
    const [{ id } = expect.fail()] = await queue.add([{ ...job, retry }])
    for (let round = 0; round < 2; round++) {
      for (const ms of [100, 200]) {
        await queue.fail(await claimOne(queue), { reason: 'threw' })
        await advance(ms - 1)
        expect(await queue.claim({ limit: 1, leaseMs })).toEqual([])
        await advance(1)
      }
      await queue.fail(await claimOne(queue), { reason: 'threw' })
      expect(await queue.retryDead(id)).toBe('put_back')
    }
    expect(await claimOne(queue)).toMatchObject({ attempt: 7 })
  })
})
