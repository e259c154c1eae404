import type { Job } from 'hookline'
import { expect, test } from 'vitest'
import { forEachDatabase } from '../fixtures/databases.ts'
import { findRun } from '../queries/list-runs.ts'
import { makeParts } from './fixtures/make-parts.ts'
import { ended, started } from './fixtures/make-runs.ts'
import { shareDatabase } from './fixtures/share-database.ts'
import { queuedRun } from './queued-run.ts'
import { createRunRecords } from './run-records.ts'
import { sweepRuns } from './sweep-runs.ts'

const job: Job = {
  dispatch: 'd1',
  point: 'tool.guard',
  hook: 'guard',
  handler: { id: 'guard', kind: 'function', version: '1' },
  input: { secret: 'yes' },
  scope: { agent: 'main', sessionId: 's1', turnId: 't1' },
  decision: { type: 'proceed' },
  chain: [],
  attempt: 1,
}

forEachDatabase((kit) => {
  const open = shareDatabase(kit)
  test('a hook that was queued has its record with its job, whatever comes of its process', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    const wallMs = parts.clock.wallAt(parts.clock.now())
    records.start(started({ startedAt: wallMs }))
    const statements = queuedRun(parts)(job)
    await parts.database.write({ name: 'jobs.add', statements })
    const queued = { state: 'backgrounded', sessionId: 's1', worker: 'w1' }
    expect(await findRun(parts, 'd1/guard')).toMatchObject(queued)
    // The record of its start comes later, and the process dies.
    await records.flush()
    expect(await sweepRuns(makeParts(parts.database, 'w2'))).toBe(0)
    const others = createRunRecords(makeParts(parts.database, 'w2'))
    others.start(started({ startedAt: wallMs + 5 }))
    await others.flush()
    const begun = { state: 'started', worker: 'w2' }
    expect(await findRun(parts, 'd1/guard')).toMatchObject(begun)
    records.end(ended({ state: 'backgrounded', startedAt: wallMs }))
    await records.flush()
    expect(await findRun(parts, 'd1/guard')).toMatchObject(begun)
    others.end(ended({ startedAt: wallMs + 5 }))
    await others.flush()
    const run = await findRun(parts, 'd1/guard')
    expect(run).toMatchObject({ state: 'completed', worker: 'w2' })
  })

  const hourMs = 3_600_000

  /** A hook that was queued, and the records of a process an hour behind. */
  async function queuedBefore(worker: string) {
    const parts = makeParts(await open())
    const wallMs = parts.clock.wallAt(parts.clock.now())
    const statements = queuedRun(parts)(job)
    await parts.database.write({ name: 'jobs.add', statements })
    const records = createRunRecords(makeParts(parts.database, worker))
    return { parts, wallMs, records, startedAt: wallMs - hourMs }
  }

  test('a queued hook has the record of whoever ran it, also by a clock that is behind', async () => {
    const { parts, records, startedAt } = await queuedBefore('w2')
    records.start(started({ startedAt }))
    await records.flush()
    const begun = { state: 'started', worker: 'w2', startedAt }
    expect(await findRun(parts, 'd1/guard')).toMatchObject(begun)
    const failure = { code: 'threw', message: 'It broke.' } as const
    records.end(ended({ startedAt, state: 'failed', latencyMs: 7, failure }))
    await records.flush()
    const run = await findRun(parts, 'd1/guard')
    const failed = { state: 'failed', latencyMs: 7, failure }
    expect(run).toMatchObject({ ...failed, worker: 'w2' })
  })

  test('so it has after a breaker elsewhere held it back', async () => {
    const { parts, wallMs, records, startedAt } = await queuedBefore('w3')
    const held = createRunRecords(makeParts(parts.database, 'w2'))
    held.end(ended({ state: 'skipped', startedAt: wallMs + 5 }))
    await held.flush()
    records.start(started({ startedAt }))
    await records.flush()
    records.end(ended({ startedAt }))
    await records.flush()
    const run = await findRun(parts, 'd1/guard')
    expect(run).toMatchObject({ state: 'completed', worker: 'w3', startedAt })
  })
})
