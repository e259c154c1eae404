import type { Database, Row, SqlValue, Statement } from '../database.ts'
import { type RemovalRecord, recordRemoval } from './removal-record.ts'
import { removeAtOnce } from './remove-at-once.ts'

const batchSize = 200

export const findCellsSql = `SELECT scope, scope_id, name,
  CASE WHEN updated_at < ? AND CASE WHEN scope = 'turn'
    THEN (SELECT COUNT(*) FROM turns
      WHERE turns.id = cells.scope_id AND turns.ended_at IS NULL)
    ELSE (SELECT COUNT(*) FROM sessions
      WHERE sessions.id = cells.scope_id AND sessions.ended IS NULL)
    END = 0 THEN 1 ELSE 0 END AS removable
FROM cells WHERE scope IN ('session', 'tree', 'turn')
  AND (scope, scope_id, name) > (?, ?, ?)
ORDER BY scope, scope_id, name LIMIT ${batchSize}`

// One that was written to since is in use after all.
const removeCell = `DELETE FROM cells
WHERE scope = ? AND scope_id = ? AND name = ? AND updated_at < ?`

/** Removes the shared state of turns and sessions that are over. */
export async function removeCells(
  database: Database,
  record: RemovalRecord,
  signal: AbortSignal | undefined,
): Promise<number> {
  let total = 0
  let after: readonly SqlValue[] = ['', '', '']
  for (;;) {
    signal?.throwIfAborted()
    const values = [record.olderThan, ...after]
    const rows = await database.read({ sql: findCellsSql, values })
    const removable = rows.filter((row) => row['removable'] === 1)
    if (removable.length > 0) {
      const statements = statementsFor(removable, record)
      const isRemoved = await removeAtOnce(database, statements)
      if (isRemoved) total += removable.length
    }
    const last = rows.at(-1)
    if (last === undefined) return total
    after = keyOf(last)
  }
}

function statementsFor(
  rows: readonly Row[],
  record: RemovalRecord,
): readonly Statement[] {
  const removes = rows.map((row) => ({
    sql: removeCell,
    values: [...keyOf(row), record.olderThan],
    expects: 1,
  }))
  return [...removes, recordRemoval(record, rows.length)]
}

function keyOf(row: Row): readonly SqlValue[] {
  return [row['scope'] ?? '', row['scope_id'] ?? '', row['name'] ?? '']
}
