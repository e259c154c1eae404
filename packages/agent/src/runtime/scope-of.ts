import { freezeDeep } from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import type { Core } from '../ports/core.ts'

/** Who an agent is, wherever it is. */
export interface AgentIdentity {
  readonly name: string
  readonly core: Core
  readonly parents: readonly string[]
}

/** Where in its life it is. */
export type Place = Omit<
  AgentScope,
  'agent' | 'coreType' | 'origin' | 'parents'
> &
  Partial<Pick<AgentScope, 'origin'>>

/** A moment of an agent, as hooks are told it. */
export function scopeOf(
  { name: agent, core, parents }: AgentIdentity,
  place: Place,
): AgentScope {
  const isChild = parents.length > 0
  const { origin = isChild ? 'subagent' : 'user' } = place
  const scope = { ...place, agent, origin, coreType: core.type }
  // Hooks are given it: none may change who acts, or for whom.
  if (place.actor !== undefined) freezeDeep(place.actor)
  if (isChild) Object.freeze(parents)
  return Object.freeze(isChild ? { ...scope, parents } : scope)
}
