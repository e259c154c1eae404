import { StoreError } from '../store-error.ts'
import { answerApproval } from './answer-approval.ts'
import type { AnswerOutcome } from './answer-outcome.ts'
import type { Principal } from './approval.ts'
import type { Desk } from './desk.ts'
import type { ApprovalReply } from './read-answer.ts'

/** One answer for many questions; for each, what was shown of it. */
export interface ManyReplies {
  readonly of: readonly {
    readonly id: string
    readonly shownHash: string
  }[]
  /** A yes is for these calls and no others: it makes no rule. */
  readonly type: 'allow' | 'deny'
  readonly reason?: string
}

export interface ManyOutcome {
  readonly id: string
  readonly outcome: AnswerOutcome
}

const maxAtOnce = 1_000

/**
 * Each question is answered for itself, as if it were alone, and what became of
 * it is in the list: nothing is lifted that the list does not name.
 */
export async function answerMany(
  desk: Desk,
  { of, type, reason }: ManyReplies,
  by: Principal,
): Promise<readonly ManyOutcome[]> {
  if (of.length > maxAtOnce) {
    const message = `More than ${maxAtOnce} questions are not answered at once.`
    throw new StoreError('invalid-options', message)
  }
  const outcomes: ManyOutcome[] = []
  for (const { id, shownHash } of of) {
    const given = { shownHash, ...(reason !== undefined && { reason }) }
    const reply: ApprovalReply = { type, ...given }
    const outcome = await answerApproval(desk, id, { reply, by })
    outcomes.push({ id, outcome })
  }
  return outcomes
}
