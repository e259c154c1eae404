import type { Dialect } from '../store/database.ts'

/** As if the jobs of one lane came so far apart: others go in between. */
const laneSpacingMs = 100
const longestBackoffMs = 3_600_000
/** A moment that the planner may look up in an index. */
const now = '(SELECT hookline_now())'

/** The place of the next job in a lane: now, or after the last that waits. */
const nextPlace = (lane: string) => `(
  SELECT CASE WHEN last.next_at > ${now} THEN last.next_at ELSE ${now} END
  FROM (
    SELECT (
      SELECT waiting.order_at + ${laneSpacingMs} FROM jobs waiting
      WHERE waiting.lane = ${lane} AND waiting.state = 'queued'
      ORDER BY waiting.order_at DESC LIMIT 1
    ) AS next_at
  ) AS last
)`

// Both count from when a job was added, or last put back.
const mayRetry = 'is_idempotent = 1 AND attempt < max_attempts'

/** Doubles with each attempt, if it grows, up to an hour. */
const backoff = `CASE
  WHEN backoff = 'fixed' THEN backoff_ms
  WHEN backoff = 'none' THEN 0
  WHEN attempt > 20 OR (backoff_ms << CAST(attempt - 1 AS INTEGER)) > ${longestBackoffMs}
    THEN ${longestBackoffMs}
  ELSE backoff_ms << CAST(attempt - 1 AS INTEGER)
END`

/** What becomes of a job that came to nothing. */
const afterFailure = `
  state = CASE
    WHEN ${mayRetry} THEN 'delayed'
    WHEN is_idempotent = 1 THEN 'dead'
    ELSE 'failed'
  END,
  run_at = hookline_now() + ${backoff},
  ended_at = CASE WHEN ${mayRetry} THEN NULL ELSE hookline_now() END,
  leased_until = NULL`

const ended = `
  ended_at = hookline_now(),
  leased_until = NULL,
  payload = NULL,
  payload_hash = NULL`

/** It is still ours: nobody has taken it since we did. */
const isOurs = "id = ? AND state = 'running' AND fence = ?"

const isOpen = "state IN ('queued', 'delayed', 'running')"

const leased = `jobs.id, jobs.fence, jobs.kind, jobs.lane, jobs.session_id,
  jobs.payload, jobs.payload_hash, jobs.is_idempotent, jobs.attempt,
  jobs.max_attempts, jobs.earlier_attempts, jobs.order_at,
  hookline_now() - COALESCE(jobs.put_back_at, jobs.created_at) AS age_ms`

const taken = `UPDATE jobs SET
  state = 'running',
  attempt = attempt + 1,
  fence = fence + 1,
  worker = ?,
  leased_until = hookline_now() + ?,
  reason = NULL,
  note = NULL`

const shown = `id, kind, lane, session_id, about, state, attempt, max_attempts,
  earlier_attempts, is_idempotent, created_at, run_at, ended_at, worker, reason, note`

/** All that is ever said to the table of jobs. */
export function jobStatements(dialect: Dialect) {
  // Rows that somebody else is taking are theirs. SQLite has one writer.
  const unlocked = dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''
  return {
    add: `INSERT INTO jobs (id, kind, session_id, lane, about, state,
        max_attempts, is_idempotent, backoff, backoff_ms, run_at, order_at,
        created_at, payload_hash, payload)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, hookline_now() + ?,
        ${nextPlace('?')}, hookline_now(), ?, ?)
      ON CONFLICT (id) DO NOTHING RETURNING id`,
    promote: `WITH due AS MATERIALIZED (
        SELECT id, lane, run_at FROM jobs
        WHERE state = 'delayed' AND run_at <= ${now}
        ORDER BY run_at LIMIT 100 ${unlocked}
      ), placed AS MATERIALIZED (
        SELECT id, ${nextPlace('due.lane')} + ${laneSpacingMs} * (
          ROW_NUMBER() OVER (PARTITION BY lane ORDER BY run_at, id) - 1
        ) AS place_at
        FROM due
      )
      UPDATE jobs SET state = 'queued', order_at = placed.place_at
      FROM placed WHERE jobs.id = placed.id`,
    claim: `WITH picked AS MATERIALIZED (
        SELECT id FROM jobs WHERE state = 'queued'
        ORDER BY order_at, id LIMIT ? ${unlocked}
      )
      ${taken} FROM picked WHERE jobs.id = picked.id RETURNING ${leased}`,
    renew: `UPDATE jobs SET leased_until = hookline_now() + ? WHERE ${isOurs}`,
    complete: `UPDATE jobs SET state = 'done', ${ended} WHERE ${isOurs}
      RETURNING state`,
    fail: `UPDATE jobs SET ${afterFailure}, reason = ?, note = ?
      WHERE ${isOurs} RETURNING state`,
    bury: `UPDATE jobs SET state = 'dead', ended_at = hookline_now(),
        leased_until = NULL, reason = ?, note = ?
      WHERE ${isOurs} RETURNING state`,
    drop: `UPDATE jobs SET state = 'cancelled', ${ended}, reason = ?, note = ?
      WHERE ${isOurs} RETURNING state`,
    release: `UPDATE jobs SET state = 'delayed', attempt = attempt - 1,
        run_at = hookline_now() + ?, leased_until = NULL, reason = ?
      WHERE ${isOurs} RETURNING state`,
    settled: 'SELECT state FROM jobs WHERE id = ? AND fence = ?',
    cancel: `UPDATE jobs SET state = 'cancelled', fence = fence + 1, ${ended},
        reason = ?
      WHERE id = ? AND ${isOpen}`,
    cancelSession: `UPDATE jobs SET state = 'cancelled', fence = fence + 1,
        ${ended}, reason = ?
      WHERE session_id = ? AND ${isOpen}`,
    given: 'SELECT state, fence, payload, payload_hash FROM jobs WHERE id = ?',
    // Whoever takes a job raises its fence: this is the death that was read.
    // Of a run only a later attempt is written over what has ended.
    retryDead: `UPDATE jobs SET state = 'delayed',
        earlier_attempts = earlier_attempts + attempt, attempt = 0,
        run_at = hookline_now(), put_back_at = hookline_now(), ended_at = NULL
      WHERE id = ? AND state = 'dead' AND fence = ? AND payload_hash = ?`,
    recover: `WITH stale AS MATERIALIZED (
        SELECT id FROM jobs
        WHERE state = 'running' AND leased_until < ${now}
        ORDER BY leased_until LIMIT ? ${unlocked}
      )
      UPDATE jobs SET ${afterFailure}, fence = fence + 1,
        reason = CASE WHEN is_idempotent = 1 THEN 'lease_expired'
          ELSE 'unknown_outcome' END
      FROM stale WHERE jobs.id = stale.id
      RETURNING jobs.id, jobs.kind, jobs.state, jobs.reason`,
    counts: `SELECT state, COUNT(*) AS amount FROM jobs WHERE state <> 'done'
      GROUP BY state`,
    list: {
      all: listed('1 = 1'),
      // Says it twice: so that the index of those that are not done is used.
      state: listed("state = ? AND state <> 'done'"),
      done: listed("state = 'done'"),
      session: listed('session_id = ?'),
      stateInSession: listed('session_id = ? AND state = ?'),
    },
  }
}

export type JobStatements = ReturnType<typeof jobStatements>

function listed(condition: string): string {
  return `SELECT ${shown} FROM jobs
    WHERE ${condition} AND (created_at, id) < (?, ?)
    ORDER BY created_at DESC, id DESC LIMIT ?`
}
