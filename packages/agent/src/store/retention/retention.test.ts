import { expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { ended, started } from '../runs/fixtures/make-runs.ts'
import { readOnly, readRows } from '../runs/fixtures/read-rows.ts'
import { shareDatabase } from '../runs/fixtures/share-database.ts'
import { createRunRecords } from '../runs/run-records.ts'
import { createRetention } from './create-retention.ts'
import { approval, fill, fillSession, job } from './fixtures/fill.ts'

const day = 86_400_000
const now = 100 * day
const month = { maxAgeMs: 30 * day }
const old = 69 * day
const young = 71 * day

async function ids(database: Database, table: string) {
  const rows = await readRows(database, `SELECT id FROM ${table} ORDER BY id`)
  return rows.map(({ id }) => id)
}

async function count(database: Database, from: string) {
  const row = await readOnly(database, `SELECT COUNT(*) AS count FROM ${from}`)
  return row['count']
}

forEachDatabase((kit) => {
  const open = shareDatabase(kit)
  async function setUp() {
    const parts = makeParts(await open())
    await kit.setNow(parts.database, now)
    return { parts, database: parts.database }
  }

  /** Runs that began at these times, named after their places. */
  async function recordRuns(
    parts: ReturnType<typeof makeParts>,
    times: readonly number[],
  ) {
    const records = createRunRecords(parts, { content: 'full' })
    for (const [at, startedAt] of times.entries()) {
      const about = { dispatch: `d${at}`, startedAt }
      records.start(started(about))
      records.end(ended({ ...about, answer: 'reject', reason: 'No.' }))
    }
    await records.flush()
  }

  test('F161 runs that are too old are removed, with their attempts; what was removed is on record', async () => {
    const { parts, database } = await setUp()
    await recordRuns(parts, [old, young, old])
    const attempt = { attempt: 1, state: 'failed', started_at: 0 }
    await fill(database, 'attempts', [
      { run_id: 'd0/guard', ...attempt },
      { run_id: 'd1/guard', ...attempt },
    ])
    const retention = createRetention(parts, { runs: month })
    expect(await retention.run()).toEqual({ runs: 2 })
    expect(await ids(database, 'runs')).toEqual(['d1/guard'])
    expect(await readRows(database, 'SELECT run_id FROM attempts')).toEqual([
      { run_id: 'd1/guard' },
    ])
    const sql =
      'SELECT at, kind, rows_removed, older_than, reason FROM removals'
    expect(await readRows(database, sql)).toEqual([
      {
        at: now,
        kind: 'runs',
        rows_removed: 2,
        older_than: 70 * day,
        reason: 'retention',
      },
    ])
    expect(await retention.run()).toEqual({})
    expect(await count(database, 'removals')).toBe(1)
  })

  test('more rows than fit in a unit are removed in several, and recorded once', async () => {
    const { parts, database } = await setUp()
    await recordRuns(parts, Array<number>(1_050).fill(old))
    const retention = createRetention(parts, { runs: month })
    expect(await retention.run()).toEqual({ runs: 1_050 })
    expect(await count(database, 'runs')).toBe(0)
    const row = await readOnly(database, 'SELECT rows_removed FROM removals')
    expect(row).toEqual({ rows_removed: 1_050 })
  })

  test('a run that has not ended stays, however old it is', async () => {
    const { parts, database } = await setUp()
    const records = createRunRecords(parts)
    records.start(started({ startedAt: old }))
    await records.flush()
    expect(await createRetention(parts, { runs: month }).run()).toEqual({})
    expect(await count(database, 'runs')).toBe(1)
  })

  test('of the newest so many are kept, or as many as there is room for', async () => {
    const { parts, database } = await setUp()
    await recordRuns(
      parts,
      Array.from({ length: 100 }, (_, at) => young + at),
    )
    await createRetention(parts, { runs: { maxRows: 60 } }).run()
    expect(await count(database, 'runs')).toBe(60)
    expect(await count(database, `runs WHERE started_at < ${young + 40}`)).toBe(
      0,
    )
    await createRetention(parts, { runs: { maxBytes: 20_000 } }).run()
    const left = Number(await count(database, 'runs'))
    expect(left).toBeGreaterThan(10)
    expect(left).toBeLessThan(50)
  })

  test('what runs were given, and said, is removed before the runs are', async () => {
    const { parts, database } = await setUp()
    await recordRuns(parts, [old, young])
    const retention = createRetention(parts, { runContent: month })
    expect(await retention.run()).toEqual({ runContent: 1 })
    const sql = 'SELECT id, payload, content, reason FROM runs ORDER BY id'
    const [first, second] = await readRows(database, sql)
    expect(first).toMatchObject({ payload: null, content: null, reason: null })
    expect(second).toMatchObject({ reason: 'No.' })
    expect(second?.['payload']).not.toBeNull()
    expect(await retention.run()).toEqual({})
  })

  test('what a run was given that had not ended is removed the next time', async () => {
    const { parts, database } = await setUp()
    const records = createRunRecords(parts, { content: 'full' })
    const about = { dispatch: 'long', startedAt: old - day }
    records.start(started(about))
    await recordRuns(parts, [old, old])
    await records.flush()
    const retention = createRetention(parts, { runContent: month })
    expect(await retention.run()).toEqual({ runContent: 2 })
    records.end(ended(about))
    await records.flush()
    expect(await retention.run()).toEqual({ runContent: 1 })
    expect(await count(database, 'runs WHERE payload IS NOT NULL')).toBe(0)
  })

  test('the payloads of sessions that ended long ago are removed, and their rows stay', async () => {
    const { parts, database } = await setUp()
    await fillSession(database, 'old', { endedAt: old, entries: 450 })
    await fillSession(database, 'young', { endedAt: young })
    await fillSession(database, 'open', { updatedAt: old })
    const retention = createRetention(parts, { payloads: month })
    // The snapshot, the journal, the call and the session itself.
    expect(await retention.run()).toEqual({ payloads: 453 })
    for (const table of ['journal', 'calls', 'sessions']) {
      const key = table === 'sessions' ? 'id' : 'session_id'
      const kept = `SELECT DISTINCT ${key} AS id FROM ${table} WHERE payload IS NOT NULL ORDER BY id`
      const rows = await readRows(database, kept)
      expect(rows.map(({ id }) => id)).toEqual(['open', 'young'])
    }
    expect(await count(database, 'journal')).toBe(456)
    expect(await count(database, 'snapshots')).toBe(2)
    expect(await retention.run()).toEqual({})
  })

  test('a session that ends later than others is not passed over', async () => {
    const { parts, database } = await setUp()
    await fillSession(database, 'first', { endedAt: old })
    await fillSession(database, 'second', { updatedAt: old - day })
    const retention = createRetention(parts, { payloads: month })
    expect(await retention.run()).toEqual({ payloads: 6 })
    await database.write({
      name: 'test.end',
      statements: [
        {
          sql: "UPDATE sessions SET ended = 'done', updated_at = ? WHERE id = 'second'",
          values: [now],
        },
      ],
    })
    await kit.setNow(database, now + 31 * day)
    expect(await retention.run()).toEqual({ payloads: 6 })
  })

  test('a session that somebody still waits for is left alone, and found again later', async () => {
    const { parts, database } = await setUp()
    await fillSession(database, 'asked', { endedAt: old - day })
    await fillSession(database, 'busy', { endedAt: old - day })
    await fillSession(database, 'quiet', { endedAt: old })
    const pending = { session_id: 'asked', state: 'pending' }
    await fill(database, 'approvals', [approval('a', pending)])
    const queued = { session_id: 'busy', state: 'queued' }
    await fill(database, 'jobs', [job('j', queued)])
    const rules = {
      payloads: month,
      calls: month,
      turns: month,
      sessions: month,
    }
    const retention = createRetention(parts, rules)
    await retention.run()
    expect(await ids(database, 'sessions')).toEqual(['asked', 'busy'])
    expect(await count(database, 'calls')).toBe(2)
    expect(await count(database, 'journal WHERE payload IS NOT NULL')).toBe(6)
    const statements = [
      "UPDATE approvals SET state = 'expired'",
      "UPDATE jobs SET state = 'done', ended_at = 0",
    ].map((sql) => ({ sql, values: [] }))
    await database.write({ name: 'test.settle', statements })
    await retention.run()
    expect(await ids(database, 'sessions')).toEqual([])
    for (const table of [
      'journal',
      'snapshots',
      'turns',
      'calls',
      'approvals',
      'jobs',
    ]) {
      expect(await count(database, table), table).toBe(0)
    }
  })

  test('approvals go when they have ended; what can still be answered or used stays', async () => {
    const { parts, database } = await setUp()
    await fillSession(database, 'open', { updatedAt: now })
    const session_id = 'open'
    const states = ['pending', 'approved', 'denied', 'expired', 'void', 'used']
    await fill(
      database,
      'approvals',
      states.map((state) =>
        approval(state, { state, session_id, asked_at: old }),
      ),
    )
    await fill(database, 'approvals', [
      approval('gone', { state: 'approved', asked_at: old }),
      approval('young', { state: 'denied', asked_at: young }),
    ])
    await fill(
      database,
      'votes',
      ['denied', 'approved'].map((approval_id) => ({
        approval_id,
        voter: 'user:ann',
        decision: 'allow',
        at: 0,
      })),
    )
    const retention = createRetention(parts, { approvals: month })
    expect(await retention.run()).toEqual({ approvals: 5 })
    expect(await ids(database, 'approvals')).toEqual([
      'approved',
      'pending',
      'young',
    ])
    const votes = await readRows(database, 'SELECT approval_id FROM votes')
    expect(votes).toEqual([{ approval_id: 'approved' }])
  })

  test('jobs go when they have ended', async () => {
    const { parts, database } = await setUp()
    const created_at = old
    await fill(database, 'jobs', [
      job('done', { created_at, ended_at: old }),
      job('queued', { created_at, state: 'queued' }),
      job('young', { created_at: young, ended_at: young }),
    ])
    const retention = createRetention(parts, { jobs: month })
    expect(await retention.run()).toEqual({ jobs: 1 })
    expect(await ids(database, 'jobs')).toEqual(['queued', 'young'])
  })

  test('shared state of turns and sessions goes when they are over; that of agents stays', async () => {
    const { parts, database } = await setUp()
    await fillSession(database, 'over', { endedAt: old })
    await fillSession(database, 'open', { updatedAt: old })
    const cell = (scope: string, scope_id: string, updated_at: number) => ({
      scope,
      scope_id,
      name: 'n',
      version: 1,
      updated_at,
      payload: '{}',
    })
    await fill(database, 'cells', [
      cell('session', 'over', old),
      cell('session', 'open', old),
      cell('session', 'young', young),
      cell('tree', 'over', old),
      cell('tree', 'open', old),
      cell('turn', 't-over', old),
      cell('turn', 't-open', old),
      cell('agent', 'main', old),
      cell('global', '', old),
    ])
    const retention = createRetention(parts, { cells: month })
    expect(await retention.run()).toEqual({ cells: 3 })
    const sql = 'SELECT scope_id FROM cells ORDER BY scope, scope_id'
    const rows = await readRows(database, sql)
    expect(rows.map(({ scope_id }) => scope_id)).toEqual([
      'main',
      '',
      'open',
      'young',
      'open',
      't-open',
    ])
  })

  test.each([
    ['removed some of it', 'DELETE FROM cells'],
    ['written to some of it', `UPDATE cells SET updated_at = ${now}`],
  ])(
    'shared state goes in the next pass where another process has %s meanwhile',
    async (_, sql) => {
      const { parts, database } = await setUp()
      await fillSession(database, 'over', { endedAt: old })
      const cell = { version: 1, updated_at: old, payload: '{}' }
      const place = { scope: 'session', scope_id: 'over' }
      const names = ['a', 'b'].map((name) => ({ ...cell, ...place, name }))
      await fill(database, 'cells', names)
      const other = { sql: `${sql} WHERE name = 'a'`, values: [] }
      let isFirst = true
      const slower: Database = {
        dialect: database.dialect,
        version: database.version,
        read: (statement) => database.read(statement),
        snapshot: () => database.snapshot(),
        async write(unit) {
          if (isFirst) await database.write({ name: 'o', statements: [other] })
          isFirst = false
          return await database.write(unit)
        },
        close: () => database.close(),
      }
      const given = { ...parts, database: slower }
      const retention = createRetention(given, { cells: month })
      expect(await retention.run()).toEqual({})
      expect(await retention.run()).toEqual({ cells: 1 })
    },
  )

  test('records of removals are themselves removed in their time', async () => {
    const { parts, database } = await setUp()
    const removal = { kind: 'runs', rows_removed: 1, reason: 'retention' }
    await fill(database, 'removals', [
      { id: 'r1', at: old, ...removal },
      { id: 'r2', at: young, ...removal },
    ])
    const retention = createRetention(parts, { removals: month })
    expect(await retention.run()).toEqual({ removals: 1 })
    const left = "SELECT id FROM removals WHERE kind = 'runs'"
    expect(await readRows(database, left)).toEqual([{ id: 'r2' }])
  })

  test('it goes through its rules again and again, until it is closed', async () => {
    const { parts, database } = await setUp()
    await recordRuns(parts, [old])
    const retention = createRetention(parts, { runs: month })
    retention.start(60_000)
    await expect.poll(() => count(database, 'runs')).toBe(0)
    await expect.poll(() => parts.clock.pending).toBe(1)
    await recordRuns(parts, [old])
    await parts.clock.advance(60_000)
    await expect.poll(() => count(database, 'runs')).toBe(0)
    await retention.close()
    expect(parts.clock.pending).toBe(0)
  })
})

test('a rule that is no number from 0 on is refused', () => {
  const rules = { runs: { maxAgeMs: Number.NaN } }
  const make = () => createRetention({} as never, rules)
  expect(make).toThrow(
    'The rule "maxAgeMs" for runs is not a number from 0 on.',
  )
})
