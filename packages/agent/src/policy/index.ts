export { createPolicy, type PolicyOptions } from './create-policy.ts'
export {
  type AnswerOutcome,
  createMemoryApprovals,
  type MemoryApprovals,
  type MemoryApprovalsOptions,
} from './memory-approvals.ts'
export type { PolicyMode } from './modes.ts'
export { narrowPolicy } from './narrow-policy.ts'
export type { PendingApproval } from './open-question.ts'
export type { PolicyRule } from './policy-rule.ts'
