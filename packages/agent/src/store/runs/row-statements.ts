import type { SqlValue, Statement } from '../database.ts'

/**
 * Makes statements of all values of many rows, one after the other; each text
 * is prepared once and used again.
 */
export type RowStatements = (values: readonly SqlValue[]) => Statement[]

// Any number of rows is a few of each, so that there are few texts.
const sizes = [64, 8, 1] as const

/** For `head VALUES row, row, … tail`; a row has a `?` for each column. */
export function rowStatements(
  head: string,
  columns: readonly string[],
  tail = '',
): RowStatements {
  const width = columns.length
  const row = `(${columns.map(() => '?').join(', ')})`
  const texts = sizes.map((size) => ({
    values: size * width,
    sql: `${head} (${columns.join(', ')}) VALUES ${Array<string>(size).fill(row).join(', ')} ${tail}`,
  }))
  return (values) => {
    const statements: Statement[] = []
    let from = 0
    for (const { values: count, sql } of texts) {
      for (; values.length - from >= count; from += count) {
        statements.push({ sql, values: values.slice(from, from + count) })
      }
    }
    return statements
  }
}
