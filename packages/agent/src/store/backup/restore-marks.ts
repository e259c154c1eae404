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
