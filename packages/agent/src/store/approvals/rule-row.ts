import type { SealedCall } from 'hookline/lifecycle'
import { canonicalJson } from '../../seal/canonical-json.ts'
import type { Row, Statement } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import type { Covers } from './approval.ts'
import type { ApprovalRow } from './approval-row.ts'
import { type Desk, tampered } from './desk.ts'
import type { Field } from './macs.ts'
import { epochSql, type PageOf } from './statements.ts'

/** A rule as its row has it. */
export interface RuleRow {
  readonly id: string
  /** Null where it is for all sessions. */
  readonly session_id: string | null
  readonly agent: string
  readonly cwd: string
  readonly tool: string
  readonly owner: string
  readonly safety: string
  /** Null where it is for any arguments. */
  readonly args_hash: string | null
  readonly made_by: string
  readonly made_at: number
  readonly approval_id: string
  readonly epoch: number
  readonly mac: string | null
  /** The grant that it was given under: no call gets more by it. */
  readonly payload: string
}

const columns = `id, session_id, agent, cwd, tool, owner, safety, args_hash,
  made_by, made_at, approval_id, epoch, mac, payload`
const counts = `revoked_at IS NULL AND epoch = ${epochSql}`
const insertSql = `INSERT INTO rules (${columns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, hookline_now(), ?, ?, ?, ?)`
const fittingSql = `SELECT ${columns} FROM rules
  WHERE agent = ? AND cwd = ? AND tool = ? AND owner = ? AND safety = ?
  AND (session_id IS NULL OR session_id = ?)
  AND (args_hash IS NULL OR args_hash = ?)
  AND ${counts} ORDER BY id LIMIT 20`
const listSql = `SELECT ${columns} FROM rules
  WHERE ${counts} AND id > ? ORDER BY id LIMIT ?`
const revokeSql = `UPDATE rules SET revoked_at = hookline_now(), revoked_by = ?, mac = NULL
  WHERE id = ? AND revoked_at IS NULL`

/** The rule that an approval makes, for the unit that decides it. */
export function insertRule(
  { parts, macs }: Desk,
  approval: ApprovalRow,
  { call, covers }: { readonly call: SealedCall; readonly covers: Covers },
): Statement {
  const { redactor, payloads } = parts
  const id = parts.nextId()
  const rule = {
    id,
    session_id: approval.lasts === 'session' ? approval.session_id : null,
    agent: approval.agent,
    cwd: approval.cwd,
    tool: approval.tool,
    owner: redactor.text(call.owner),
    safety: call.safety,
    args_hash: covers === 'tool' ? null : approval.args_hash,
    made_by: approval.decided_by ?? '',
    approval_id: approval.id,
    epoch: approval.epoch,
  }
  const mac = macs.sign('rule', signedRule(rule, call.grant))
  const payload = payloads.write(call.grant, ['rules', id])
  const values = [...fieldsOf(rule), mac, payload]
  return { sql: insertSql, values, expects: 1 }
}

/** All that decides what a rule lifts. */
function signedRule(rule: RuleFields, grant: unknown): readonly Field[] {
  return [...fieldsOf(rule), canonicalJson(grant)]
}

type RuleFields = Omit<RuleRow, 'made_at' | 'mac' | 'payload'>

/** In the order of the columns, but for the time: nothing hangs on that. */
function fieldsOf(rule: RuleFields): readonly Field[] {
  return [
    rule.id,
    rule.session_id,
    rule.agent,
    rule.cwd,
    rule.tool,
    rule.owner,
    rule.safety,
    rule.args_hash,
    rule.made_by,
    rule.approval_id,
    rule.epoch,
  ]
}

export interface FittingCall {
  readonly agent: string
  readonly cwd: string
  readonly tool: string
  readonly owner: string
  readonly safety: string
  readonly sessionId: string | undefined
  readonly argsHash: string
}

export function findRules(call: FittingCall): Statement {
  const { agent, cwd, tool, owner, safety, sessionId, argsHash } = call
  const names = [agent, cwd, tool, owner, safety]
  return { sql: fittingSql, values: [...names, sessionId ?? null, argsHash] }
}

export function listRules({ after, limit }: PageOf): Statement {
  return { sql: listSql, values: [after, limit] }
}

/** Its signature goes, too: nobody brings it back by one column. */
export function revokeRule(id: string, by: string): Statement {
  return { sql: revokeSql, values: [by, id] }
}

/** A rule that counts, and the grant that it was given under. */
export interface FoundRule {
  readonly row: RuleRow
  readonly grant: unknown
}

/** What can be believed of rows; for the rest an alarm is raised. */
export function readRules(
  { parts, macs, settings }: Desk,
  rows: readonly Row[],
): readonly FoundRule[] {
  return rows.flatMap((found) => {
    // Columns of our own queries.
    const row = found as Row & RuleRow
    const grant = readGrantOf(parts, row)
    if (macs.verifies(row.mac, 'rule', signedRule(row, grant))) {
      return [{ row, grant }]
    }
    settings.alarm(tampered('rules', row.id))
    return []
  })
}

/** What cannot be read allows nothing. */
function readGrantOf(
  { payloads }: StoreParts,
  { id, payload }: RuleRow,
): unknown {
  try {
    return payloads.read(payload, ['rules', id])
  } catch {
    return undefined
  }
}
