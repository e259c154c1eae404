import { canonicalJson } from '../../seal/canonical-json.ts'
import { sha256 } from '../../seal/sha256.ts'
import type { Row, SqlValue } from '../database.ts'
import type {
  Approval,
  ApprovalState,
  Lasts,
  ShownQuestion,
} from './approval.ts'
import type { Field, Macs } from './macs.ts'
import { hashShown } from './show-call.ts'

/** An approval as its row has it, and what time and epoch it was read in. */
export interface ApprovalRow {
  readonly id: string
  readonly session_id: string
  readonly turn_id: string
  readonly call_id: string
  readonly agent: string
  readonly cwd: string
  readonly tool: string
  readonly seal: string
  readonly args_hash: string
  readonly shown: string
  readonly shown_hash: string
  readonly is_cut: number
  readonly questions: string
  readonly approvers: number
  readonly requested_by: string
  readonly state: ApprovalState
  readonly votes: number
  readonly asked_at: number
  readonly expires_at: number
  readonly decided_at: number | null
  readonly decided_by: string | null
  readonly reason: string | null
  readonly lasts: Lasts | null
  readonly used_at: number | null
  readonly epoch: number
  readonly mac: string | null
}

/** A row together with the moment that it was read in. */
export interface ReadRow extends ApprovalRow {
  readonly now: number
  readonly current_epoch: number
  /** Absent in lists. */
  readonly payload?: string | null
}

/** Only rows of our own queries: their columns are what they were made as. */
export function readRow(row: Row): ReadRow {
  return row as Row & ReadRow
}

/** Whether a row is as one of us wrote it, as far as anything hangs on it. */
export function isGenuine(
  row: ApprovalRow,
  macs: Macs,
  edit: unknown,
): boolean {
  // Of these nothing can come any more, so they are not signed.
  const { state } = row
  if (state === 'expired' || state === 'void' || state === 'used') return true
  if (hashShown(row.shown, row.seal) !== row.shown_hash) return false
  return macs.verifies(row.mac, 'approval', signedFields(row, edit))
}

/** All that decides whether something may run. */
export function signedFields(
  row: Omit<ApprovalRow, 'mac'>,
  edit: unknown,
): readonly Field[] {
  return [
    row.id,
    row.session_id,
    row.turn_id,
    row.call_id,
    row.agent,
    row.cwd,
    row.tool,
    row.seal,
    row.args_hash,
    row.shown_hash,
    row.is_cut,
    row.questions,
    row.approvers,
    row.requested_by,
    row.expires_at,
    row.epoch,
    row.state,
    row.decided_by,
    row.reason,
    row.lasts,
    edit === undefined ? null : sha256(canonicalJson(edit)),
  ]
}

/** Where it stands now, whether or not anybody has written that down yet. */
export function stateOf(row: ReadRow): ApprovalState {
  const { state, epoch, current_epoch } = row
  if (state !== 'pending' && state !== 'approved') return state
  if (epoch !== current_epoch) return 'void'
  if (state === 'approved') return state
  return row.expires_at <= row.now ? 'expired' : state
}

/** One name as it is; several as a list, which no name can be taken for. */
export function writeRequesters(names: readonly string[]): string {
  const [first = ''] = names
  return names.length === 1 ? first : JSON.stringify(names)
}

export function readRequesters(text: string): readonly string[] {
  // Written by us; a name begins with its kind.
  return text.startsWith('[') ? (JSON.parse(text) as string[]) : [text]
}

export function approvalOf(row: ReadRow): Approval {
  return Object.freeze({
    id: row.id,
    sessionId: row.session_id,
    turnId: row.turn_id,
    callId: row.call_id,
    agent: row.agent,
    cwd: row.cwd,
    tool: row.tool,
    seal: row.seal,
    shown: row.shown,
    shownHash: row.shown_hash,
    isCut: row.is_cut === 1,
    // Written by us, as the list that it is.
    questions: JSON.parse(row.questions) as readonly ShownQuestion[],
    approvers: row.approvers,
    votes: row.votes,
    requestedBy: readRequesters(row.requested_by),
    state: stateOf(row),
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
    ...present('decidedAt', row.decided_at),
    ...present('decidedBy', row.decided_by),
    ...present('reason', row.reason),
    ...present('lasts', row.lasts),
    ...present('usedAt', row.used_at),
  })
}

function present<Key extends string, Value extends SqlValue>(
  key: Key,
  value: Value | null,
): { readonly [Name in Key]?: Value } {
  // TypeScript does not see that a computed key is that key.
  return (value === null ? {} : { [key]: value }) as { [Name in Key]?: Value }
}
