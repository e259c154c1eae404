import type { HooksSpec } from './define-hooks.ts'
import { callLimit } from './hooks/call-limit.ts'
import { circuitBreaker } from './hooks/circuit-breaker/circuit-breaker.ts'
import { providerFallback } from './hooks/provider-fallback/provider-fallback.ts'
import { retry } from './hooks/retry.ts'

export { type CallLimitOptions, callLimit } from './hooks/call-limit.ts'
export { circuitBreaker } from './hooks/circuit-breaker/circuit-breaker.ts'
export type { CircuitBreakerOptions } from './hooks/circuit-breaker/options.ts'
export type {
  FallbackModel,
  ProviderFallbackOptions,
} from './hooks/provider-fallback/options.ts'
export { providerFallback } from './hooks/provider-fallback/provider-fallback.ts'
export { type RetryOptions, retry } from './hooks/retry.ts'

/** Every hook that ships, as config files name them. */
// biome-ignore lint/suspicious/noExplicitAny: each has options of its own
export const shippedHooks: readonly HooksSpec<any>[] = Object.freeze([
  callLimit.spec,
  circuitBreaker.spec,
  providerFallback.spec,
  retry.spec,
])
