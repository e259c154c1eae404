import type { SqlValue } from '../database.ts'
import type { StoreParts } from '../parts.ts'

export interface SweepOptions {
  readonly signal?: AbortSignal
}

const batchSize = 500

// Of a worker that is gone altogether nobody will hear either.
export const findStaleSql = `SELECT runs.id FROM runs
LEFT JOIN workers ON workers.id = runs.worker
WHERE runs.state = 'started' AND runs.worker <> ?
  AND (workers.id IS NULL OR workers.leased_until <= hookline_now())
LIMIT ?`

// By their ids alone: with a query in their place Postgres may compare every
// run in flight with every one that was found.
export const markStaleSql = `UPDATE runs SET state = 'failed',
  failure_code = 'crashed',
  failure_message = 'The process that ran it stopped before it had ended.'
WHERE id IN (${Array<string>(batchSize).fill('?').join(', ')})
  AND state = 'started'
  AND (SELECT COUNT(*) FROM workers WHERE workers.id = runs.worker
    AND workers.leased_until > hookline_now()) = 0`

/**
 * Marks runs that dead processes left behind as failed, so many at most and
 * never more than 500. Gives how many it found.
 */
export async function sweepRunBatch(
  { database, worker }: Pick<StoreParts, 'database' | 'worker'>,
  limit: number,
): Promise<number> {
  const values = [worker, Math.min(limit, batchSize)]
  const rows = await database.read({ sql: findStaleSql, values })
  if (rows.length === 0) return 0
  const ids: SqlValue[] = rows.map((row) => row['id'] ?? null)
  while (ids.length < batchSize) ids.push(null)
  await database.write({
    name: 'runs.sweep',
    statements: [{ sql: markStaleSql, values: ids }],
    isPatient: true,
  })
  return rows.length
}

/** Marks all of them, a few at a time, so that others get in between. */
export async function sweepRuns(
  parts: Pick<StoreParts, 'database' | 'worker'>,
  { signal }: SweepOptions = {},
): Promise<number> {
  let total = 0
  for (;;) {
    signal?.throwIfAborted()
    const count = await sweepRunBatch(parts, batchSize)
    if (count === 0) return total
    total += count
  }
}
