import type { Database } from '../database.ts'
import { countedRemovalSql, type RemovalRecord } from './removal-record.ts'
import { lastPlace, type Place, type Removed } from './remove-rows.ts'
import {
  type SessionKind,
  type SessionStep,
  stepSize,
} from './session-kinds.ts'

const sessionsAtOnce = 50

// Who ended it wrote the time down as well: those before have all been seen.
export const findEndedSql = `SELECT id, updated_at AS time,
  CASE WHEN ended IS NULL THEN 1 ELSE 0 END AS is_open,
  CASE WHEN EXISTS (SELECT 1 FROM approvals
      WHERE approvals.session_id = sessions.id AND state = 'pending')
    OR EXISTS (SELECT 1 FROM jobs
      WHERE jobs.session_id = sessions.id AND ended_at IS NULL)
    THEN 1 ELSE 0 END AS is_needed
FROM sessions WHERE updated_at < ? AND (updated_at, id) > (?, ?)
ORDER BY updated_at, id LIMIT ${sessionsAtOnce}`

/** Removes what a kind says of a few ended sessions, from some place on. */
export async function removeOfSessions(
  database: Database,
  kind: SessionKind,
  { record, from }: { record: RemovalRecord; from: Place },
): Promise<Removed> {
  const sessions = await database.read({
    sql: findEndedSql,
    values: [record.olderThan, from.time, from.id],
  })
  let rows = 0
  let isClean = true
  for (const session of sessions) {
    if (session['is_open'] === 1) continue
    if (session['is_needed'] === 1) isClean = false
    else rows += await removeOf(database, String(session['id']), kind, record)
  }
  return { rows, isClean, next: lastPlace(sessions) }
}

async function removeOf(
  database: Database,
  sessionId: string,
  { steps }: SessionKind,
  record: RemovalRecord,
): Promise<number> {
  let total = 0
  for (const step of steps) {
    for (;;) {
      const rows = await removeStep(database, sessionId, step, record)
      total += rows
      if (rows < stepSize) break
    }
  }
  return total
}

async function removeStep(
  database: Database,
  sessionId: string,
  step: SessionStep,
  { id, kind, olderThan }: RemovalRecord,
): Promise<number> {
  const values = step.valuesFor(sessionId)
  const found = await database.read({ sql: step.found, values })
  if (found.length === 0) return 0
  const record = [id, kind, olderThan, ...values]
  const [, removed] = await database.write({
    name: 'retention.remove',
    statements: [
      { sql: countedRemovalSql(step.found), values: record },
      { sql: step.remove, values },
    ],
    isPatient: true,
  })
  return removed?.changes ?? 0
}
