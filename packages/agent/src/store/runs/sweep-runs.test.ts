import { expect, test } from 'vitest'
import { timeRatio } from '../../../../core/fixtures/time-ratio.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { findRun } from '../queries/list-runs.ts'
import { makeParts } from './fixtures/make-parts.ts'
import { ended, started } from './fixtures/make-runs.ts'
import { readRows } from './fixtures/read-rows.ts'
import { shareDatabase } from './fixtures/share-database.ts'
import { createRunRecords } from './run-records.ts'
import { sweepRuns } from './sweep-runs.ts'

const insertWorker = `INSERT INTO workers (id, name, started_at, leased_until)
VALUES (?, ?, 0, ?)`

async function lease(database: Database, id: string, until: number) {
  const values = [id, id, until]
  const statements = [{ sql: insertWorker, values }]
  await database.write({ name: 'workers.lease', statements })
}

forEachDatabase((kit) => {
  const open = shareDatabase(kit)
  test('F141 F142 F143 a run whose process died is failed, as crashed, after its lease and one sweep', async () => {
    const parts = makeParts(await open())
    await kit.setNow(parts.database, 1_000)
    await lease(parts.database, 'w1', 2_000)
    const records = createRunRecords(parts)
    records.start(started())
    records.end(ended({ dispatch: 'd2' }))
    await records.flush()
    const sweeper = makeParts(parts.database, 'w2')
    await kit.setNow(parts.database, 1_999)
    expect(await sweepRuns(sweeper)).toBe(0)
    await kit.setNow(parts.database, 2_000)
    expect(await sweepRuns(sweeper)).toBe(1)
    expect(await sweepRuns(sweeper)).toBe(0)
    expect(await findRun(parts, 'd1/guard')).toMatchObject({
      state: 'failed',
      failure: { code: 'crashed' },
    })
    const whole = await findRun(parts, 'd2/guard')
    expect(whole).toMatchObject({ state: 'completed', failure: undefined })
  })

  test('a stalled process that wakes up cannot complete a run that was swept', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    records.start(started())
    await records.flush()
    await sweepRuns(makeParts(parts.database, 'w2'))
    records.end(ended())
    await records.flush()
    expect(await findRun(parts, 'd1/guard')).toMatchObject({
      state: 'failed',
      failure: { code: 'crashed' },
    })
  })

  test('a process does not sweep its own runs, nor those of a process that lives', async () => {
    const parts = makeParts(await open())
    const other = makeParts(parts.database, 'w2')
    await kit.setNow(parts.database, 1_000)
    await lease(parts.database, 'w2', 2_000)
    for (const [at, one] of [parts, other].entries()) {
      const records = createRunRecords(one)
      records.start(started({ dispatch: `d${at}` }))
      await records.flush()
    }
    expect(await sweepRuns(parts)).toBe(0)
  })

  test('F162 ten thousand runs are marked about as fast as they are begun', async () => {
    const parts = makeParts(await open())
    const sweeper = makeParts(parts.database, 'w2')
    let rounds = 0
    const begin = async () => {
      const round = rounds++
      const records = createRunRecords(parts, { maxWaiting: 10_000 })
      for (let at = 0; at < 10_000; at++) {
        records.start(started({ dispatch: `d${round}-${at}` }))
      }
      await records.flush()
    }
    const mark = async () => expect(await sweepRuns(sweeper)).toBe(10_000)
    expect(await timeRatio(mark, begin, 5)).toBeLessThanOrEqual(5)
    const sql = 'SELECT state, COUNT(*) AS count FROM runs GROUP BY state'
    const rows = await readRows(parts.database, sql)
    expect(rows).toEqual([{ state: 'failed', count: rounds * 10_000 }])
  })
})
