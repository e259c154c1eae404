import type { AgentScope, ToolCall } from 'hookline/lifecycle'
import { StoreError } from '../store-error.ts'
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

/** On whose behalf a call is made: all who caused the turn, or the agent. */
export function requestersOf({ actor, agent }: AgentScope): readonly string[] {
  if (actor === undefined) return [`agent:${agent}`]
  const { besides = [] } = actor
  return [...new Set([actor, ...besides].map(principalName))]
}

/** How many people have to agree to a call. */
export function approversOf(
  { approvers }: Pick<ApprovalsSettings, 'approvers'>,
  call: ToolCall,
  scope: AgentScope,
): 1 | 2 {
  // It is somebody's code, and may give anything.
  const count: unknown = approvers(call, scope)
  if (count === 1 || count === 2) return count
  const message = 'The `approvers` of a call are neither 1 nor 2.'
  throw new StoreError('invalid-options', message)
}

/** What forbids somebody to give this answer, if anything does. */
export async function checkRights(
  settings: Pick<ApprovalsSettings, 'mayApprove' | 'mayAnswerOwn'>,
  approval: Approval,
  { by, answer }: { readonly by: Principal; readonly answer: ReadAnswer },
): Promise<Refusal | undefined> {
  if (by.kind === 'agent') return 'own-question'
  const isOwn = approval.requestedBy.includes(principalName(by))
  const mayAnswerOwn = settings.mayAnswerOwn && approval.approvers === 1
  // To say no to what one has asked for is always possible.
  if (isOwn && !mayAnswerOwn && answer.type !== 'deny') return 'own-question'
  const mayApprove = await settings.mayApprove(by, approval, answer)
  return mayApprove === true ? undefined : 'no-right'
}
