/** Only for a session that is there, is not over, and has room for more. */
export const putMessage = `
INSERT INTO inbox
  (id, session_id, kind, place, made_by, created_at, payload, digest)
SELECT CAST(? AS TEXT), sessions.id, CAST(? AS TEXT), CAST(? AS TEXT),
  CAST(? AS TEXT), hookline_now(), CAST(? AS TEXT), CAST(? AS TEXT)
FROM sessions WHERE sessions.id = ? AND sessions.ended IS NULL
  AND (SELECT COUNT(*) FROM inbox AS open WHERE open.session_id = sessions.id
    AND open.done_at IS NULL) < ?
ON CONFLICT (id) DO NOTHING`

/** Why nothing was put. */
export const readReason = `
SELECT (SELECT COUNT(*) FROM inbox WHERE id = ?) AS known,
  (SELECT digest FROM inbox WHERE id = ?) AS digest,
  (SELECT COUNT(*) FROM sessions WHERE id = ?) AS sessions,
  (SELECT COUNT(*) FROM sessions WHERE id = ? AND ended IS NOT NULL) AS ended`

export const readMessages = `
SELECT id, session_id, kind, made_by, created_at, payload FROM inbox
WHERE session_id = ? AND done_at IS NULL ORDER BY created_at, place LIMIT ?`

/** What was in it gives way to what became of it; that it was there stays. */
export const endMessage = `
UPDATE inbox SET done_at = hookline_now(), payload = ?
WHERE id = ? AND done_at IS NULL`

export const readOutcome = 'SELECT done_at, payload FROM inbox WHERE id = ?'

// Not EXISTS: Postgres would make a table of all sessions that are open.
export const listWaiting = `
SELECT session_id, MIN(created_at) AS since, STRING_AGG(kind, ' ') AS kinds,
  (SELECT agent FROM sessions WHERE sessions.id = inbox.session_id) AS agent
FROM inbox
WHERE done_at IS NULL AND (
  SELECT COUNT(*) FROM sessions
  WHERE sessions.id = inbox.session_id AND sessions.ended IS NULL
    AND NOT EXISTS (
      SELECT 1 FROM workers
      WHERE workers.id = sessions.worker AND leased_until > hookline_now()
    )
) > 0
GROUP BY session_id ORDER BY since, session_id LIMIT ? OFFSET ?`
