import type { Database } from '../database.ts'
import { type RemovalRecord, recordRemoval } from './removal-record.ts'
import type { RetentionRule } from './rules.ts'

const batchSize = 500
const sampledRows = 100
// The row's own head, and its entries in the indexes.
const rowOverhead = 200

export const findEventsSql = `SELECT position, at FROM events
WHERE position > ? ORDER BY position LIMIT ${batchSize}`
const readHead = `SELECT position AS head FROM event_marks WHERE name = 'head'`
const readSize = `SELECT AVG(size) AS size FROM (
  SELECT size FROM events ORDER BY position DESC LIMIT ${sampledRows}
) AS newest`
const removeUpTo = 'DELETE FROM events WHERE position <= ?'
const raiseFloor = `UPDATE event_marks SET position = ?
WHERE name = 'floor' AND position < ?`

interface EventsPass {
  readonly rule: RetentionRule
  readonly record: RemovalRecord
  readonly signal: AbortSignal | undefined
}

/**
 * Removes the beginning of the log of events, never anything from its middle;
 * whoever reads from there is told that it is gone.
 */
export async function removeEvents(
  database: Database,
  { rule, record, signal }: EventsPass,
): Promise<number> {
  const tooMany = await lastTooMany(database, rule)
  const isByAge = rule.maxAgeMs !== undefined
  const isOver = (row: { readonly position: number; readonly at: number }) =>
    row.position <= tooMany || (isByAge && row.at < record.olderThan)
  let total = 0
  for (;;) {
    signal?.throwIfAborted()
    const rows = await database.read({ sql: findEventsSql, values: [0] })
    const found = rows.map((row) => {
      return { position: Number(row['position']), at: Number(row['at']) }
    })
    // Times can be a little out of order, or the clock was set back.
    const count = found.findLastIndex(isOver) + 1
    const last = found[count - 1]
    if (last === undefined) return total
    await removeSome(database, last.position, { record, count })
    total += count
  }
}

async function removeSome(
  database: Database,
  upTo: number,
  { record, count }: { readonly record: RemovalRecord; readonly count: number },
): Promise<void> {
  await database.write({
    name: 'retention.remove',
    statements: [
      { sql: removeUpTo, values: [upTo] },
      { sql: raiseFloor, values: [upTo, upTo] },
      recordRemoval(record, count),
    ],
    isPatient: true,
  })
}

/** The position of the newest that is one too many; 0 if none is. */
async function lastTooMany(
  database: Database,
  { maxRows = Infinity, maxBytes = Infinity }: RetentionRule,
): Promise<number> {
  let most = maxRows
  if (maxBytes < Infinity) {
    const [row] = await database.read({ sql: readSize, values: [] })
    const average = Number(row?.['size'] ?? 0) + rowOverhead
    most = Math.min(most, Math.floor(maxBytes / average))
  }
  if (most === Infinity) return 0
  const [row] = await database.read({ sql: readHead, values: [] })
  return Math.max(0, Number(row?.['head'] ?? 0) - Math.floor(most))
}
