import type { Database } from '../database.ts'
import type { RetentionRule } from './rules.ts'

/** Where the time of rows is, and what counts of their size. */
export interface Timed {
  readonly table: string
  readonly time: string
  /** Which rows count. */
  readonly where: string
  /** The size of a row in characters. */
  readonly size: string
}

const sampledRows = 100
// The row's own head, and its entries in the indexes.
const rowOverhead = 200

/**
 * The time before which rows are to go, undefined if none has to. By age it
 * is the database that knows what time it is.
 */
export async function findCutoff(
  database: Database,
  rule: RetentionRule,
  timed: Timed,
): Promise<number | undefined> {
  const byAge =
    rule.maxAgeMs === undefined
      ? undefined
      : (await readNow(database)) - rule.maxAgeMs
  const maxRows = await maxRowsOf(database, rule, timed)
  const byCount =
    maxRows === undefined
      ? undefined
      : await timeOfRow(database, maxRows, timed)
  const cutoffs = [byAge, byCount].filter((one) => one !== undefined)
  return cutoffs.length === 0 ? undefined : Math.max(...cutoffs)
}

export async function readNow(database: Database): Promise<number> {
  const sql = 'SELECT hookline_now() AS now'
  const [row] = await database.read({ sql, values: [] })
  return Number(row?.['now'])
}

/** Space is estimated by the newest rows: to measure all would take long. */
async function maxRowsOf(
  database: Database,
  { maxRows = Infinity, maxBytes = Infinity }: RetentionRule,
  { table, time, where, size }: Timed,
): Promise<number | undefined> {
  if (maxBytes === Infinity) return maxRows === Infinity ? undefined : maxRows
  const sql = `SELECT AVG(size) AS size FROM (
  SELECT ${size} AS size FROM ${table} WHERE ${where}
  ORDER BY ${time} DESC LIMIT ${sampledRows}) AS newest`
  const [row] = await database.read({ sql, values: [] })
  const average = Number(row?.['size'] ?? 0) + rowOverhead
  return Math.min(maxRows, Math.floor(maxBytes / average))
}

/** Just after the newest row that is one too many. */
async function timeOfRow(
  database: Database,
  maxRows: number,
  { table, time, where }: Timed,
): Promise<number | undefined> {
  const sql = `SELECT ${time} AS time FROM ${table} WHERE ${where}
ORDER BY ${time} DESC LIMIT 1 OFFSET ?`
  const [row] = await database.read({ sql, values: [Math.floor(maxRows)] })
  return row === undefined ? undefined : Number(row['time']) + 1
}
