import type { Statement } from '../database.ts'
import { StoreError } from '../store-error.ts'
import type { AnswerOutcome } from './answer-outcome.ts'
import { approvalOf, type ReadRow, signedFields } from './approval-row.ts'
import type { Desk, FoundApproval } from './desk.ts'
import type { ReadAnswer } from './read-answer.ts'
import { insertRule } from './rule-row.ts'
import { countVote, decideApproval } from './statements.ts'
import { agreement, type Vote, writeVote } from './vote.ts'

export interface AnswerToWrite {
  readonly answer: ReadAnswer
  readonly voter: string
  /** What others have said. */
  readonly others: readonly Vote[]
}

/** Undefined if the approval is no longer as it was found. */
export async function writeAnswer(
  desk: Desk,
  found: FoundApproval,
  { answer, voter, others }: AnswerToWrite,
): Promise<AnswerOutcome | undefined> {
  const { row } = found
  const { type, lasts, covers } = answer
  const own: Vote = { voter, decision: type, lasts, covers }
  const vote = writeVote(desk, row, own)
  const agreed = [...others.filter(({ decision }) => decision === 'allow'), own]
  if (type === 'allow' && agreed.length < row.approvers) {
    if (!(await attempt(desk, [countVote(row), vote]))) return undefined
    const counted = approvalOf({ ...row, votes: row.votes + 1 })
    return { type: 'counted', approval: counted }
  }
  const by = type === 'allow' ? agreed : [own]
  const after = decidedRow(desk, row, { answer, by })
  const payload = editPayload(desk, found, answer)
  const statements = [decideApproval(row, { ...after, payload }), vote]
  if (after.lasts === 'session' || after.lasts === 'always') {
    const call = found.payload?.call
    if (call === undefined) return { type: 'refused', code: 'no-content' }
    const { covers: kind } = agreement(by)
    statements.push(insertRule(desk, after, { call, covers: kind }))
  }
  if (!(await attempt(desk, statements))) return undefined
  desk.watch.tell(row.id)
  return { type: 'accepted', approval: approvalOf(after) }
}

/** Whether it was as it had been read; if not, nothing was written. */
async function attempt(
  { parts }: Desk,
  statements: readonly Statement[],
): Promise<boolean> {
  try {
    await parts.database.write({ name: 'approval.answer', statements })
    return true
  } catch (error) {
    if (error instanceof StoreError && error.code === 'conflict') return false
    throw error
  }
}

/** Between the names of those who agreed; no name has a space. */
export const makersJoint = ' and '

const states = { allow: 'approved', deny: 'denied', edit: 'edited' } as const

function decidedRow(
  { parts, macs }: Desk,
  row: ReadRow,
  { answer, by }: { readonly answer: ReadAnswer; readonly by: readonly Vote[] },
): ReadRow {
  const { type, reason, args } = answer
  const isAllow = type === 'allow'
  const agreed = agreement(by).lasts
  // What has no session lasts no session.
  const isLost = row.session_id === '' && agreed === 'session'
  const lasts = isLost ? 'once' : agreed
  const decided: ReadRow = {
    ...row,
    state: states[type],
    votes: isAllow ? by.length : row.votes,
    // For whoever reads it here; the row gets what the database says then.
    decided_at: row.now,
    decided_by: by.map(({ voter }) => voter).join(makersJoint),
    reason: reason === null ? null : parts.redactor.text(reason),
    lasts: isAllow ? lasts : null,
  }
  return { ...decided, mac: macs.sign('approval', signedFields(decided, args)) }
}

/** The edit, beside the call that it changes; null leaves all as it is. */
function editPayload(
  { parts }: Desk,
  { row, payload }: FoundApproval,
  { args }: ReadAnswer,
): string | null {
  if (args === undefined) return null
  return parts.payloads.write({ ...payload, edit: args }, ['approvals', row.id])
}
