import type { Database, Row, SqlValue, Statement } from '../database.ts'
import { type RemovalRecord, recordRemoval } from './removal-record.ts'
import { removeAtOnce } from './remove-at-once.ts'
import type { RowKind } from './row-kinds.ts'

const batchSize = 200
const many = Array<string>(batchSize).fill('?').join(', ')

export interface Place {
  readonly time: number
  readonly id: string
}

/** How far a batch got, and how many rows it removed. */
export interface Removed {
  readonly rows: number
  /** Where to go on; undefined at the end. */
  readonly next: Place | undefined
  /** Whether nothing has to be looked at again. */
  readonly isClean: boolean
}

/** Removes a few rows of a kind, from some place on, in one unit. */
export async function removeSomeRows(
  database: Database,
  kind: RowKind,
  { record, from }: { record: RemovalRecord; from: Place },
): Promise<Removed> {
  const rows = await database.read({
    sql: findSql(kind),
    values: [record.olderThan, from.time, from.id],
  })
  const ids = rows.flatMap((row) =>
    row['removable'] === 1 ? [String(row['id'])] : [],
  )
  const isRemoved =
    ids.length === 0 ||
    (await removeAtOnce(database, statementsFor(kind, ids, record)))
  return {
    rows: isRemoved ? ids.length : 0,
    next: lastPlace(rows),
    isClean: isRemoved && rows.every((row) => row['needed'] === 0),
  }
}

/** Where the last of these rows is. */
export function lastPlace(rows: readonly Row[]): Place | undefined {
  const last = rows.at(-1)
  if (last === undefined) return undefined
  return { time: Number(last['time']), id: String(last['id']) }
}

/** Looks at a bounded number of rows, whether or not they can be removed. */
export function findSql({ table, time, needed, worth }: RowKind): string {
  return `SELECT id, ${time} AS time,
  CASE WHEN ${needed} THEN 1 ELSE 0 END AS needed,
  CASE WHEN NOT (${needed}) AND ${worth} THEN 1 ELSE 0 END AS removable
FROM ${table} WHERE ${time} < ? AND (${time}, id) > (?, ?)
ORDER BY ${time}, id LIMIT ${batchSize}`
}

function statementsFor(
  kind: RowKind,
  ids: readonly string[],
  record: RemovalRecord,
): readonly Statement[] {
  const { table, needed, dependents, emptied } = kind
  const values = padded(ids)
  const set = emptied.map((column) => `${column} = NULL`).join(', ')
  const remove =
    set === '' ? `DELETE FROM ${table}` : `UPDATE ${table} SET ${set}`
  const sql = `${remove} WHERE id IN (${many}) AND NOT (${needed})`
  return [
    { sql, values, expects: ids.length },
    ...dependents.map(([dependent, column]) => ({
      sql: `DELETE FROM ${dependent} WHERE ${column} IN (${many})`,
      values,
    })),
    recordRemoval(record, ids.length),
  ]
}

/** One text for any number of ids: the last one fills the rest. */
function padded(ids: readonly string[]): readonly SqlValue[] {
  const last = ids.at(-1) ?? null
  return Array.from({ length: batchSize }, (_, at) => ids[at] ?? last)
}
