import type { ApprovalAnswer } from '../../ports/approvals.ts'
import { actorNamed } from './approval.ts'
import { stateOf } from './approval-row.ts'
import type { FoundApproval } from './desk.ts'
import { changedReason, restoredReason } from './end-statements.ts'

/** An answer, and where it is written down. */
export interface StoredAnswer extends ApprovalAnswer {
  /** To be used up when the call is recorded; only of a yes. */
  readonly approvalId?: string
}

/** What an approval says to whoever has asked; undefined while it is open. */
export function answerOf(
  found: FoundApproval | undefined,
  seal: string,
): StoredAnswer | undefined {
  if (found === undefined)
    return unanswered('The question is gone, so this is denied.')
  const { row, payload } = found
  if (!found.isGenuine) return unanswered(tamperedReason)
  if (row.seal !== seal)
    return unanswered(`${changedReason} It has to be asked anew.`)
  const by = row.decided_by ?? 'approvals'
  const state = stateOf(row)
  switch (state) {
    case 'pending':
      return undefined
    case 'approved':
      return { decision: { type: 'allow' }, by, approvalId: row.id }
    case 'edited': {
      const args = payload?.edit
      if (args === undefined) {
        return unanswered('What it was changed to is gone.')
      }
      return said({ decision: { type: 'edit', args }, by })
    }
    case 'denied':
      if (row.reason === null) return deny(`Denied by ${by}.`, by)
      return said(deny(row.reason, by))
    case 'expired':
      return unanswered(expiredReason, 'expiry')
    case 'void':
      return unanswered(`${row.reason ?? restoredReason} So this is denied.`)
    case 'used':
      return unanswered(usedReason)
  }
}

/** An answer with words or arguments of whoever gave it. */
export function said(answer: StoredAnswer): StoredAnswer {
  const actor = actorNamed(answer.by)
  return actor === undefined ? answer : { ...answer, actor }
}

export function deny(reason: string, by: string): StoredAnswer {
  return { decision: { type: 'deny', reason }, by }
}

/** A denial that is nobody's. */
export function unanswered(reason: string, by = 'approvals'): StoredAnswer {
  return { ...deny(reason, by), isUnanswered: true }
}

const expiredReason =
  'Nobody answered in time, so this call is denied. Go on without it, or say what is needed.'
const tamperedReason =
  'The approval was changed by somebody who may not, so this is denied.'
const usedReason =
  'What was agreed to has been used already, and nobody knows how that ended; this is denied.'
