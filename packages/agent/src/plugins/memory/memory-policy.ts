import type { EffectivePolicy } from 'hookline/lifecycle'

/** What memory may be used for in a turn. */
export interface MemoryPolicy {
  readonly read: boolean
  readonly write: boolean
}

export const memoryDomain = 'memory'

/**
 * The policy that holds; undefined if there is none, or one that cannot be
 * read: then nothing is recalled, offered or kept.
 */
export function policyIn(
  policies: readonly EffectivePolicy[],
): MemoryPolicy | undefined {
  const ruleOf = (wanted: keyof MemoryPolicy) =>
    policies.find(
      ({ domain, key }) => domain === memoryDomain && key === wanted,
    )?.value
  const [read, write] = [ruleOf('read'), ruleOf('write')]
  if (typeof read !== 'boolean' || typeof write !== 'boolean') return undefined
  return { read, write }
}

/** What all of them allow. */
export function strictest(policies: readonly MemoryPolicy[]): MemoryPolicy {
  return {
    read: policies.every(({ read }) => read),
    write: policies.every(({ write }) => write),
  }
}
