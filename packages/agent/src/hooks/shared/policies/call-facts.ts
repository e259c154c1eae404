import type {
  AgentScope,
  JsonObject,
  JsonValue,
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

/** Throws where an engine would be told something else than will run. */
export function factsOf(
  { tool, owner, safety, args }: SealedCall,
  { agent, parents = [], origin, actor, cwd }: AgentScope,
): CallFacts {
  checkExact(args)
  return {
    ...{ tool, owner, safety, args, agent, parents, origin },
    ...(actor && { actor: { kind: actor.kind, id: actor.id } }),
    ...(cwd !== undefined && { cwd }),
  }
}

/** What JSON or another encoding does not carry arrives as something else. */
function checkExact(value: JsonValue): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Error('A number of the call has no end.')
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new Error('A text of the call holds half of a character.')
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries<JsonValue>(value)) {
    checkExact(key)
    checkExact(member)
  }
}
