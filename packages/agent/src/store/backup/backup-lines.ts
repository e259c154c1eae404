import type { Dialect, Row, SqlValue } from '../database.ts'
import { StoreError } from '../store-error.ts'

/** What a backup consists of: one line of JSON for each. */
export type BackupLine = BackupHead | BackupRows | BackupEnd

export interface BackupHead {
  readonly type: 'head'
  readonly format: 1
  /** The version of the schema that the rows are of. */
  readonly schema: number
  readonly dialect: Dialect
  /** Database time. */
  readonly at: number
  /** In which its approvals count. */
  readonly epoch: number
}

export interface BackupRows {
  readonly type: 'rows'
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlValue[])[]
}

/** Without it the backup is not whole. */
interface BackupEnd {
  readonly type: 'end'
  readonly rows: number
  /** SHA-256 over all lines before, each with its end. */
  readonly hash: string
}

export function rowsLine(table: string, rows: readonly Row[]): BackupRows {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map((row) => columns.map((name) => row[name] ?? null))
  return { type: 'rows', table, columns, rows: values }
}

/** Reads a line; what it says is checked where it is used. */
export function readLine(text: string): BackupLine {
  try {
    const line = JSON.parse(text) as BackupLine
    if (['head', 'rows', 'end'].includes(line.type)) return line
  } catch {
    // The same as a line that says something else.
  }
  const message = 'The backup has a line that is none of a backup.'
  throw new StoreError('corrupt', message)
}
