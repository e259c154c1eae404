import { expect, test } from 'vitest'
import { listAuditSql } from '../audit/list-audit.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { findCalls, findCallsSql } from './find-calls.ts'
import { explain, readsAll } from './fixtures/explain.ts'
import { analyze, makeRuns } from './fixtures/many-runs.ts'
import { traceTurn, traceTurnSql } from './trace-turn.ts'

const count = 30_000
const numbers = `WITH RECURSIVE numbers (n) AS (
  SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`
const text = (number: string) => `CAST(${number} AS TEXT)`

const fills = [
  `INSERT INTO turns (id, session_id, number, agent, status, started_at)
${numbers} SELECT 't' || ${text('n')}, 's' || ${text('n / 10')}, n, 'main',
  'succeeded', n FROM numbers`,
  `INSERT INTO calls (turn_id, call_id, session_id, tool, owner, safety, state,
  verdicts, started_at)
${numbers} SELECT 't' || ${text('n')}, 'c' || ${text('n')}, 's' || ${text('n / 10')},
  'read', 'runtime', 'read_only', 'ended', '[]', n FROM numbers`,
  `INSERT INTO audit (seq, at, kind, session_id, body, previous, hash)
${numbers} SELECT n, n, 'test', 's' || ${text('n / 10')}, '{}', '', ''
FROM numbers`,
  `INSERT INTO events (position, id, session_id, at, kind, size, payload)
${numbers} SELECT n, 'e' || ${text('n')}, 's' || ${text('n / 10')}, n, 'event',
  2, '{}' FROM numbers`,
]

async function fill(database: Database): Promise<void> {
  const statements = fills.map((sql) => ({ sql, values: [] }))
  await database.write({ name: 'test.fill', statements })
  await makeRuns(database, 20_000)
  await analyze(database)
}

const redactor = {
  text: (given: string) => given,
  data: (data: unknown) => data,
}

forEachDatabase((kit) => {
  test('calls, traces and the audit log are found by an index', async () => {
    const database = await kit.open()
    await fill(database)
    const trace = traceTurnSql(kit.name)
    const queries = [
      [findCallsSql.everywhere, ['c1']],
      [findCallsSql.inSession, ['s1', 'c1']],
      [trace.calls, ['t1', 's1']],
      [trace.runs, ['t1', 's1', 0, 0, '', 1_001]],
      [trace.lastBefore, ['s1', 1]],
      [trace.firstAfter, ['s1', 1, 1]],
      [listAuditSql.all, [20_000, 100]],
      [listAuditSql.session, ['s1', 20_000, 100]],
    ] as const
    for (const [sql, values] of queries) {
      // Postgres reads through so few calls, as that is less than to look each
      // of thousands of turns up; of millions it does not.
      const isCheap = sql === findCallsSql.everywhere
      if (isCheap && kit.name === 'postgres') continue
      const plan = await explain(database, sql, values)
      expect(readsAll(plan), plan).toBe(false)
    }
    const began = performance.now()
    const [found] = await findCalls(
      { database, redactor },
      { callId: `c${count - 4_000}` },
    )
    const tookMs = performance.now() - began
    process.stdout.write(
      `${database.version}: a call by its id among ${count}: ${tookMs.toFixed(0)} ms\n`,
    )
    const turnId = `t${count - 4_000}`
    expect(found).toMatchObject({ turnId, sessionId: 's2600' })
    // So old that nobody looks for it without its session.
    const old = { callId: 'c15' }
    expect(await findCalls({ database, redactor }, old)).toEqual([])
    const own = { ...old, sessionId: 's1' }
    expect(await findCalls({ database, redactor }, own)).toHaveLength(1)
    const traced = await traceTurn({ database }, { sessionId: 's2600', turnId })
    expect(traced).toMatchObject({ calls: [{ tool: 'read' }], runs: [] })
  }, 60_000)
})
