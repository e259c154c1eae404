import { hrefOf } from '../../around/routes/addresses.ts'
import type { Approval, PendingQuestions } from '../../data/protocol.ts'

/** Something that waits for a person. */
export type Waiting =
  | {
      readonly type: 'approval'
      readonly key: string
      readonly approval: Approval
    }
  | {
      readonly type: 'questions'
      readonly key: string
      readonly asked: PendingQuestions
    }

/** What was asked first is answered first; questions hold up a whole turn. */
export function listWaiting(
  approvals: readonly Approval[],
  questions: readonly PendingQuestions[],
): readonly Waiting[] {
  const asked = questions.map((one): Waiting => {
    return { type: 'questions', key: questionKey(one), asked: one }
  })
  const wanted = approvals
    .filter(({ state }) => state === 'pending')
    .toSorted((one, other) => one.askedAt - other.askedAt)
    .map((approval): Waiting => {
      return { type: 'approval', key: approval.id, approval }
    })
  return [...asked, ...wanted]
}

/** Models name their calls, so that a call is known by its session, too. */
function questionKey({ sessionId, callId }: PendingQuestions): string {
  return `${sessionId}/${callId}`
}

export function hrefOfWaiting(
  waiting: Waiting,
  session: string | undefined,
): string {
  return waiting.type === 'approval'
    ? hrefOf('approval', { approvalId: waiting.key, session })
    : hrefOf('approvals', { question: waiting.key, session })
}
