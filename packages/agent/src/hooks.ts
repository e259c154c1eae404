import type { HooksSpec } from './define-hooks.ts'
import { auditLog } from './hooks/audit-log/audit-log.ts'
import { budget } from './hooks/budget/budget.ts'
import { callLimit } from './hooks/call-limit.ts'
import { circuitBreaker } from './hooks/circuit-breaker/circuit-breaker.ts'
import { compactionHint } from './hooks/compaction-hint.ts'
import { contextEditor } from './hooks/context-editor/context-editor.ts'
import { danglingRepair } from './hooks/dangling-repair.ts'
import { providerFallback } from './hooks/provider-fallback/provider-fallback.ts'
import { retry } from './hooks/retry.ts'
import { stopJudge } from './hooks/stop-judge/stop-judge.ts'
import { todo } from './hooks/todo/todo.ts'
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
export { circuitBreaker } from './hooks/circuit-breaker/circuit-breaker.ts'
export type { CircuitBreakerOptions } from './hooks/circuit-breaker/options.ts'
export {
  type CompactionHintOptions,
  compactionHint,
} from './hooks/compaction-hint.ts'
export { contextEditor } from './hooks/context-editor/context-editor.ts'
export type { ContextEditorOptions } from './hooks/context-editor/options.ts'
export {
  type DanglingRepairOptions,
  danglingRepair,
} from './hooks/dangling-repair.ts'
export type {
  FallbackModel,
  ProviderFallbackOptions,
} from './hooks/provider-fallback/options.ts'
export { providerFallback } from './hooks/provider-fallback/provider-fallback.ts'
export { type RetryOptions, retry } from './hooks/retry.ts'
export type { StopJudgeOptions } from './hooks/stop-judge/options.ts'
export { stopJudge } from './hooks/stop-judge/stop-judge.ts'
export { type TodoOptions, todo } from './hooks/todo/todo.ts'
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
  circuitBreaker.spec,
  compactionHint.spec,
  contextEditor.spec,
  danglingRepair.spec,
  providerFallback.spec,
  retry.spec,
  stopJudge.spec,
  todo.spec,
  costTracker.spec,
  loopDetector.spec,
  rateLimit.spec,
  timeoutBudget.spec,
])
