import type {
  AgentScope,
  JsonObject,
  SafetyClass,
  SealedCall,
} from 'hookline/lifecycle'

/** What policies are told of a call. */
export interface CallFacts {
  readonly tool: string
  /** Whose tool it is. */
  readonly owner: string
  readonly safety: SafetyClass
  /** As they will run. */
  readonly args: JsonObject
  readonly agent: string
  /** The agents that it works for. */
  readonly parents: readonly string[]
  readonly origin: string
  readonly actor?: { readonly kind: string; readonly id: string }
  readonly cwd?: string
}

export function factsOf(
  { tool, owner, safety, args }: SealedCall,
  { agent, parents = [], origin, actor, cwd }: AgentScope,
): CallFacts {
  return {
    ...{ tool, owner, safety, args, agent, parents, origin },
    ...(actor && { actor: { kind: actor.kind, id: actor.id } }),
    ...(cwd !== undefined && { cwd }),
  }
}
