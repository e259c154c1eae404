import type { Job } from 'hookline'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { forEachDatabase } from '../store/fixtures/databases.ts'
import { findRun } from '../store/queries/list-runs.ts'
import { ended, started } from '../store/runs/fixtures/make-runs.ts'
import { shareDatabase } from '../store/runs/fixtures/share-database.ts'
import { queuedRun } from '../store/runs/queued-run.ts'
import { createRunRecords } from '../store/runs/run-records.ts'
import { createQueuedRunSweep } from './end-queued-runs.ts'
import { queueParts } from './fixtures/queue-parts.ts'
import { createHookJobs } from './hook-jobs.ts'
import type { LeasedJob } from './job-queue.ts'
import { TableQueue } from './table-queue.ts'

const job = (dispatch: string): Job => ({
  dispatch,
  point: 'tool.guard',
  hook: 'guard',
  handler: { id: 'guard', kind: 'function', version: '1' },
  input: {},
  scope: { agent: 'main', sessionId: 's1', turnId: 't1' },
  decision: { type: 'proceed' },
  chain: [],
  attempt: 1,
})

const leaseMs = 1_000
const startMs = Date.UTC(2026, 0, 1)

forEachDatabase((kit) => {
  const open = shareDatabase(kit)

  /** Hooks that were queued, of which nobody has run any. */
  async function queued(...dispatches: readonly string[]) {
    const database = await open()
    await kit.setNow(database, startMs)
    const parts = queueParts(database, 'w1', createFakeClock())
    const queue = new TableQueue(parts)
    const { enqueue } = createHookJobs({
      queue,
      engine: { perform: async () => 'unregistered' },
      tableFor: () => undefined,
      stateAt: () => ({}) as never, // no hook is run here
      along: queuedRun(parts),
    })
    for (const one of dispatches) await enqueue(job(one))
    const sweep = createQueuedRunSweep(parts)
    return {
      parts,
      queue,
      claim: () => queue.claim({ limit: 10, leaseMs }),
      sweep,
      /** After the records of hooks that did run have had their time. */
      async sweepLater() {
        await kit.advance(database, 60_000)
        await sweep(100)
      },
      stateOf: async (dispatch: string) => {
        const run = await findRun(parts, `${dispatch}/guard`)
        return [run?.state, run?.failure?.code]
      },
    }
  }

  test('a hook whose job came to nothing is not said to be on its way', async () => {
    const world = await queued('gone', 'changed', 'crashed', 'lost', 'waits')
    const leased = await world.claim()
    const of = (dispatch: string): LeasedJob => {
      const is = ({ payload }: LeasedJob) =>
        Object(payload).dispatch === dispatch
      return leased.find(is) ?? expect.fail(dispatch)
    }
    const { queue } = world
    const over = { reason: 'unregistered', becomes: 'cancelled' } as const
    await queue.fail(of('gone'), over)
    await queue.fail(of('changed'), {
      reason: 'version_changed',
      becomes: 'dead',
    })
    // The process that did it died before it had written the record.
    await queue.complete(of('lost'))
    await queue.release(of('waits'), { reason: 'no_agent' })
    await kit.advance(world.parts.database, leaseMs + 1)
    await queue.recover(10)
    await world.sweep(100)
    expect(await world.stateOf('gone')).toEqual(['backgrounded', undefined])
    await world.sweepLater()
    expect(await world.stateOf('gone')).toEqual(['cancelled', 'unregistered'])
    expect(await world.stateOf('changed')).toEqual([
      'failed',
      'version_changed',
    ])
    expect(await world.stateOf('crashed')).toEqual([
      'failed',
      'unknown_outcome',
    ])
    expect(await world.stateOf('lost')).toEqual(['completed', undefined])
    expect(await world.stateOf('waits')).toEqual(['backgrounded', undefined])
  })

  test('a hook that ran keeps the record that it wrote itself', async () => {
    const world = await queued('d1')
    const [leased] = await world.claim()
    const records = createRunRecords(world.parts)
    const { clock } = world.parts
    const startedAt = clock.wallAt(clock.now()) + 5
    records.start(started({ startedAt }))
    records.end(ended({ startedAt, answer: 'proceed' }))
    await records.flush()
    await world.queue.complete(leased ?? expect.fail())
    await world.sweepLater()
    expect(await findRun(world.parts, 'd1/guard')).toMatchObject({
      state: 'completed',
      answer: 'proceed',
    })
  })

  test('many that wait do not keep the sweep from those behind them', async () => {
    const names = Array.from({ length: 7 }, (_, at) => `d${at}`)
    const world = await queued(...names)
    const leased = await world.claim()
    await world.queue.complete(leased.at(-1) ?? expect.fail())
    await kit.advance(world.parts.database, 60_000)
    for (let at = 0; at < 4; at++) {
      expect(await world.sweep(2)).toBeLessThan(2)
    }
    const states = await Promise.all(names.map((name) => world.stateOf(name)))
    expect(states.filter(([state]) => state === 'completed')).toHaveLength(1)
  })

  test('a queued hook that the breaker held back has the record of when it ran', async () => {
    const { parts } = await queued('d1')
    const records = createRunRecords(parts)
    const wallMs = parts.clock.wallAt(parts.clock.now())
    records.end(ended({ state: 'skipped', startedAt: wallMs + 5 }))
    await records.flush()
    records.start(started({ startedAt: wallMs + 10 }))
    await records.flush()
    expect(await findRun(parts, 'd1/guard')).toMatchObject({ state: 'started' })
    records.end(ended({ startedAt: wallMs + 10 }))
    await records.flush()
    const run = await findRun(parts, 'd1/guard')
    expect(run).toMatchObject({ state: 'completed' })
  })
})
