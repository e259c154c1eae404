import type { Visibility } from 'hookline'
import type { Answerer, SafetyClass, ToolCallStatus } from 'hookline/lifecycle'
import type { Dialect, Row } from '../database.ts'
import { cursorOf } from '../events/cursor.ts'
import { readMarksSql } from '../events/statements.ts'
import type { StoreParts } from '../parts.ts'
import { approverOf } from './approver-of.ts'
import { runsBy } from './runs-by.ts'
import {
  number,
  readRun,
  type StoredRun,
  storedRunColumns,
  text,
} from './stored-run.ts'

/** What became of the calls of a turn, and every hook that ran in it. */
export interface TurnTrace {
  readonly calls: readonly TracedCall[]
  /** In the order in which they began. */
  readonly runs: readonly StoredRun[]
  /** Where the next page of runs begins; absent at their end. */
  readonly next: TraceCursor | undefined
  /** There are more calls than are told. */
  readonly isCut: boolean
}

/** After the run that began then, in that place of its dispatch. */
export interface TraceCursor {
  readonly startedAt: number
  readonly place: number
  readonly id: string
}

export interface TraceTurnOptions {
  readonly sessionId: string
  readonly turnId: string
  readonly after?: TraceCursor
  /** How many runs; default: 1 000. */
  readonly limit?: number
}

/** How far a call has come. */
export type CallState = 'waiting' | 'sealed' | 'ended'

export interface TracedCall {
  readonly callId: string
  readonly tool: string
  readonly owner: string
  readonly safety: SafetyClass
  readonly state: CallState
  readonly status: ToolCallStatus | undefined
  readonly error: string | undefined
  readonly seal: string | undefined
  readonly isUngated: boolean
  readonly approvedBy: Answerer | undefined
  /** Who may see the hook that agreed to it; undefined: no run of it is left. */
  readonly approverVisibility: Visibility | undefined
  readonly startedAt: number
  readonly endedAt: number | undefined
  readonly elapsedMs: number | undefined
}

const maxCalls = 5_000
const beforeAll: TraceCursor = { startedAt: -1, place: -1, id: '' }

export const traceTurnSql = (dialect: Dialect) => ({
  calls: `SELECT call_id, tool, owner, safety, state, status, error, seal,
  is_ungated, approver, approved_by, started_at, ended_at, elapsed_ms,
  (SELECT visibility FROM ${runsBy('runs_by_turn', dialect)}
    WHERE turn_id = calls.turn_id AND call_id = calls.call_id
      AND session_id = calls.session_id AND hook = calls.approved_by
      AND point = 'permission.request'
    ORDER BY started_at DESC LIMIT 1) AS approver_visibility
FROM calls WHERE turn_id = ? AND session_id = ?
ORDER BY started_at, call_id LIMIT ${maxCalls + 1}`,
  runs: `SELECT ${storedRunColumns} FROM ${runsBy('runs_by_turn', dialect)}
WHERE turn_id = ? AND session_id = ? AND (started_at, place, id) > (?, ?, ?)
ORDER BY started_at, place, id LIMIT ?`,
  lastBefore: `SELECT position FROM events WHERE session_id = ? AND at < ?
ORDER BY position DESC LIMIT 1`,
  firstAfter: `SELECT 1 AS one FROM events
WHERE session_id = ? AND position > ? AND at <= ? ORDER BY position LIMIT 1`,
})

export async function traceTurn(
  { database }: Pick<StoreParts, 'database'>,
  options: TraceTurnOptions,
): Promise<TurnTrace> {
  const { sessionId, turnId, after = beforeAll, limit = 1_000 } = options
  const sql = traceTurnSql(database.dialect)
  const values = [turnId, sessionId]
  const from = [after.startedAt, after.place, after.id, limit + 1]
  const [calls, runs] = await Promise.all([
    database.read({ sql: sql.calls, values }),
    database.read({ sql: sql.runs, values: [...values, ...from] }),
  ])
  const last = runs.length > limit ? runs[limit - 1] : undefined
  return {
    calls: calls.slice(0, maxCalls).map(readCall),
    runs: runs.slice(0, limit).map(readRun),
    next: last && {
      startedAt: Number(last['started_at']),
      place: Number(last['place']),
      id: String(last['id']),
    },
    isCut: calls.length > maxCalls,
  }
}

function readCall(row: Row): TracedCall {
  // Those who write calls and runs put no other words there.
  return {
    callId: String(row['call_id']),
    tool: String(row['tool']),
    owner: String(row['owner']),
    safety: String(row['safety']) as SafetyClass,
    state: String(row['state']) as CallState,
    status: text(row['status']) as ToolCallStatus | undefined,
    error: text(row['error']),
    seal: text(row['seal']),
    isUngated: row['is_ungated'] === 1,
    approvedBy: approverOf(row),
    approverVisibility: text(row['approver_visibility']) as
      | Visibility
      | undefined,
    startedAt: Number(row['started_at']),
    endedAt: number(row['ended_at']),
    elapsedMs: number(row['elapsed_ms']),
  }
}

/** Hooks at its input have begun before a turn is written down. */
const leadMs = 60_000

export interface TurnTimes {
  readonly sessionId: string
  readonly startedAt: number
  readonly endedAt: number | null
}

/**
 * The cursor after which the events of a turn are in the log; undefined when
 * none of them is kept any more.
 */
export async function findTurnEvents(
  { database }: Pick<StoreParts, 'database'>,
  { sessionId, startedAt, endedAt }: TurnTimes,
): Promise<string | undefined> {
  const { lastBefore, firstAfter } = traceTurnSql(database.dialect)
  const values = [sessionId, startedAt - leadMs]
  const [marks, before] = await Promise.all([
    database.read({ sql: readMarksSql, values: [] }),
    database.read({ sql: lastBefore, values }),
  ])
  const floor = Number(marks[0]?.['floor'] ?? 0)
  const position = Math.max(floor, Number(before[0]?.['position'] ?? 0))
  const until = endedAt ?? Number.MAX_SAFE_INTEGER
  const [first] = await database.read({
    sql: firstAfter,
    values: [sessionId, position, until],
  })
  if (first === undefined) return undefined
  return cursorOf(String(marks[0]?.['log']), position)
}
