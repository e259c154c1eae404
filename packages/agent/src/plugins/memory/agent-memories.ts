import type { AgentConfig, AgentScope } from 'hookline/lifecycle'
import type { MemorySpace } from '../../index.ts'
import { type MemoryConfig, readMemoryConfig } from './memory-config.ts'
import { type MemoryPolicy, strictest } from './memory-policy.ts'

const maxTurns = 10_000

/** Which agents have a memory, and what their turns may do with it. */
export class AgentMemories {
  readonly #agents = new Map<string, MemoryConfig>()
  readonly #turns = new Map<string, MemoryPolicy>()

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
   * from some user: if it is not known from whom, all would get to see it.
   */
  outerPolicy({ agent, parents = [], actor }: AgentScope): MemoryPolicy {
    const isKnown = parents.length === 0 || actor !== undefined
    const above = this.#policiesOf([agent, ...parents])
    return strictest([...above, { read: true, write: isKnown }])
  }

  #policiesOf(names: readonly string[]): readonly MemoryPolicy[] {
    return names.flatMap((name) => this.#agents.get(name)?.policy ?? [])
  }

  /** Where a turn writes: with its user, or with the agent if it has none. */
  spaceOf(scope: AgentScope): MemorySpace {
    const namespace = this.configOf(scope)?.namespace ?? scope.agent
    const { actor } = scope
    return actor?.kind === 'user'
      ? { agent: namespace, user: actor.id }
      : { agent: namespace }
  }

  /** Where a turn reads: never what belongs to another user. */
  spacesOf(scope: AgentScope): readonly MemorySpace[] {
    const own = this.spaceOf(scope)
    return own.user === undefined ? [own] : [own, { agent: own.agent }]
  }

  /** Keeps what was decided for a turn, for what comes after it. */
  noteTurn({ turnId }: AgentScope, policy: MemoryPolicy): void {
    if (turnId === undefined) return
    this.#turns.set(turnId, policy)
    const [oldest] = this.#turns.keys()
    const isFull = this.#turns.size > maxTurns
    if (isFull && oldest !== undefined) this.#turns.delete(oldest)
  }

  /** Nothing is known of a turn: it may do nothing. */
  policyOf({ turnId = '' }: AgentScope): MemoryPolicy {
    return this.#turns.get(turnId) ?? { read: false, write: false }
  }
}
