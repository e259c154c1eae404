import type { AgentScope } from 'hookline/lifecycle'
import { type Approval, type Principal, principalName } from './approval.ts'
import type { ApprovalsSettings } from './options.ts'
import type { ReadAnswer } from './read-answer.ts'

/** Why somebody's answer does not count; nothing has changed. */
export type Refusal =
  /** Agents answer no questions, and nobody agrees to what they asked for. */
  | 'own-question'
  | 'no-right'
  /** Something else was shown than what is asked. */
  | 'other-shown'
  | 'tampered'
  /** What was exact about the call is gone, so no rule can be made of it. */
  | 'no-content'

/** On whose behalf a call is made: whoever caused the turn, or the agent. */
export function requesterOf({ actor, agent }: AgentScope): string {
  return actor === undefined ? `agent:${agent}` : principalName(actor)
}

/** What forbids somebody to give this answer, if anything does. */
export async function checkRights(
  settings: Pick<ApprovalsSettings, 'mayApprove' | 'mayAnswerOwn'>,
  approval: Approval,
  { by, answer }: { readonly by: Principal; readonly answer: ReadAnswer },
): Promise<Refusal | undefined> {
  if (by.kind === 'agent') return 'own-question'
  const isOwn = principalName(by) === approval.requestedBy
  const mayAnswerOwn = settings.mayAnswerOwn && approval.approvers === 1
  // To say no to what one has asked for is always possible.
  if (isOwn && !mayAnswerOwn && answer.type !== 'deny') return 'own-question'
  const mayApprove = await settings.mayApprove(by, approval, answer)
  return mayApprove === true ? undefined : 'no-right'
}
