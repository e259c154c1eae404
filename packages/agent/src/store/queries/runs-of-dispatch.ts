import type { Statement } from '../database.ts'
import type { StoredRun } from './stored-run.ts'

const maxRuns = 1_000
const nearbyMs = 60_000

/** Each by the index that leaves least to look at. */
export const runsOfDispatchSql = (columns: string) => {
  const select = `SELECT ${columns} FROM runs WHERE`
  const tail = `AND dispatch = ?
ORDER BY place, started_at, id LIMIT ${maxRuns}`
  return {
    // Not by the call: a hook that never began was not given it.
    byTurn: `${select} turn_id = ? ${tail}`,
    bySession: `${select} session_id = ? AND turn_id IS NULL ${tail}`,
    // What is about no session is rare, and over soon.
    byTime: `${select} point = ? AND started_at >= ? AND started_at <= ? ${tail}`,
  }
}

/** All runs of the dispatch of a run, itself among them, in their order. */
export function runsOfDispatch(run: StoredRun, columns: string): Statement {
  const { turnId, sessionId, dispatch, point, startedAt } = run
  const { byTurn, bySession, byTime } = runsOfDispatchSql(columns)
  if (turnId !== undefined) return { sql: byTurn, values: [turnId, dispatch] }
  if (sessionId !== undefined) {
    return { sql: bySession, values: [sessionId, dispatch] }
  }
  const near = [startedAt - nearbyMs, startedAt + nearbyMs]
  return { sql: byTime, values: [point, ...near, dispatch] }
}
