import type { HooksSpec } from './define-hooks.ts'
import { callLimit } from './hooks/call-limit.ts'
import { injectionScan } from './hooks/injection-scan.ts'
import { piiRedact } from './hooks/pii-redact.ts'
import { secretScan } from './hooks/secret-scan.ts'

export { type CallLimitOptions, callLimit } from './hooks/call-limit.ts'
export {
  type InjectionScanOptions,
  injectionScan,
} from './hooks/injection-scan.ts'
export { type PiiRedactOptions, piiRedact } from './hooks/pii-redact.ts'
export { type SecretScanOptions, secretScan } from './hooks/secret-scan.ts'

/** Every hook that ships, as config files name them. */
// biome-ignore lint/suspicious/noExplicitAny: each has options of its own
export const shippedHooks: readonly HooksSpec<any>[] = Object.freeze([
  callLimit.spec,
  injectionScan.spec,
  piiRedact.spec,
  secretScan.spec,
])
