import type { HooksSpec } from './define-hooks.ts'
import { approval } from './hooks/approval/approval.ts'
import { argsRewrite } from './hooks/args-rewrite/args-rewrite.ts'
import { auditLog } from './hooks/audit-log/audit-log.ts'
import { budget } from './hooks/budget/budget.ts'
import { callLimit } from './hooks/call-limit.ts'
import { canary } from './hooks/canary.ts'
import { cedar } from './hooks/cedar/cedar.ts'
import { circuitBreaker } from './hooks/circuit-breaker/circuit-breaker.ts'
import { compactionHint } from './hooks/compaction-hint.ts'
import { contextEditor } from './hooks/context-editor/context-editor.ts'
import { costTracker } from './hooks/cost-tracker.ts'
import { danglingRepair } from './hooks/dangling-repair.ts'
import { injectionScan } from './hooks/injection-scan.ts'
import { inputGuardrail } from './hooks/input-guardrail.ts'
import { loopDetector } from './hooks/loop-detector.ts'
import { notify } from './hooks/notify/notify.ts'
import { opa } from './hooks/opa/opa.ts'
import { otel } from './hooks/otel/otel.ts'
import { outputGuardrail } from './hooks/output-guardrail.ts'
import { pathGuard } from './hooks/path-guard/path-guard.ts'
import { piiRedact } from './hooks/pii-redact.ts'
import { providerFallback } from './hooks/provider-fallback/provider-fallback.ts'
import { rateLimit } from './hooks/rate-limit/rate-limit.ts'
import { retry } from './hooks/retry.ts'
import { secretScan } from './hooks/secret-scan.ts'
import { shellGuard } from './hooks/shell-guard/shell-guard.ts'
import { stopJudge } from './hooks/stop-judge/stop-judge.ts'
import { summary } from './hooks/summary/summary.ts'
import { timeoutBudget } from './hooks/timeout-budget/timeout-budget.ts'
import { title } from './hooks/title/title.ts'
import { todo } from './hooks/todo/todo.ts'
import { toolPolicy } from './hooks/tool-policy/tool-policy.ts'

export {
  type ApprovalOptions,
  type ApprovalRule,
  approval,
} from './hooks/approval/approval.ts'
export {
  type ArgsRewriteOptions,
  argsRewrite,
} from './hooks/args-rewrite/args-rewrite.ts'
export type { RewriteRule } from './hooks/args-rewrite/rewrite-rule.ts'
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
export { type CanaryOptions, canary } from './hooks/canary.ts'
export { type CedarOptions, cedar } from './hooks/cedar/cedar.ts'
export { circuitBreaker } from './hooks/circuit-breaker/circuit-breaker.ts'
export type { CircuitBreakerOptions } from './hooks/circuit-breaker/options.ts'
export {
  type CompactionHintOptions,
  compactionHint,
} from './hooks/compaction-hint.ts'
export { contextEditor } from './hooks/context-editor/context-editor.ts'
export type { ContextEditorOptions } from './hooks/context-editor/options.ts'
export {
  type CostTotals,
  type CostTrackerOptions,
  costTracker,
} from './hooks/cost-tracker.ts'
export {
  type DanglingRepairOptions,
  danglingRepair,
} from './hooks/dangling-repair.ts'
export {
  type InjectionScanOptions,
  injectionScan,
} from './hooks/injection-scan.ts'
export {
  type InputGuardrailOptions,
  inputGuardrail,
} from './hooks/input-guardrail.ts'
export {
  type LoopDetectorOptions,
  loopDetector,
} from './hooks/loop-detector.ts'
export { type NotifyOptions, notify } from './hooks/notify/notify.ts'
export { opa } from './hooks/opa/opa.ts'
export type { OpaOptions } from './hooks/opa/options.ts'
export { type OtelOptions, otel } from './hooks/otel/otel.ts'
export { createTurnMeter } from './hooks/otel/turn-meter.ts'
export { type TraceApi, TurnSpans } from './hooks/otel/turn-spans.ts'
export {
  type OutputGuardrailOptions,
  outputGuardrail,
} from './hooks/output-guardrail.ts'
export type { PathArguments } from './hooks/path-guard/default-paths.ts'
export {
  type PathGuardOptions,
  pathGuard,
} from './hooks/path-guard/path-guard.ts'
export { type PiiRedactOptions, piiRedact } from './hooks/pii-redact.ts'
export type {
  FallbackModel,
  ProviderFallbackOptions,
} from './hooks/provider-fallback/options.ts'
export { providerFallback } from './hooks/provider-fallback/provider-fallback.ts'
export {
  type RateLimitOptions,
  type RateRule,
  rateLimit,
} from './hooks/rate-limit/rate-limit.ts'
export { type RetryOptions, retry } from './hooks/retry.ts'
export { type SecretScanOptions, secretScan } from './hooks/secret-scan.ts'
export {
  type ShellGuardOptions,
  shellGuard,
} from './hooks/shell-guard/shell-guard.ts'
export type { StopJudgeOptions } from './hooks/stop-judge/options.ts'
export { stopJudge } from './hooks/stop-judge/stop-judge.ts'
export type { SummaryOptions } from './hooks/summary/options.ts'
export { summary } from './hooks/summary/summary.ts'
export {
  type TimeoutBudgetOptions,
  timeoutBudget,
} from './hooks/timeout-budget/timeout-budget.ts'
export type { TitleOptions } from './hooks/title/options.ts'
export { title } from './hooks/title/title.ts'
export { type TodoOptions, todo } from './hooks/todo/todo.ts'
export { toolPolicy } from './hooks/tool-policy/tool-policy.ts'
export type {
  CommandCondition,
  PathCondition,
  ToolPolicyOptions,
  ToolRule,
} from './hooks/tool-policy/tool-policy-options.ts'
export type { UrlCondition } from './hooks/tool-policy/url-match.ts'

/** Every hook that ships, as config files name them. */
// biome-ignore lint/suspicious/noExplicitAny: each has options of its own
export const shippedHooks: readonly HooksSpec<any>[] = Object.freeze([
  approval.spec,
  argsRewrite.spec,
  auditLog.spec,
  budget.spec,
  callLimit.spec,
  canary.spec,
  cedar.spec,
  circuitBreaker.spec,
  compactionHint.spec,
  contextEditor.spec,
  costTracker.spec,
  danglingRepair.spec,
  injectionScan.spec,
  inputGuardrail.spec,
  loopDetector.spec,
  notify.spec,
  opa.spec,
  otel.spec,
  outputGuardrail.spec,
  pathGuard.spec,
  piiRedact.spec,
  providerFallback.spec,
  rateLimit.spec,
  retry.spec,
  secretScan.spec,
  shellGuard.spec,
  stopJudge.spec,
  summary.spec,
  timeoutBudget.spec,
  title.spec,
  todo.spec,
  toolPolicy.spec,
])
