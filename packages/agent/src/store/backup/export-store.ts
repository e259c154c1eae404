import { createHash } from 'node:crypto'
import type { Database, Row, SqlValue } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { migrations } from '../schema/migrations.ts'
import { type BackupLine, rowsLine } from './backup-lines.ts'
import { type BackupTable, backupTables } from './backup-tables.ts'
import { readEpochSql } from './restore-marks.ts'

const pageSize = 100

/**
 * All that a store holds, as lines of JSON, each with its end; payloads as
 * they are, encrypted or not. It may be in use meanwhile: each session is as
 * it was at one moment, and has nothing of later.
 */
export async function* exportStore({
  database,
}: Pick<StoreParts, 'database'>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let count = 0
  const write = (line: BackupLine) => {
    if (line.type === 'rows') count += line.rows.length
    const text = `${JSON.stringify(line)}\n`
    hash.update(text)
    return text
  }
  yield write(await headOf(database))
  for await (const line of sessionLines(database)) yield write(line)
  for (const table of backupTables) {
    for await (const page of pagesOf(database, table)) {
      const rows = page.filter(isLasting)
      if (rows.length > 0) yield write(rowsLine(table.table, rows))
    }
  }
  yield write({ type: 'end', rows: count, hash: hash.copy().digest('hex') })
}

async function headOf(database: Database): Promise<BackupLine> {
  const sql = 'SELECT hookline_now() AS now'
  const [row] = await database.read({ sql, values: [] })
  const [meta] = await database.read({ sql: readEpochSql, values: [] })
  return {
    type: 'head',
    format: 1,
    schema: migrations.at(-1)?.version ?? 0,
    dialect: database.dialect,
    at: Number(row?.['now']),
    epoch: Number(meta?.['epoch']),
  }
}

/** Who has a SQLite file open has left a mark there. */
function isLasting({ key }: Row): boolean {
  return typeof key !== 'string' || !key.startsWith('open/')
}

async function* pagesOf(
  database: Database,
  { table, key }: BackupTable,
): AsyncGenerator<readonly Row[]> {
  const keys = key.join(', ')
  const marks = key.map(() => '?').join(', ')
  const end = `ORDER BY ${keys} LIMIT ${pageSize}`
  const first = `SELECT * FROM ${table} ${end}`
  const next = `SELECT * FROM ${table} WHERE (${keys}) > (${marks}) ${end}`
  let rows = await database.read({ sql: first, values: [] })
  while (rows.length > 0) {
    yield rows
    const last = rows.at(-1) ?? {}
    const values = key.map((name) => last[name] ?? null)
    rows = await database.read({ sql: next, values })
  }
}

const nextSessions = `SELECT id FROM sessions WHERE id > ?
ORDER BY id LIMIT ${pageSize}`
const oneSnapshot = 'SELECT * FROM snapshots WHERE session_id = ?'
const oneSession = 'SELECT * FROM sessions WHERE id = ?'
const someEntries = `SELECT * FROM journal
WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ${pageSize}`

async function* sessionLines(database: Database): AsyncGenerator<BackupLine> {
  const read = (sql: string, ...values: SqlValue[]) =>
    database.read({ sql, values })
  let ids = await read(nextSessions, '')
  while (ids.length > 0) {
    for (const { id = null } of ids) {
      // In this order: the snapshot is none of later, and the journal, which
      // only grows, has all that the session knows of.
      const snapshot = await read(oneSnapshot, id)
      const session = await read(oneSession, id)
      if (session.length === 0) continue
      if (snapshot.length > 0) yield rowsLine('snapshots', snapshot)
      yield rowsLine('sessions', session)
      const upTo = session[0]?.['seq'] ?? 0
      let entries = await read(someEntries, id, 0, upTo)
      while (entries.length > 0) {
        yield rowsLine('journal', entries)
        const last = entries.at(-1)?.['seq'] ?? 0
        entries = await read(someEntries, id, last, upTo)
      }
    }
    ids = await read(nextSessions, ids.at(-1)?.['id'] ?? '')
  }
}
