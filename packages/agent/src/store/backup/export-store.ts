import { createHash } from 'node:crypto'
import type { Dialect, Row, Snapshot } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { migrations } from '../schema/migrations.ts'
import { type BackupLine, rowsLine } from './backup-lines.ts'
import { type BackupTable, backupTables } from './backup-tables.ts'
import { readEpochSql } from './restore-marks.ts'

/**
 * All that a store holds, as lines of JSON, each with its end; payloads as
 * they are, encrypted or not. It may be in use meanwhile: all of it is as it
 * was at one moment, and has nothing of later.
 */
export async function* exportStore({
  database,
}: Pick<StoreParts, 'database'>): AsyncGenerator<string> {
  const snapshot = await database.snapshot()
  try {
    yield* linesOf(snapshot, database.dialect)
  } finally {
    await snapshot.close()
  }
}

async function* linesOf(
  snapshot: Snapshot,
  dialect: Dialect,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let count = 0
  const write = (line: BackupLine) => {
    if (line.type === 'rows') count += line.rows.length
    const text = `${JSON.stringify(line)}\n`
    hash.update(text)
    return text
  }
  yield write(await headOf(snapshot, dialect))
  for (const table of backupTables) {
    for await (const page of pagesOf(snapshot, table)) {
      const rows = page.filter(isLasting)
      if (rows.length > 0) yield write(rowsLine(table.table, rows))
    }
  }
  yield write({ type: 'end', rows: count, hash: hash.copy().digest('hex') })
}

async function headOf(
  snapshot: Snapshot,
  dialect: Dialect,
): Promise<BackupLine> {
  const sql = 'SELECT hookline_now() AS now'
  const [row] = await snapshot.read({ sql, values: [] })
  const [meta] = await snapshot.read({ sql: readEpochSql, values: [] })
  return {
    type: 'head',
    format: 1,
    schema: migrations.at(-1)?.version ?? 0,
    dialect,
    at: Number(row?.['now']),
    epoch: Number(meta?.['epoch']),
  }
}

/** Who has a SQLite file open has left a mark there. */
function isLasting({ key }: Row): boolean {
  return typeof key !== 'string' || !key.startsWith('open/')
}

async function* pagesOf(
  snapshot: Snapshot,
  { table, key, pageSize = 100 }: BackupTable,
): AsyncGenerator<readonly Row[]> {
  const keys = key.join(', ')
  const marks = key.map(() => '?').join(', ')
  const end = `ORDER BY ${keys} LIMIT ${pageSize}`
  const first = `SELECT * FROM ${table} ${end}`
  const next = `SELECT * FROM ${table} WHERE (${keys}) > (${marks}) ${end}`
  let rows = await snapshot.read({ sql: first, values: [] })
  while (rows.length > 0) {
    yield rows
    const last = rows.at(-1) ?? {}
    const values = key.map((name) => last[name] ?? null)
    rows = await snapshot.read({ sql: next, values })
  }
}
