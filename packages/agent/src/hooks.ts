import type { HooksSpec } from './define-hooks.ts'
import { approval } from './hooks/approval/approval.ts'
import { argsRewrite } from './hooks/args-rewrite/args-rewrite.ts'
import { callLimit } from './hooks/call-limit.ts'
import { canary } from './hooks/canary.ts'
import { cedar } from './hooks/cedar/cedar.ts'
import { inputGuardrail } from './hooks/input-guardrail.ts'
import { notify } from './hooks/notify/notify.ts'
import { otel } from './hooks/otel/otel.ts'
import { outputGuardrail } from './hooks/output-guardrail.ts'

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
export { type CallLimitOptions, callLimit } from './hooks/call-limit.ts'
export { type CanaryOptions, canary } from './hooks/canary.ts'
export { type CedarOptions, cedar } from './hooks/cedar/cedar.ts'
export {
  type InputGuardrailOptions,
  inputGuardrail,
} from './hooks/input-guardrail.ts'
export { type NotifyOptions, notify } from './hooks/notify/notify.ts'
export { type OtelOptions, otel } from './hooks/otel/otel.ts'
export { createTurnMeter } from './hooks/otel/turn-meter.ts'
export { type TraceApi, TurnSpans } from './hooks/otel/turn-spans.ts'
export {
  type OutputGuardrailOptions,
  outputGuardrail,
} from './hooks/output-guardrail.ts'

/** Every hook that ships, as config files name them. */
// biome-ignore lint/suspicious/noExplicitAny: each has options of its own
export const shippedHooks: readonly HooksSpec<any>[] = Object.freeze([
  approval.spec,
  argsRewrite.spec,
  callLimit.spec,
  canary.spec,
  cedar.spec,
  inputGuardrail.spec,
  notify.spec,
  otel.spec,
  outputGuardrail.spec,
])
