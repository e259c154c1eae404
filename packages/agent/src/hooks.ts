import type { HooksSpec } from './define-hooks.ts'
import { auditLog } from './hooks/audit-log/audit-log.ts'
import { budget } from './hooks/budget/budget.ts'
import { callLimit } from './hooks/call-limit.ts'
import { costTracker } from './hooks/cost-tracker.ts'
import { loopDetector } from './hooks/loop-detector.ts'
import { rateLimit } from './hooks/rate-limit.ts'
import { timeoutBudget } from './hooks/timeout-budget/timeout-budget.ts'

export {
  type AuditContent,
  type AuditLogOptions,
  auditLog,
} from './hooks/audit-log/audit-log.ts'
export {
  type BudgetLimits,
  type BudgetOptions,
  budget,
} from './hooks/budget/budget.ts'
export { type CallLimitOptions, callLimit } from './hooks/call-limit.ts'
export {
  type CostTotals,
  type CostTrackerOptions,
  costTracker,
} from './hooks/cost-tracker.ts'
export {
  type LoopDetectorOptions,
  loopDetector,
} from './hooks/loop-detector.ts'
export {
  type RateLimitOptions,
  type RateRule,
  rateLimit,
} from './hooks/rate-limit.ts'
export {
  type TimeoutBudgetOptions,
  timeoutBudget,
} from './hooks/timeout-budget/timeout-budget.ts'

/** Every hook that ships, as config files name them. */
// biome-ignore lint/suspicious/noExplicitAny: each has options of its own
export const shippedHooks: readonly HooksSpec<any>[] = Object.freeze([
  auditLog.spec,
  budget.spec,
  callLimit.spec,
  costTracker.spec,
  loopDetector.spec,
  rateLimit.spec,
  timeoutBudget.spec,
])
