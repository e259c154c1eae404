import type { MaybePromise } from 'hookline'
import type { AgentScope, Grant, ToolCall } from 'hookline/lifecycle'

/** The first gate: says whether, where and how a call may run. */
export interface PolicyPort {
  /** Asked before the hooks, and again when they have changed the arguments. */
  grant(call: ToolCall, scope: AgentScope): MaybePromise<Grant>
  /** Whether a call may only run if a hook has judged it. */
  needsGate(call: ToolCall, scope: AgentScope): boolean
}
