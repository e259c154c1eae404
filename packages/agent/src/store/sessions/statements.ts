/** Nobody has it, or who had it is gone, or it is ours; the fence shuts out others. */
export const claimSession = `
UPDATE sessions SET worker = ?, fence = fence + 1
WHERE id = ? AND (worker IS NULL OR worker = ? OR NOT EXISTS (
  SELECT 1 FROM workers
  WHERE workers.id = sessions.worker AND leased_until > hookline_now()
))
RETURNING fence, seq, agent, cwd, created_at, payload`

export const insertSession = `
INSERT INTO sessions
  (id, agent, cwd, created_at, updated_at, worker, fence, payload)
VALUES (?, ?, ?, ?, hookline_now(), ?, hookline_now(), ?)
ON CONFLICT (id) DO NOTHING
RETURNING fence`

export const readSession =
  'SELECT worker, fence, seq FROM sessions WHERE id = ?'

export const advanceSession = `
UPDATE sessions SET seq = seq + ?, turns = COALESCE(?, turns),
  ended = COALESCE(?, ended), updated_at = hookline_now()
WHERE id = ? AND worker = ? AND fence = ? AND seq = ?`

export const releaseSession =
  'UPDATE sessions SET worker = NULL WHERE id = ? AND worker = ? AND fence = ?'

export const insertEntry = `
INSERT INTO journal (session_id, seq, at, type, turn_id, about, payload)
VALUES (?, ?, hookline_now(), ?, ?, ?, ?)`

export const readSnapshot =
  'SELECT seq, payload FROM snapshots WHERE session_id = ?'

export const readEntries = `
SELECT seq, payload FROM journal
WHERE session_id = ? AND seq > COALESCE(
  (SELECT seq FROM snapshots WHERE session_id = ?), 0)
ORDER BY seq`

export const writeSnapshot = `
INSERT INTO snapshots (session_id, seq, payload)
SELECT id, CAST(? AS BIGINT), CAST(? AS TEXT) FROM sessions
WHERE id = ? AND worker = ? AND fence = ?
ON CONFLICT (session_id) DO UPDATE
SET seq = excluded.seq, payload = excluded.payload
WHERE excluded.seq > snapshots.seq`

export const startTurn = `
INSERT INTO turns (id, session_id, number, agent, input_id, status, started_at)
SELECT CAST(? AS TEXT), id, CAST(? AS BIGINT), agent, CAST(? AS TEXT),
  'running', hookline_now()
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
  steps = ?, tool_count = ?, input_tokens = ?, output_tokens = ?, error = ?
WHERE id = ? AND session_id = ?`

/** A call that is asked about, or about to run. */
export const openCall = `
INSERT INTO calls
  (turn_id, call_id, session_id, tool, owner, safety, state, seal, table_hash,
   grant_json, verdicts, is_ungated, approved_by, payload, started_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, hookline_now())
ON CONFLICT (turn_id, call_id, session_id) DO UPDATE SET
  state = excluded.state, seal = excluded.seal,
  table_hash = excluded.table_hash, grant_json = excluded.grant_json,
  verdicts = excluded.verdicts, is_ungated = excluded.is_ungated,
  approved_by = excluded.approved_by, payload = excluded.payload`

/** One that was sealed keeps what it was sealed with. */
export const endCall = `
INSERT INTO calls
  (turn_id, call_id, session_id, tool, owner, safety, state, status, error,
   verdicts, elapsed_ms, payload, started_at, ended_at)
VALUES (?, ?, ?, ?, ?, ?, 'ended', ?, ?, ?, ?, ?, hookline_now(), hookline_now())
ON CONFLICT (turn_id, call_id, session_id) DO UPDATE SET
  state = 'ended', status = excluded.status, error = excluded.error,
  elapsed_ms = excluded.elapsed_ms,
  verdicts = CASE WHEN excluded.verdicts = '[]' THEN calls.verdicts
    ELSE excluded.verdicts END,
  ended_at = CASE WHEN excluded.ended_at > calls.started_at
    THEN excluded.ended_at ELSE calls.started_at END`
