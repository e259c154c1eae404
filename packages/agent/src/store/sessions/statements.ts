/** Nobody has it, or who had it is gone, or it is ours; the fence shuts out others. */
export const claimSession = `
UPDATE sessions SET worker = ?, fence = fence + 1
WHERE id = ? AND (worker IS NULL OR worker = ? OR NOT EXISTS (
  SELECT 1 FROM workers
  WHERE workers.id = sessions.worker AND leased_until > hookline_now()
))
RETURNING fence, seq, agent, cwd, title, created_at, payload`

export const insertSession = `
INSERT INTO sessions
  (id, agent, cwd, created_at, updated_at, worker, fence, parent_id, payload)
VALUES (?, ?, ?, ?, hookline_now(), ?, hookline_now(), ?, ?)
ON CONFLICT (id) DO NOTHING
RETURNING fence`

/** Those somebody waited for; a task that nobody waits for goes on. */
export const listChildren = `
SELECT id FROM sessions
WHERE parent_id = ? AND task IS NULL AND ended IS NULL ORDER BY id`

export const readSession =
  'SELECT worker, fence, seq FROM sessions WHERE id = ?'

/** What is over for good is nobody's. */
export const advanceSession = `
UPDATE sessions SET seq = seq + ?, turns = COALESCE(?, turns),
  title = COALESCE(title, CAST(? AS TEXT)),
  ended = COALESCE(CAST(? AS TEXT), ended),
  worker = CASE WHEN CAST(? AS TEXT) IS NULL THEN worker ELSE NULL END,
  updated_at = hookline_now()
WHERE id = ? AND worker = ? AND fence = ? AND seq = ?`

/** Not a change of what is in it: it keeps its place among the others. */
export const titleSession =
  'UPDATE sessions SET title = ? WHERE id = ? AND worker = ? AND fence = ?'

export const releaseSession =
  'UPDATE sessions SET worker = NULL WHERE id = ? AND worker = ? AND fence = ?'

export const insertEntry = `
INSERT INTO journal (session_id, seq, at, type, turn_id, about, payload)
VALUES (?, ?, hookline_now(), ?, ?, ?, ?)`

/**
 * The snapshot, if there is one, and what the journal has after it: in one
 * statement, or a snapshot that is written in between would leave a gap.
 */
export const readState = `
SELECT 0 AS is_entry, seq, payload FROM snapshots WHERE session_id = ?
UNION ALL
SELECT 1 AS is_entry, seq, payload FROM journal
WHERE session_id = ? AND seq > COALESCE(
  (SELECT seq FROM snapshots WHERE session_id = ?), 0)
ORDER BY is_entry, seq`

export const writeSnapshot = `
INSERT INTO snapshots (session_id, seq, payload)
SELECT id, CAST(? AS BIGINT), CAST(? AS TEXT) FROM sessions
WHERE id = ? AND worker = ? AND fence = ?
ON CONFLICT (session_id) DO UPDATE
SET seq = excluded.seq, payload = excluded.payload
WHERE excluded.seq > snapshots.seq`

export const startTurn = `
INSERT INTO turns
  (id, session_id, number, agent, input_id, origin, status, started_at)
SELECT CAST(? AS TEXT), id, CAST(? AS BIGINT), agent, CAST(? AS TEXT),
  CAST(? AS TEXT), 'running', hookline_now()
FROM sessions WHERE id = ?
ON CONFLICT (id, session_id) DO UPDATE
SET number = excluded.number, status = 'running', ended_at = NULL`

export const noteStep =
  'UPDATE turns SET steps = ? WHERE id = ? AND session_id = ?'

// Database time can be set back: nothing ends before it has begun.
const endedAt = `
CASE WHEN hookline_now() > started_at THEN hookline_now() ELSE started_at END`

export const endTurn = `
UPDATE turns SET status = ?, model = ?, ended_at = ${endedAt}, elapsed_ms = ?,
  steps = ?, tool_count = ?, input_tokens = ?, output_tokens = ?, cost = ?,
  error = ?, owed_by = ?
WHERE id = ? AND session_id = ?`

/** Hooks have been told of its end. */
export const settleTurn =
  'UPDATE turns SET owed_by = NULL WHERE id = ? AND session_id = ?'

/** A call that is asked about, or about to run. */
export const openCall = `
INSERT INTO calls
  (turn_id, call_id, session_id, tool, owner, safety, state, seal, table_hash,
   grant_json, verdicts, is_ungated, approver, approved_by, payload,
   started_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, hookline_now())
ON CONFLICT (turn_id, call_id, session_id) DO UPDATE SET
  state = excluded.state, seal = excluded.seal,
  table_hash = excluded.table_hash, grant_json = excluded.grant_json,
  verdicts = excluded.verdicts, is_ungated = excluded.is_ungated,
  approver = excluded.approver, approved_by = excluded.approved_by,
  payload = excluded.payload`

/** One that was sealed keeps what it was sealed with. */
export const endCall = `
INSERT INTO calls
  (turn_id, call_id, session_id, tool, owner, safety, state, status, error,
   decider, decided_by, verdicts, elapsed_ms, payload, started_at, ended_at)
VALUES (?, ?, ?, ?, ?, ?, 'ended', ?, ?, ?, ?, ?, ?, ?, hookline_now(), hookline_now())
ON CONFLICT (turn_id, call_id, session_id) DO UPDATE SET
  state = 'ended', status = excluded.status, error = excluded.error,
  decider = excluded.decider, decided_by = excluded.decided_by,
  elapsed_ms = excluded.elapsed_ms,
  verdicts = CASE WHEN excluded.verdicts = '[]' THEN calls.verdicts
    ELSE excluded.verdicts END,
  ended_at = CASE WHEN excluded.ended_at > calls.started_at
    THEN excluded.ended_at ELSE calls.started_at END`
