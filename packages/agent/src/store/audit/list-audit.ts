import type { StoreParts } from '../parts.ts'
import {
  type AuditRecord,
  auditColumns,
  readAuditRecord,
} from './audit-record.ts'

export interface ListAuditOptions {
  readonly sessionId?: string
  /** The `seq` that the page before ended at. */
  readonly before?: number
  /** Default: 100; at most 1000. */
  readonly limit?: number
}

export interface AuditPage {
  /** The newest first. */
  readonly records: readonly AuditRecord[]
  /** Where the next page begins; undefined after the last one. */
  readonly next: number | undefined
}

const maxLimit = 1_000
const columns = auditColumns.join(', ')

export const listAuditSql = {
  all: `SELECT ${columns} FROM audit WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
  session: `SELECT ${columns} FROM audit WHERE session_id = ? AND seq < ?
ORDER BY seq DESC LIMIT ?`,
}

/** One page of the log; what is still on its way to the disk is not in it. */
export async function listAudit(
  { database }: Pick<StoreParts, 'database'>,
  options: ListAuditOptions = {},
): Promise<AuditPage> {
  const { sessionId, before = Number.MAX_SAFE_INTEGER, limit = 100 } = options
  const size = Math.max(1, Math.min(limit, maxLimit))
  const statement =
    sessionId === undefined
      ? { sql: listAuditSql.all, values: [before, size + 1] }
      : { sql: listAuditSql.session, values: [sessionId, before, size + 1] }
  const rows = await database.read(statement)
  const records = rows.slice(0, size).map(readAuditRecord)
  const next = rows.length > size ? records.at(-1)?.seq : undefined
  return { records, next }
}
