import type { AgentScope, Origin } from 'hookline/lifecycle'

const aside: ReadonlySet<Origin> = new Set<Origin>([
  'hook',
  'preflight',
  'compaction',
])

/** Whether a call of a model is the agent's own, and carries what was said. */
export function isOwnCall({ origin }: Pick<AgentScope, 'origin'>): boolean {
  return !aside.has(origin)
}
