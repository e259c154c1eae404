const isLive = '(is_once = 0 OR fired = 0)'

/** Only while there is room for more. */
export const insertWake = `
INSERT INTO wakes
  (id, event, agent, session_id, is_once, made_by, created_at, payload)
SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),
  CAST(? AS BIGINT), CAST(? AS TEXT), hookline_now(), CAST(? AS TEXT)
WHERE (SELECT COUNT(*) FROM wakes WHERE ${isLive}) < ?
  AND (SELECT COUNT(*) FROM wakes WHERE event = ? AND ${isLive}) < ?
RETURNING created_at`

export const wakeSession =
  'SELECT 1 AS one FROM sessions WHERE id = ? AND ended IS NULL'

const columns =
  'id, event, agent, session_id, is_once, made_by, created_at, fired, payload'

export const listWakes = `
SELECT ${columns} FROM wakes WHERE id < ? ORDER BY id DESC LIMIT ?`
export const listNewestWakes = `
SELECT ${columns} FROM wakes ORDER BY id DESC LIMIT ?`
export const getWake = `SELECT ${columns} FROM wakes WHERE id = ?`
export const removeWake = 'DELETE FROM wakes WHERE id = ?'

export const listCandidates = `
SELECT ${columns} FROM wakes WHERE event = ? AND ${isLive}
ORDER BY id LIMIT ?`

export const insertEmitted = `
INSERT INTO emitted (id, event, at, made_by, depth, digest)
VALUES (?, ?, hookline_now(), ?, ?, ?) ON CONFLICT (id) DO NOTHING`

/** What the same key did before. */
export const readEmitted = `
SELECT digest, (
  SELECT COUNT(*) FROM firings WHERE firings.emitted_id = emitted.id
) AS woken, (
  SELECT COUNT(*) FROM firings
  WHERE firings.emitted_id = emitted.id AND done_at IS NULL
) AS open
FROM emitted WHERE id = ?`

/** One winner of all who fire it at once, if it fires once. */
export const fireWake = `
UPDATE wakes SET fired = fired + 1, fired_at = hookline_now(), last_firing = ?
WHERE id = ? AND ${isLive} AND (
  SELECT COUNT(*) FROM firings
  WHERE firings.wake_id = wakes.id AND firings.at > hookline_now() - 60000
) < ?`

export const insertFiring = `
INSERT INTO firings (id, emitted_id, wake_id, session_id, worker, at, payload)
SELECT CAST(? AS TEXT), CAST(? AS TEXT), wakes.id, wakes.session_id,
  CAST(? AS TEXT), hookline_now(), CAST(? AS TEXT)
FROM wakes WHERE wakes.id = ? AND wakes.last_firing = ?`

export const listFirings = 'SELECT id FROM firings WHERE emitted_id = ?'

export const endFiring =
  'UPDATE firings SET done_at = hookline_now() WHERE id = ? AND done_at IS NULL'

/** Own ones, and those whose process is gone. */
export const listLeft = `
SELECT id, wake_id, session_id, worker, payload FROM firings
WHERE done_at IS NULL AND (worker = ? OR NOT EXISTS (
  SELECT 1 FROM workers
  WHERE workers.id = firings.worker AND leased_until > hookline_now()
))
ORDER BY at, id LIMIT ? OFFSET ?`

/** By what is in its own row alone: of several who try, one takes it. */
export const takeFiring = `
UPDATE firings SET worker = ? WHERE id = ? AND worker = ? AND done_at IS NULL`

/** No process has this name. */
export const giveUpFiring = `
UPDATE firings SET worker = '' WHERE id = ? AND worker = ? AND done_at IS NULL`
