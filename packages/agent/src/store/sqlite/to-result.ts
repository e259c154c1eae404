import type { Result, Row, SqlValue } from '../database.ts'
import { fromStoredText } from '../stored-text.ts'
import type { SentResult } from './messages.ts'

/** What a thread gave, as the program has it. */
export function toResult({ columns, rows, changes }: SentResult): Result {
  return { rows: rows.map((row) => toRow(columns, row)), changes }
}

function toRow(columns: readonly string[], values: readonly SqlValue[]): Row {
  const row: Record<string, SqlValue> = {}
  for (const [index, name] of columns.entries()) {
    const value = values[index] ?? null
    row[name] = typeof value === 'string' ? fromStoredText(value) : value
  }
  return row
}
