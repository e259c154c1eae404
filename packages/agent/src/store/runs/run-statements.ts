import type { Statement } from '../database.ts'
import { rowStatements } from './row-statements.ts'

/** Of a row of `runs`, in the order of its values. */
const runColumns = [
  'id',
  'dispatch',
  'inside',
  'session_id',
  'turn_id',
  'call_id',
  'agent',
  'point',
  'hook',
  'handler_id',
  'handler_kind',
  'handler_version',
  'visibility',
  'mode',
  'attempt',
  'state',
  'note',
  'started_at',
  'place',
  'latency_ms',
  'deadline_ms',
  'answer',
  'reason',
  'said',
  'decided',
  'failure_code',
  'failure_message',
  'policy',
  'failed_open',
  'contributions',
  'diagnostics',
  'idempotency_key',
  'input_hash',
  'worker',
  'late',
  'late_ms',
  'content',
  'payload',
] as const

type Column = (typeof runColumns)[number]

// What a run is, and where: its first row has said it.
const fixed: ReadonlySet<string> = new Set<Column>([
  'id',
  'dispatch',
  'session_id',
  'turn_id',
  'agent',
  'point',
  'hook',
])

// What only its start may know, or only its end.
const kept: ReadonlySet<string> = new Set<Column>([
  'inside',
  'call_id',
  'handler_id',
  'handler_kind',
  'handler_version',
  'visibility',
  'mode',
  'deadline_ms',
  'idempotency_key',
  'input_hash',
  'late',
  'late_ms',
  'content',
  'payload',
])

const changes = runColumns
  .filter((column) => !fixed.has(column))
  .map((column) =>
    kept.has(column)
      ? `${column} = COALESCE(excluded.${column}, runs.${column})`
      : `${column} = excluded.${column}`,
  )

// What this worker began before it queued the run may be written late. Clocks
// of different hosts say nothing of each other.
const isNext =
  '(excluded.worker <> runs.worker OR excluded.started_at > runs.started_at)'

/**
 * Writes runs as they are now. A row that is there already changes only if
 * this is its next state: an attempt ends once, by the worker that began it;
 * a job that was queued, or held back by the breaker, begins by another worker
 * or, by the clock of the same one, after that; a later attempt takes the place
 * of an earlier one.
 * So nothing is wrong with writing the same rows again.
 */
export const writeRuns = rowStatements(
  'INSERT INTO runs',
  runColumns,
  `ON CONFLICT (id) DO UPDATE SET ${changes.join(', ')}
WHERE excluded.attempt > runs.attempt
  OR (excluded.attempt = runs.attempt AND (
    (runs.state = 'backgrounded' AND (excluded.state <> 'started'
      OR ${isNext}))
    OR (runs.state = 'skipped' AND excluded.state <> 'backgrounded'
      AND ${isNext})
    OR (runs.state = 'started' AND excluded.state <> 'started'
      AND runs.worker = excluded.worker)))`,
)

// What most ends have to say; of it only the state is in an index, so that
// most of the indexes stay as they are.
const plainColumns = [
  'state',
  'latency_ms',
  'answer',
  'decided',
  'failed_open',
] as const satisfies readonly Column[]

const wholeColumns = [
  ...plainColumns,
  'reason',
  'said',
  'note',
  'failure_code',
  'failure_message',
  'policy',
  'contributions',
  'diagnostics',
  'late',
  'late_ms',
  'inside',
  'handler_id',
  'handler_kind',
  'handler_version',
  'visibility',
  'mode',
] as const satisfies readonly Column[]

// One row at a time: for a list of rows, Postgres may read the whole table.
function updateSql(columns: readonly Column[]): string {
  const set = columns.map((column) =>
    kept.has(column) ? `${column} = COALESCE(?, ${column})` : `${column} = ?`,
  )
  return `UPDATE runs SET ${set.join(', ')}
WHERE id = ? AND attempt = ? AND worker = ?
  AND state IN ('started', 'backgrounded')`
}

/** Ends a run whose start this worker has written, if that is all it says. */
export const endPlainRun = updateSql(plainColumns)

/** The same with all that an end may have to say. */
export const endWholeRun = updateSql(wholeColumns)

const keepAttempt = `INSERT INTO attempts
  (run_id, attempt, state, started_at, latency_ms, failure_code, worker)
SELECT id, attempt, state, started_at, latency_ms, failure_code, worker
FROM runs WHERE id = ? AND attempt < ?
ON CONFLICT (run_id, attempt) DO NOTHING`

/** Keeps what a run came to before this attempt takes its place. */
export function keepEarlierAttempt(id: string, attempt: number): Statement {
  return { sql: keepAttempt, values: [id, attempt] }
}

const markLate = 'UPDATE runs SET late = ?, late_ms = ? WHERE id = ?'

/** A run that had ended was heard of again. */
export function noteLate(
  id: string,
  settled: string,
  latencyMs: number,
): Statement {
  return { sql: markLate, values: [settled, latencyMs, id] }
}

const writeGap = `INSERT INTO removals
  (id, at, kind, rows_removed, older_than, reason)
VALUES (?, hookline_now(), ?, ?, NULL, 'gap')
ON CONFLICT (id) DO NOTHING`

/** So many were never written: there was no room to wait for the database. */
export function gapStatement(
  id: string,
  kind: string,
  count: number,
): Statement {
  return { sql: writeGap, values: [id, kind, count] }
}
