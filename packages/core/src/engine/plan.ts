import type { Contributed } from './contribution.ts'
import type { Execution, HoldBack, Hook, Retry } from './hook.ts'
import type { Point } from './point.ts'
import type { FailurePolicy, HandlerId, Mode, Visibility } from './record.ts'

/** A hook's declaration with every default filled in. Plain data. */
export interface HookDescriptor {
  readonly name: string
  readonly point: string
  readonly handler: HandlerId
  /** The matcher as it can be printed. */
  readonly match: unknown
  readonly priority: number
  readonly after: readonly string[]
  readonly before: readonly string[]
  readonly needs: readonly string[]
  readonly execution: Execution
  readonly idempotent?: boolean
  readonly retry?: Retry
  readonly timeoutMs: number
  readonly onFailure: FailurePolicy
  readonly capabilities: readonly string[]
  readonly writes: boolean
  readonly beforeWrites: boolean
  readonly holdBack: HoldBack
  readonly visibility: Visibility
  readonly mode: Mode
  readonly disabled: boolean
}

/** A hook with its place in the plan. */
export interface PlannedHook extends HookDescriptor {
  readonly hook: Hook
  /** The hook's function, as it was when the table was made. */
  readonly run: (this: unknown, input: unknown, context: unknown) => unknown
  /** What goes on in its place if it fails, where it declares that. */
  readonly fallback?: PlannedFallback | undefined
  readonly matches: ((input: unknown, scope: object) => boolean) | undefined
  /** Its index among the waited hooks, or among the observers. */
  readonly index: number
  /** The index after the last hook that may run at the same time. */
  readonly batchEnd: number
  /** The indices of the waited hooks that must have completed. */
  readonly needed: readonly number[]
}

export interface PlannedFallback {
  readonly value: unknown
  readonly contributed: readonly Contributed[]
}

/** The checked, ordered hooks of one point. */
export interface Plan {
  readonly point: Point
  readonly waited: readonly PlannedHook[]
  readonly observers: readonly PlannedHook[]
  readonly hasNeeds: boolean
}

/** All plans. Frozen: a table is replaced whole, never changed. */
export interface Table {
  readonly hooks: readonly HookDescriptor[]
  readonly plans: ReadonlyMap<string, Plan>
}
