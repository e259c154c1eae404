import type { Database } from '../database.ts'
import { findCutoff, readNow } from './cutoff.ts'
import type { RemovalRecord } from './removal-record.ts'
import { type AuditForRetention, removeAudit } from './remove-audit.ts'
import { removeCells } from './remove-cells.ts'
import { removeEvents } from './remove-events.ts'
import { removeSomeRows } from './remove-rows.ts'
import { removeOfSessions } from './remove-sessions.ts'
import { type RowKind, rowKinds } from './row-kinds.ts'
import type { RetentionKind, RetentionRule } from './rules.ts'
import { type SessionKind, sessionKinds } from './session-kinds.ts'
import { walk } from './walk.ts'

/** One pass over one kind of rows. */
interface Pass {
  readonly database: Database
  readonly rule: RetentionRule
  readonly record: RemovalRecord
  readonly audit: AuditForRetention | undefined
  readonly signal: AbortSignal | undefined
}

/** How a kind of rows is removed. */
export interface Remover {
  readonly kind: RetentionKind
  /** The time before which they go; undefined if none has to. */
  cutoff(database: Database, rule: RetentionRule): Promise<number | undefined>
  /** Gives how many there were. */
  remove(pass: Pass): Promise<number>
}

function rowRemover(row: RowKind): Remover {
  const { kind, table, time, size, emptied } = row
  const timed = { table, time, size, where: '1 = 1' }
  // What was emptied is still there, and not worth another look.
  const cursor = emptied.length > 0 ? { cursor: kind } : {}
  return {
    kind,
    cutoff: (database, rule) => findCutoff(database, rule, timed),
    remove: ({ database, record, signal }) =>
      walk({ database, signal, ...cursor }, (from) =>
        removeSomeRows(database, row, { record, from }),
      ),
  }
}

function sessionRemover(session: SessionKind): Remover {
  const { kind, size } = session
  const timed = {
    table: 'sessions',
    time: 'updated_at',
    size,
    where: 'ended IS NOT NULL',
  }
  return {
    kind,
    cutoff: (database, rule) => findCutoff(database, rule, timed),
    remove: ({ database, record, signal }) =>
      walk({ database, signal, cursor: kind }, (from) =>
        removeOfSessions(database, session, { record, from }),
      ),
  }
}

async function byAge(
  database: Database,
  { maxAgeMs }: RetentionRule,
): Promise<number | undefined> {
  if (maxAgeMs === undefined) return undefined
  return (await readNow(database)) - maxAgeMs
}

async function ageOrNow(
  database: Database,
  rule: RetentionRule,
): Promise<number> {
  return (await byAge(database, rule)) ?? (await readNow(database))
}

/** In the order in which they are gone through. */
export const removers: readonly Remover[] = [
  ...sessionKinds.map(sessionRemover),
  ...rowKinds.map(rowRemover),
  {
    kind: 'events',
    cutoff: ageOrNow,
    remove: ({ database, rule, record, signal }) =>
      removeEvents(database, { rule, record, signal }),
  },
  {
    kind: 'cells',
    cutoff: byAge,
    remove: ({ database, record, signal }) =>
      removeCells(database, record, signal),
  },
  {
    kind: 'audit',
    cutoff: ageOrNow,
    remove: async ({ database, rule, record, audit: log, signal }) =>
      log ? removeAudit(database, rule, { record, log, signal }) : 0,
  },
]
