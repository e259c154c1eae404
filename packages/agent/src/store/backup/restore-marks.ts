import { randomBytes } from 'node:crypto'

/**
 * Approvals carry the epoch they were asked in, and count in no other. What
 * was agreed to after a backup is not known when it is restored, so that what
 * was asked before may be done already.
 */
export const readEpochSql = `SELECT COALESCE(MAX(CAST(value AS BIGINT)), 0) AS epoch
FROM meta WHERE key = 'epoch'`

export const writeEpochSql = `INSERT INTO meta (key, value) VALUES ('epoch', ?)
ON CONFLICT (key) DO UPDATE SET value = excluded.value`

/** No process of then is there any more. */
export const forgetWorkersSql = 'DELETE FROM workers'

/** Nor has one a SQLite file open that left a mark there. */
export const forgetOpenersSql = "DELETE FROM meta WHERE key LIKE 'open/%'"

/**
 * The log goes on behind what is there now. By its new name those who read it
 * before know that it is not as they left it.
 */
export const moveEventMarksSql = [
  `UPDATE event_marks SET log = ?,
    position = (SELECT COALESCE(MAX(position), 0) FROM events)
  WHERE name = 'head'`,
  `UPDATE event_marks SET position =
    (SELECT COALESCE(MIN(position), 1) - 1 FROM events)
  WHERE name = 'floor'`,
] as const

export function newLogName(): string {
  return randomBytes(6).toString('hex')
}
