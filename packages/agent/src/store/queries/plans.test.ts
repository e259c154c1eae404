import { beforeAll, expect, test } from 'vitest'
import type { Database, Dialect, SqlValue } from '../database.ts'
import { readAll, readOfSession } from '../events/statements.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import {
  listWaiting as listWaitingMessages,
  readMessages,
} from '../inbox/statements.ts'
import { findCellsSql } from '../retention/remove-cells.ts'
import { findEventsSql } from '../retention/remove-events.ts'
import { findSql } from '../retention/remove-rows.ts'
import { findEndedSql } from '../retention/remove-sessions.ts'
import { rowKinds } from '../retention/row-kinds.ts'
import { findStaleSql, markStaleSql } from '../runs/sweep-runs.ts'
import { listAbandonedSql } from '../sessions/list-abandoned.ts'
import { listChildren } from '../sessions/statements.ts'
import { listLost, listTasks } from '../tasks/statements.ts'
import { listCandidates, listLeft } from '../wakes/statements.ts'
import { explain, readsAll } from './fixtures/explain.ts'
import {
  analyze,
  firstTime,
  makeOthers,
  makeRuns,
} from './fixtures/many-runs.ts'
import { hookFiguresSql, hookNamesSql } from './hook-figures.ts'
import { failureCausesSql, hookSpansSql } from './hook-history.ts'
import { listAttemptsSql } from './list-attempts.ts'
import { listRunsSql } from './list-runs.ts'
import { runsOfDispatchSql } from './runs-of-dispatch.ts'
import { usageFiguresSql } from './usage-figures.ts'
import { whyCallSql } from './why-call.ts'

const ofDispatch = runsOfDispatchSql('id')
const range = [firstTime, firstTime + 9_000, firstTime + 9_000, 'd1', 100]

type Queries = Record<string, readonly [sql: string, values: SqlValue[]]>

const queriesOn = (dialect: Dialect): Queries => ({
  'runs by time': [listRunsSql(dialect), range],
  'runs by session': [listRunsSql(dialect, 'session_id'), ['s1', ...range]],
  'runs by hook': [listRunsSql(dialect, 'hook'), ['hook-1', ...range]],
  'runs by point': [listRunsSql(dialect, 'point'), ['tool.guard', ...range]],
  'runs by state': [listRunsSql(dialect, 'state'), ['failed', ...range]],
  'attempts of a run': [listAttemptsSql, ['d1/hook', 'd1/hook']],
  'figures of a hook': [
    hookFiguresSql(dialect),
    ['hook-1', 0, firstTime + 9_000],
  ],
  'spans of a hook': [
    hookSpansSql(dialect),
    ['hook-1', 0, firstTime + 9_000, 0, 1_000],
  ],
  'causes of failures': [
    failureCausesSql(dialect),
    ['hook-1', 0, firstTime + 9_000],
  ],
  'usage by agent': [
    usageFiguresSql(dialect, 'agent'),
    [firstTime, firstTime + 9_000, null],
  ],
  'usage by day': [
    usageFiguresSql(dialect, 'day'),
    [firstTime, firstTime + 9_000, 'main', 0],
  ],
  'names of hooks': [hookNamesSql, ['']],
  'why: the call': [whyCallSql(dialect).call, ['t1', 'c1', null]],
  'why: its runs': [whyCallSql(dialect).runs, ['s0', 't1', 'c10', 't1', 'c10']],
  'why: its approvals': [whyCallSql(dialect).approvals, ['s0', 't1', 'c10']],
  'why: how calls ended': [whyCallSql(dialect).ends, ['s0', 't1']],
  'runs to sweep': [findStaleSql, ['w2', 500]],
  'runs that are swept': [markStaleSql, Array<string>(500).fill('d1/hook')],
  'events of all': [readAll, [4_000, 100, 1_000]],
  'events of a session': [
    readOfSession,
    ['s7', 0, 100, 's7', 0, 100, 100, 1_000],
  ],
  'old events': [findEventsSql, [0]],
  'messages of a session': [readMessages, ['s7', 100]],
  'sessions with messages': [listWaitingMessages, [100, 0]],
  'abandoned turns': [listAbandonedSql, [100, 0]],
  'wakes of an event': [listCandidates, ['event-7', 100]],
  'firings that are left': [listLeft, ['w1', 100, 0]],
  'open tasks': [listTasks, [100, 0]],
  'tasks that are gone': [listLost, [100]],
  'who is left of a session': [listChildren, ['s7']],
  'runs of a dispatch in a turn': [ofDispatch.byTurn, ['t1', 'd1']],
  'runs of a dispatch in a session': [ofDispatch.bySession, ['s1', 'd1']],
  'old cells': [findCellsSql, [firstTime, 'turn', '', '']],
  'ended sessions': [findEndedSql, [firstTime, 0, '']],
  ...Object.fromEntries(
    rowKinds.map((kind) => [
      `old ${kind.kind}`,
      [findSql(kind), [firstTime + 100, 0, '']] as const,
    ]),
  ),
})

forEachDatabase((kit) => {
  let database: Database
  beforeAll(async () => {
    database = await kit.open()
    await makeRuns(database, 20_000)
    await makeOthers(database)
    await analyze(database)
  }, 60_000)

  for (const [name, [sql, values]] of Object.entries(queriesOn(kit.name))) {
    test(`an index finds ${name}; no table is read through`, async () => {
      const plan = await explain(database, sql, values)
      expect(plan).toMatch(/index|Index|INDEX|PRIMARY KEY/)
      expect(readsAll(plan), plan).toBe(false)
    })
  }

  test('a table that is read through is recognized as such', async () => {
    const sql = 'SELECT COUNT(*) AS count FROM runs WHERE answer = ?'
    const plan = await explain(database, sql, ['reject'])
    expect(readsAll(plan), plan).toBe(true)
  })
})
