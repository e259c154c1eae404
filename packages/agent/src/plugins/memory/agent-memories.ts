import type { AgentConfig, AgentScope } from 'hookline/lifecycle'
import type { MemorySpace } from '../../index.ts'
import { type MemoryConfig, readMemoryConfig } from './memory-config.ts'
import { type MemoryPolicy, strictest } from './memory-policy.ts'

const maxTurns = 10_000

/** What was settled when a turn began. */
interface BegunTurn {
  readonly policy: MemoryPolicy
  /** On whose behalf it was then. */
  readonly owner: string
}

/** Which agents have a memory, and what their turns may do with it. */
export class AgentMemories {
  readonly #agents = new Map<string, MemoryConfig>()
  readonly #turns = new Map<string, BegunTurn>()

  register(config: AgentConfig): void {
    const read = readMemoryConfig(config)
    if (read === undefined) this.#agents.delete(config.name)
    else this.#agents.set(config.name, read)
  }

  unregister({ name }: AgentConfig): void {
    this.#agents.delete(name)
  }

  /**
   * Whether there is a memory at a moment: the agent has one, and so have all
   * that it works for.
   */
  has({ agent, parents = [] }: AgentScope): boolean {
    return [agent, ...parents].every((name) => this.#agents.has(name))
  }

  configOf({ agent }: AgentScope): MemoryConfig | undefined {
    return this.#agents.get(agent)
  }

  /** What configs say of the agent and those above it. */
  fixedPolicy({ agent, parents = [] }: AgentScope): MemoryPolicy | undefined {
    const own = this.#agents.get(agent)?.policy
    if (own === undefined) return undefined
    return strictest([own, ...this.#policiesOf(parents)])
  }

  /**
   * What no turn of the agent may go beyond. What a sub-agent is told comes
   * from some user: if it is not known from whom, all would get to see it. So
   * would they where several have a say.
   */
  outerPolicy(scope: AgentScope): MemoryPolicy {
    const { agent, parents = [], actor } = scope
    const isKnown = parents.length === 0 || actor !== undefined
    const above = this.#policiesOf([agent, ...parents])
    return strictest([
      ...above,
      { read: true, write: isKnown && !isShared(scope) },
    ])
  }

  #policiesOf(names: readonly string[]): readonly MemoryPolicy[] {
    return names.flatMap((name) => this.#agents.get(name)?.policy ?? [])
  }

  /**
   * Where a turn writes: with its user, or with the agent if it has none.
   * Nowhere once others than its owner have a say in it: what one of them told
   * is not for the other, nor for all.
   */
  spaceOf(scope: AgentScope, owner = ownerOf(scope)): MemorySpace | undefined {
    if (isShared(scope) || ownerOf(scope) !== owner) return undefined
    const { actor } = scope
    const agent = this.#namespaceOf(scope)
    return actor?.kind === 'user' ? { agent, user: actor.id } : { agent }
  }

  /** Where a turn reads: never what belongs to another user. */
  spacesOf(scope: AgentScope, owner = ownerOf(scope)): readonly MemorySpace[] {
    const all = { agent: this.#namespaceOf(scope) }
    const own = this.spaceOf(scope, owner)
    return own?.user === undefined ? [all] : [own, all]
  }

  #namespaceOf(scope: AgentScope): string {
    return this.configOf(scope)?.namespace ?? scope.agent
  }

  /** Keeps what was decided for a turn, for what comes after it. */
  noteTurn(scope: AgentScope, policy: MemoryPolicy): void {
    const { turnId } = scope
    if (turnId === undefined) return
    this.#turns.set(turnId, { policy, owner: ownerOf(scope) })
    const [oldest] = this.#turns.keys()
    const isFull = this.#turns.size > maxTurns
    if (isFull && oldest !== undefined) this.#turns.delete(oldest)
  }

  /** Whether what a turn told may be kept; if nothing is known of it: no. */
  mayWrite(scope: AgentScope): boolean {
    const begun = this.#turns.get(scope.turnId ?? '')
    if (begun === undefined || !begun.policy.write) return false
    return this.spaceOf(scope, begun.owner) !== undefined
  }
}

/**
 * On whose behalf a turn is in the first place. Whoever joins one that nobody
 * owned becomes its actor, so that this is asked when it begins.
 */
export function ownerOf({ actor }: AgentScope): string {
  return actor === undefined ? '' : `${actor.kind}:${actor.id}`
}

function isShared({ actor }: AgentScope): boolean {
  return (actor?.besides ?? []).length > 0
}
