import type { Statement } from '../database.ts'
import type { ApprovalRow } from './approval-row.ts'
import { epochSql } from './statements.ts'

const mayCount = `state IN ('pending', 'approved')`
const isDue = `state = 'pending' AND expires_at <= hookline_now()`

// What is over loses its signature, so that no edit brings it back.
const expireSet = `state = 'expired', decided_at = hookline_now(), decided_by = 'expiry', mac = NULL`
const voidSet = `state = 'void', decided_at = hookline_now(), decided_by = 'approvals',
  reason = ?, mac = NULL`
const expireSql = `UPDATE approvals SET ${expireSet} WHERE id = ? AND ${isDue}`
const expireManySql = `UPDATE approvals SET ${expireSet} WHERE ${isDue}
  AND id IN (SELECT id FROM approvals WHERE ${isDue} ORDER BY expires_at LIMIT ?)
  RETURNING id`
const voidSql = `UPDATE approvals SET ${voidSet} WHERE id = ? AND ${mayCount} RETURNING id`
const voidSessionSql = `UPDATE approvals SET ${voidSet}
  WHERE session_id = ? AND ${mayCount} RETURNING id`
const voidTurnSql = `UPDATE approvals SET ${voidSet}
  WHERE turn_id = ? AND session_id = ? AND ${mayCount} RETURNING id`
const voidChangedSql = `UPDATE approvals SET ${voidSet}
  WHERE id = ? AND seal <> ? AND ${mayCount}`
const voidOthersSql = `UPDATE approvals SET ${voidSet}
  WHERE turn_id = ? AND call_id = ? AND session_id = ? AND id <> ? AND ${mayCount}
  RETURNING id`
const voidRestoredSql = `UPDATE approvals SET ${voidSet}
  WHERE ${mayCount} AND epoch < ${epochSql} AND id IN
  (SELECT id FROM approvals WHERE ${mayCount} AND epoch < ${epochSql} LIMIT ?)
  RETURNING id`

/** Writes down that its time is over, if it is. */
export function expireApproval(id: string): Statement {
  return { sql: expireSql, values: [id] }
}

export function expireMany(limit: number): Statement {
  return { sql: expireManySql, values: [limit] }
}

export function voidApproval(id: string, reason: string): Statement {
  return { sql: voidSql, values: [reason, id] }
}

/** All that a session still has open or unused. */
export function voidSession(sessionId: string, reason: string): Statement {
  return { sql: voidSessionSql, values: [reason, sessionId] }
}

/** What a turn has left open or unused; for the unit that ends the turn. */
export function voidTurn(sessionId: string, turnId: string): Statement {
  return { sql: voidTurnSql, values: [endedReason, turnId, sessionId] }
}

/** It was given for another call. */
export function voidChanged(id: string, seal: string): Statement {
  return { sql: voidChangedSql, values: [changedReason, id, seal] }
}

/** A call is asked about once: who asks anew no longer wants the old answer. */
export function voidOthers(row: ApprovalRow): Statement {
  const { turn_id, call_id, session_id, id } = row
  const values = [changedReason, turn_id, call_id, session_id, id]
  return { sql: voidOthersSql, values }
}

export function voidRestored(limit: number): Statement {
  return { sql: voidRestoredSql, values: [restoredReason, limit] }
}

export const changedReason = 'The call has changed since it was asked about.'
const endedReason = 'The turn is over.'
export const restoredReason = 'The database was restored since it was asked.'
