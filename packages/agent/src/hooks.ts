import type { HooksSpec } from './define-hooks.ts'
import { callLimit } from './hooks/call-limit.ts'
import { pathGuard } from './hooks/path-guard/path-guard.ts'
import { shellGuard } from './hooks/shell-guard/shell-guard.ts'
import { toolPolicy } from './hooks/tool-policy/tool-policy.ts'

export { type CallLimitOptions, callLimit } from './hooks/call-limit.ts'
export type { PathArguments } from './hooks/path-guard/default-paths.ts'
export {
  type PathGuardOptions,
  pathGuard,
} from './hooks/path-guard/path-guard.ts'
export {
  type ShellGuardOptions,
  shellGuard,
} from './hooks/shell-guard/shell-guard.ts'
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
  callLimit.spec,
  pathGuard.spec,
  shellGuard.spec,
  toolPolicy.spec,
])
