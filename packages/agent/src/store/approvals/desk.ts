import type { JsonObject, SealedCall } from 'hookline/lifecycle'
import { sealCall } from '../../seal/seal-call.ts'
import type { StoreParts } from '../parts.ts'
import type { Approval, ApprovalAlarm } from './approval.ts'
import { isGenuine, type ReadRow, readRow } from './approval-row.ts'
import type { ApprovalWatch } from './approval-watch.ts'
import type { Macs } from './macs.ts'
import type { ApprovalsSettings } from './options.ts'
import { findApproval } from './statements.ts'

/** What all the parts of stored approvals work with. */
export interface Desk {
  readonly parts: StoreParts
  readonly macs: Macs
  readonly settings: ApprovalsSettings
  readonly watch: ApprovalWatch
  /** Who hears of every question that can be answered. */
  readonly listeners: Set<(approval: Approval) => void>
}

/** What has to be exact about a question. */
export interface ApprovalPayload {
  readonly call?: SealedCall
  /** The arguments that somebody wants instead. */
  readonly edit?: JsonObject
}

/** A row as it was read, and whether anybody has tampered with it. */
export interface FoundApproval {
  readonly row: ReadRow
  /** Absent when retention has removed it. */
  readonly payload: ApprovalPayload | undefined
  readonly isGenuine: boolean
}

export async function find(
  { parts, macs, settings }: Desk,
  id: string,
): Promise<FoundApproval | undefined> {
  const [found] = await parts.database.read(findApproval(id))
  if (found === undefined) return undefined
  const row = readRow(found)
  const payload = readPayload(parts, row)
  const isTrue =
    payload !== 'unreadable' &&
    isGenuine(row, macs, payload?.edit) &&
    isSealed(row, payload?.call)
  if (!isTrue) settings.alarm(tampered('approvals', id))
  return {
    row,
    payload: payload === 'unreadable' ? undefined : payload,
    isGenuine: isTrue,
  }
}

export function tampered(
  table: Extract<ApprovalAlarm, { type: 'tampered' }>['table'],
  id: string,
): ApprovalAlarm {
  return { type: 'tampered', table, id }
}

/** What was exact about it; absent when retention has removed it. */
export function readPayload(
  { payloads }: StoreParts,
  { id, payload }: ReadRow,
): ApprovalPayload | 'unreadable' | undefined {
  if (payload === null || payload === undefined) return undefined
  try {
    // Written by us; the seal and the MAC tell whether it still is.
    return payloads.read(payload, ['approvals', id]) as ApprovalPayload
  } catch {
    return 'unreadable'
  }
}

/** Whether the call is the one that was sealed. */
function isSealed(
  { session_id, turn_id, seal }: ReadRow,
  call: SealedCall | undefined,
): boolean {
  if (call === undefined) return true
  const { seal: _, definitionHash, ...granted } = call
  const scope = {
    agent: '',
    origin: 'user',
    coreType: '',
    sessionId: session_id,
    turnId: turn_id,
  } as const
  return sealCall(granted, definitionHash, scope).seal === seal
}
