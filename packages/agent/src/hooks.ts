import type { HooksSpec } from './define-hooks.ts'
import { budget } from './hooks/budget/budget.ts'
import { callLimit } from './hooks/call-limit.ts'

export {
  type BudgetLimits,
  type BudgetOptions,
  budget,
} from './hooks/budget/budget.ts'
export { type CallLimitOptions, callLimit } from './hooks/call-limit.ts'

/** Every hook that ships, as config files name them. */
// biome-ignore lint/suspicious/noExplicitAny: each has options of its own
export const shippedHooks: readonly HooksSpec<any>[] = Object.freeze([
  budget.spec,
  callLimit.spec,
])
