import type { Statement } from '../database.ts'
import { forgetSessionWords } from '../memories/statements.ts'
import type { StoreParts } from '../parts.ts'
import { idValues, lastingTables, sessionTables } from './session-tables.ts'

/** Where what is told of a session comes without asking whether it is there. */
const toldTables = ['attempts', 'runs', 'jobs', 'events', 'cells']

export interface DeleteSessionOptions {
  /** Also what the agent has remembered in this session. Default: false. */
  readonly withMemories?: boolean
}

const counts = sessionTables
  .map(({ table, where }) => `(SELECT COUNT(*) FROM ${table} WHERE ${where})`)
  .join(' + ')

const recordRemoval = `
INSERT INTO removals (id, at, kind, rows_removed, older_than, reason)
SELECT CAST(? AS TEXT), hookline_now(), 'session', ${counts}, NULL,
  CAST(? AS TEXT)
FROM sessions WHERE id = ?`

// Whoever waits for an answer finds that there is nothing to answer any more.
const recordVoid = `
INSERT INTO removals (id, at, kind, rows_removed, older_than, reason)
SELECT CAST(? AS TEXT), hookline_now(), 'pending-approvals', COUNT(*), NULL,
  CAST(? AS TEXT)
FROM approvals WHERE session_id = ? AND state = 'pending' HAVING COUNT(*) > 0`

/** Deletes everything about a session, and records that it was deleted. */
export async function deleteSession(
  parts: StoreParts,
  sessionId: string,
  { withMemories = false }: DeleteSessionOptions = {},
): Promise<void> {
  const { database, nextId, redactor } = parts
  const reason = redactor.text(`Session "${sessionId}" was deleted.`)
  const ids = sessionTables.flatMap((table) => idValues(table, sessionId))
  const statements: Statement[] = [
    { sql: recordRemoval, values: [nextId(), ...ids, reason, sessionId] },
    { sql: recordVoid, values: [nextId(), reason, sessionId] },
  ]
  if (withMemories) {
    statements.push({ sql: forgetSessionWords, values: [sessionId] })
  }
  const isGone = (table: string) => withMemories && table === 'memories'
  const tables = [
    ...lastingTables.filter(({ table }) => isGone(table)),
    ...sessionTables,
  ]
  for (const table of tables) {
    const sql = `DELETE FROM ${table.table} WHERE ${table.where}`
    statements.push({ sql, values: idValues(table, sessionId) })
  }
  await database.write({ name: 'session.delete', statements })
}

/** Deletes what was told of a session after it was deleted, if none has its id. */
export async function deleteRemains(
  { database }: Pick<StoreParts, 'database'>,
  sessionId: string,
): Promise<void> {
  const told = sessionTables.filter(({ table }) => toldTables.includes(table))
  const statements = told.map((one) => ({
    sql: `DELETE FROM ${one.table} WHERE (${one.where})
AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = ?)`,
    values: [...idValues(one, sessionId), sessionId],
  }))
  await database.write({
    name: 'session.forget',
    statements,
    isPatient: true,
  })
}
