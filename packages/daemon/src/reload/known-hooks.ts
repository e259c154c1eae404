import type { HooksCatalogue } from '@hookline/agent/config'
import type { HooksSpec } from '@hookline/agent/define-hooks'

/** Hooks with options of any kind. */
// biome-ignore lint/suspicious/noExplicitAny: each has options of its own
export type AnyHooks = HooksSpec<any>

export type KnownHooks = Extract<HooksCatalogue, () => unknown>

/**
 * What files can use by name: all hooks that ship, and what the host has
 * beside them. They are loaded when a file uses one, for most use none.
 */
export function knownHooks(further: readonly AnyHooks[] = []): KnownHooks {
  return async () => {
    const { shippedHooks } = await import('@hookline/agent/hooks')
    return [...shippedHooks, ...further]
  }
}
