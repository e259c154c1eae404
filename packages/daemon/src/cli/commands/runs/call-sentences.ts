import type {
  ExplainedApproval,
  ExplainedVerdict,
} from '../../../protocol/schemas/records.ts'
import {
  approvalWords,
  verdictWords,
} from '../../../protocol/words/call-words.ts'
import { duration, localTime } from '../../output/times.ts'

/** What one hook did. Its words are not part of it. */
export function verdictSentence(verdict: ExplainedVerdict): string {
  const { point, hook, latencyMs } = verdict
  const took = latencyMs === undefined ? '' : `, ${duration(latencyMs)}`
  return `${hook} at ${point}: ${verdictWords(verdict)}${took}`
}

/** What people were asked, and what came of it. Their words are not part of it. */
export function approvalSentence(approval: ExplainedApproval): string {
  const { id, requestedBy, votes, approvers, decidedAt, askedAt } = approval
  const when = decidedAt ?? askedAt
  const many =
    approvers > 1
      ? `; ${approvers} are needed: ${votes.map(({ voter, decision }) => `${voter} ${decision}`).join(', ') || 'no votes yet'}`
      : ''
  return `${approvalWords(approval)}, ${localTime(when)}, asked for ${requestedBy.join(', ')}${many} (approval ${id})`
}
