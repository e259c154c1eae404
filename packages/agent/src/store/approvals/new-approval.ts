import type { AgentScope, PermissionQuestion } from 'hookline/lifecycle'
import type { Row } from '../database.ts'
import { type ReadRow, signedFields, writeRequesters } from './approval-row.ts'
import { argsHash } from './args-hash.ts'
import type { ApprovalPayload, Desk } from './desk.ts'
import { approversOf, requestersOf } from './rights.ts'
import { hashShown, showCall } from './show-call.ts'
import { readMoment } from './statements.ts'

/** The row of a question that is put now, by the time of the database. */
export async function newApproval(
  { parts, macs, settings }: Desk,
  question: PermissionQuestion,
  scope: AgentScope,
): Promise<ReadRow & { readonly payload: string }> {
  const { redactor, database, payloads } = parts
  const { id, call, questions } = question
  const { agent, cwd = '', sessionId = '', turnId = '' } = scope
  const shown = showCall(question, { scope, redactor })
  const [read] = await database.read(readMoment)
  // The one row of our own query.
  const moment = read as Row & Pick<ReadRow, 'now' | 'current_epoch'>
  const payload: ApprovalPayload = { call }
  const row: ReadRow = {
    ...moment,
    id,
    session_id: sessionId,
    turn_id: turnId,
    call_id: redactor.text(call.id),
    agent,
    cwd,
    tool: redactor.text(call.tool),
    seal: call.seal,
    args_hash: argsHash(macs, agent, call),
    shown: shown.text,
    shown_hash: hashShown(shown.text, call.seal),
    is_cut: shown.isCut ? 1 : 0,
    questions: JSON.stringify(
      questions.map(({ by, question: asked }) => {
        return { by, question: redactor.text(asked) }
      }),
    ),
    approvers: approversOf(settings, call, scope),
    requested_by: writeRequesters(requestersOf(scope)),
    state: 'pending',
    votes: 0,
    asked_at: moment.now,
    expires_at: moment.now + settings.expiresMs,
    decided_at: null,
    decided_by: null,
    reason: null,
    lasts: null,
    used_at: null,
    epoch: moment.current_epoch,
    mac: null,
  }
  const mac = macs.sign('approval', signedFields(row, undefined))
  return { ...row, mac, payload: payloads.write(payload, ['approvals', id]) }
}
