import { createHash } from 'node:crypto'

/** Whose memories: an agent's own, or what it knows of one user. */
export interface MemorySpace {
  readonly agent: string
  readonly user?: string
}

/** An agent's name stands for what is its own. */
export type Space = string | MemorySpace

export function spaceOf(space: Space): MemorySpace {
  return typeof space === 'string' ? { agent: space } : space
}

/**
 * Of the exact names: names that look the same when secrets are taken out of
 * them are still two. It stands in indexes, so that it is one plain word.
 */
export function spaceId(space: Space): string {
  const { agent, user } = spaceOf(space)
  const whole = JSON.stringify([agent, user ?? null])
  const hash = createHash('sha256').update(whole).digest('hex')
  return `space${hash.slice(0, 32)}`
}
