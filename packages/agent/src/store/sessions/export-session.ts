import type { Payloads, Place } from '../content/payloads.ts'
import type { Row } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import {
  idValues,
  lastingTables,
  type SessionTable,
  sessionTables,
} from './session-tables.ts'

/** Everything about a session: the rows of each table, payloads opened. */
export interface SessionExport {
  readonly sessionId: string
  readonly tables: Readonly<Record<string, readonly ExportedRow[]>>
}

export type ExportedRow = Readonly<Record<string, unknown>>

/** What a session may be asked for, as plain JSON; undefined if there is none. */
export async function exportSession(
  parts: StoreParts,
  sessionId: string,
): Promise<SessionExport | undefined> {
  const tables: Record<string, readonly ExportedRow[]> = {}
  for (const one of [...sessionTables, ...lastingTables]) {
    // It says what the journal says.
    if (one.table === 'snapshots') continue
    tables[one.table] = await readTable(one, sessionId, parts)
  }
  const isThere = Object.values(tables).some((rows) => rows.length > 0)
  return isThere ? { sessionId, tables } : undefined
}

async function readTable(
  table: SessionTable,
  sessionId: string,
  { database, payloads }: StoreParts,
): Promise<readonly ExportedRow[]> {
  const order = table.key.join(', ')
  const sql = `SELECT * FROM ${table.table} WHERE ${table.where} ORDER BY ${order}`
  const values = idValues(table, sessionId)
  const rows = await database.read({ sql, values })
  return rows.map((row) => openRow(row, table, payloads))
}

function openRow(
  row: Row,
  { table, key }: SessionTable,
  payloads: Payloads,
): ExportedRow {
  const { payload } = row
  if (typeof payload !== 'string') return row
  const place: Place = [table, ...key.map((column) => row[column] ?? '')]
  return { ...row, payload: payloads.read(payload, place) }
}
