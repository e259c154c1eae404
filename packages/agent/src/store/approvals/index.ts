export type { ManyOutcome, ManyReplies } from './answer-many.ts'
export type { StoredAnswer } from './answer-of.ts'
export type { AnswerOutcome } from './answer-outcome.ts'
export {
  type Approval,
  type ApprovalAlarm,
  type ApprovalState,
  actorNamed,
  type Covers,
  type Lasts,
  type Principal,
  type ShownQuestion,
} from './approval.ts'
export type { Swept, Voided } from './end-approvals.ts'
export { voidTurn } from './end-statements.ts'
export type { ApprovalPage, PageOptions } from './list-approvals.ts'
export type { RuleLift, StoredApprovalsOptions } from './options.ts'
export type { ApprovalReply, ReadAnswer } from './read-answer.ts'
export type { Refusal } from './rights.ts'
export type { ApprovalRule, RulePage } from './rules.ts'
export { hashShown, showCall } from './show-call.ts'
export type { ShownText } from './shown-text.ts'
export { useApproval } from './statements.ts'
export {
  createStoredApprovals,
  type StoredApprovals,
} from './stored-approvals.ts'
export type { UseOutcome, UseProblem } from './use-approval.ts'
