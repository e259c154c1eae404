import type { Statement } from '../database.ts'

const add = `INSERT INTO removals
  (id, at, kind, rows_removed, older_than, reason)
VALUES (?, hookline_now(), ?, ?, ?, 'retention')
ON CONFLICT (id) DO UPDATE SET at = excluded.at,
  rows_removed = removals.rows_removed + excluded.rows_removed`

/** Which pass removes what: one record for each, which grows with it. */
export interface RemovalRecord {
  readonly id: string
  readonly kind: string
  readonly olderThan: number
}

/** Records rows that are removed in the same unit. */
export function recordRemoval(
  { id, kind, olderThan }: RemovalRecord,
  rows: number,
): Statement {
  return { sql: add, values: [id, kind, rows, olderThan] }
}

/** As `recordRemoval`, for as many rows as a query finds. */
export function countedRemovalSql(found: string): string {
  return `INSERT INTO removals (id, at, kind, rows_removed, older_than, reason)
SELECT CAST(? AS TEXT), hookline_now(), CAST(? AS TEXT), COUNT(*),
  CAST(? AS BIGINT), 'retention'
FROM (${found}) AS found WHERE 1 = 1 HAVING COUNT(*) > 0
ON CONFLICT (id) DO UPDATE SET at = excluded.at,
  rows_removed = removals.rows_removed + excluded.rows_removed`
}
