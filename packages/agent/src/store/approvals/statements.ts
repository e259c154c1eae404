import type { Statement } from '../database.ts'
import type { ApprovalRow } from './approval-row.ts'

/** Raised when a database is restored; what is older counts no more. */
export const epochSql = `(SELECT COALESCE(MAX(CAST(value AS BIGINT)), 0) FROM meta WHERE key = 'epoch')`

const columns = `id, session_id, turn_id, call_id, agent, cwd, tool, seal, args_hash,
  shown, shown_hash, is_cut, questions, approvers, requested_by, state, votes,
  asked_at, expires_at, decided_at, decided_by, reason, lasts, used_at, epoch, mac`
const moment = `hookline_now() AS now, ${epochSql} AS current_epoch`
/** Of an approval: it can be answered. */
export const isOpen = `state = 'pending' AND expires_at > hookline_now() AND epoch = ${epochSql}`

const momentSql = `SELECT ${moment}`
const findSql = `SELECT ${columns}, payload, ${moment} FROM approvals WHERE id = ?`
const openSql = `SELECT ${columns}, ${moment} FROM approvals
  WHERE ${isOpen} AND id > ? ORDER BY id LIMIT ?`
const openInSessionSql = `SELECT ${columns}, ${moment} FROM approvals
  WHERE session_id = ? AND ${isOpen} AND id > ? ORDER BY id LIMIT ?`
const waitingSql = `SELECT ${columns}, ${moment} FROM approvals
  WHERE state = 'approved' AND epoch = ${epochSql} AND id > ? ORDER BY id LIMIT ?`
const waitingInSessionSql = `SELECT ${columns}, ${moment} FROM approvals
  WHERE state = 'approved' AND epoch = ${epochSql} AND session_id = ?
  AND id > ? ORDER BY id LIMIT ?`
// Only an edit is signed together with its payload.
const answeredColumns = `${columns}, ${moment},
  CASE WHEN state = 'edited' THEN payload END AS payload`
const answeredSql = `SELECT ${answeredColumns} FROM approvals
  WHERE asked_at <= ? AND (asked_at, id) < (?, ?) AND NOT (${isOpen})
  ORDER BY asked_at DESC, id DESC LIMIT ?`
const answeredInSessionSql = `SELECT ${answeredColumns} FROM approvals
  WHERE session_id = ? AND asked_at <= ? AND (asked_at, id) < (?, ?)
  AND NOT (${isOpen}) ORDER BY asked_at DESC, id DESC LIMIT ?`
const countOpenSql = `SELECT COUNT(*) AS count FROM
  (SELECT id FROM approvals WHERE ${isOpen} LIMIT ?) AS counted`
const countOpenInSessionSql = `SELECT COUNT(*) AS count FROM
  (SELECT id FROM approvals WHERE session_id = ? AND ${isOpen} LIMIT ?) AS counted`
const deniedSql = `SELECT decided_by, reason FROM approvals
  WHERE session_id = ? AND args_hash = ? AND state = 'denied'
  AND decided_at > hookline_now() - ? ORDER BY decided_at DESC LIMIT 1`
const values = columns.replaceAll(/\w+/g, '?')
const insertSql = `INSERT INTO approvals (${columns}, payload) SELECT ${values}, ?
  WHERE (SELECT COUNT(*) FROM approvals WHERE session_id = ? AND state = 'pending') < ?
  ON CONFLICT (id) DO NOTHING`

/** The time and the epoch of the database. */
export const readMoment: Statement = { sql: momentSql, values: [] }

export function findApproval(id: string): Statement {
  return { sql: findSql, values: [id] }
}

export interface PageOf {
  readonly after: string
  readonly limit: number
  readonly sessionId?: string
}

/** Those that can be answered, by their ids. */
export function listOpen({ after, limit, sessionId }: PageOf): Statement {
  if (sessionId === undefined) return { sql: openSql, values: [after, limit] }
  return { sql: openInSessionSql, values: [sessionId, after, limit] }
}

/** Those that were agreed to, and have not been used, by their ids. */
export function listWaiting({ after, limit, sessionId }: PageOf): Statement {
  if (sessionId === undefined) {
    return { sql: waitingSql, values: [after, limit] }
  }
  return { sql: waitingInSessionSql, values: [sessionId, after, limit] }
}

/** Where a page of what was answered begins: before that, and not with it. */
interface AnsweredOf {
  readonly askedAt: number
  readonly id: string
  readonly limit: number
  readonly sessionId?: string | undefined
}

/** Those that can no longer be answered, the ones asked last first. */
export function listAnswered(of: AnsweredOf): Statement {
  const { askedAt, id, limit, sessionId } = of
  const values = [askedAt, askedAt, id, limit]
  return sessionId === undefined
    ? { sql: answeredSql, values }
    : { sql: answeredInSessionSql, values: [sessionId, ...values] }
}

/** How many can be answered; no more are counted than that. */
export function countOpen(most: number, sessionId?: string): Statement {
  return sessionId === undefined
    ? { sql: countOpenSql, values: [most] }
    : { sql: countOpenInSessionSql, values: [sessionId, most] }
}

/** A denial of the same call of the same session, not longer ago than that. */
export function findDenied(
  { session_id, args_hash }: ApprovalRow,
  withinMs: number,
): Statement {
  return { sql: deniedSql, values: [session_id, args_hash, withinMs] }
}

/** Changes nothing where the id is known, or the session asks too much. */
export function insertApproval(
  row: ApprovalRow & { readonly payload: string },
  maxOpen: number,
): Statement {
  return {
    sql: insertSql,
    values: [
      row.id,
      row.session_id,
      row.turn_id,
      row.call_id,
      row.agent,
      row.cwd,
      row.tool,
      row.seal,
      row.args_hash,
      row.shown,
      row.shown_hash,
      row.is_cut,
      row.questions,
      row.approvers,
      row.requested_by,
      row.state,
      row.votes,
      row.asked_at,
      row.expires_at,
      row.decided_at,
      row.decided_by,
      row.reason,
      row.lasts,
      row.used_at,
      row.epoch,
      row.mac,
      row.payload,
      row.session_id,
      maxOpen,
    ],
  }
}

const isAsRead = `id = ? AND votes = ? AND shown_hash = ? AND COALESCE(mac, '') = ? AND ${isOpen}`
const decideSql = `UPDATE approvals SET state = ?, votes = ?, decided_at = hookline_now(),
  decided_by = ?, reason = ?, lasts = ?, mac = ?, payload = COALESCE(?, payload)
  WHERE ${isAsRead}`
const countSql = `UPDATE approvals SET votes = votes + 1 WHERE ${isAsRead}`
const useSql = `UPDATE approvals SET state = 'used', used_at = hookline_now(), mac = NULL
  WHERE id = ? AND seal = ? AND state = 'approved' AND epoch = ${epochSql}`

/**
 * One winner: only while it is as it was read, open, and in time. The payload
 * stays as it is where there is no other.
 */
export function decideApproval(
  before: ApprovalRow,
  after: ApprovalRow & { readonly payload: string | null },
): Statement {
  const { state, votes, decided_by, reason, lasts, mac, payload } = after
  const set = [state, votes, decided_by, reason, lasts, mac, payload]
  return { sql: decideSql, values: [...set, ...asRead(before)], expects: 1 }
}

/** One more has agreed, and others still have to. */
export function countVote(before: ApprovalRow): Statement {
  return { sql: countSql, values: asRead(before), expects: 1 }
}

/**
 * Uses up an approval: once, for the call that it was given for. In the unit
 * that records the call it makes both one thing, whatever crashes.
 */
export function useApproval(id: string, seal: string): Statement {
  return { sql: useSql, values: [id, seal], expects: 1 }
}

function asRead({ id, votes, shown_hash, mac }: ApprovalRow) {
  return [id, votes, shown_hash, mac ?? '']
}

/** How many questions are looked after at once. */
export const watchedAtOnce = 100

const stillOpenSql = `SELECT id FROM approvals WHERE ${isOpen}
  AND id IN (${Array.from({ length: watchedAtOnce }, () => '?').join(', ')})`

/** Those of them that can still be answered. */
export function listStillOpen(ids: readonly string[]): Statement {
  const values = Array.from(
    { length: watchedAtOnce },
    (_, index) => ids[index] ?? null,
  )
  return { sql: stillOpenSql, values }
}
