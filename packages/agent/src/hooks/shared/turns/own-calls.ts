import type { AgentScope, Origin } from 'hookline/lifecycle'

const aside: readonly Origin[] = ['hook', 'preflight', 'compaction']

/** Calls of a model that are the agent's own, and carry what was said. */
export const ownCalls = { origin: { $not: aside } }

export function isOwnCall({ origin }: Pick<AgentScope, 'origin'>): boolean {
  return !aside.includes(origin)
}
