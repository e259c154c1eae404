import type { HooksSpec } from './define-hooks.ts'
import { callLimit } from './hooks/call-limit.ts'

export { type CallLimitOptions, callLimit } from './hooks/call-limit.ts'

/** Every hook that ships, as config files name them. */
// biome-ignore lint/suspicious/noExplicitAny: each has options of its own
export const shippedHooks: readonly HooksSpec<any>[] = Object.freeze([
  callLimit.spec,
])
