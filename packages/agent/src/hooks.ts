import type { HooksSpec } from './define-hooks.ts'
import { callLimit } from './hooks/call-limit.ts'
import { circuitBreaker } from './hooks/circuit-breaker/circuit-breaker.ts'
import { compactionHint } from './hooks/compaction-hint.ts'
import { contextEditor } from './hooks/context-editor/context-editor.ts'
import { danglingRepair } from './hooks/dangling-repair.ts'
import { providerFallback } from './hooks/provider-fallback/provider-fallback.ts'
import { retry } from './hooks/retry.ts'
import { stopJudge } from './hooks/stop-judge/stop-judge.ts'
import { todo } from './hooks/todo/todo.ts'

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

/** Every hook that ships, as config files name them. */
// biome-ignore lint/suspicious/noExplicitAny: each has options of its own
export const shippedHooks: readonly HooksSpec<any>[] = Object.freeze([
  callLimit.spec,
  circuitBreaker.spec,
  compactionHint.spec,
  contextEditor.spec,
  danglingRepair.spec,
  providerFallback.spec,
  retry.spec,
  stopJudge.spec,
  todo.spec,
])
