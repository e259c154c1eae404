import type { Hook, Table } from 'hookline'
import type { AgentConfig } from 'hookline/lifecycle'
import type { LiveAgent, ToolSet } from '../loop/parts.ts'
import type { Core } from '../ports/core.ts'
import type { PolicyPort } from '../ports/policy.ts'

/** An agent that is registered, and what it was registered with. */
export class RegisteredAgent implements LiveAgent {
  config: AgentConfig
  readonly parents: readonly string[]
  core: Core
  policy: PolicyPort
  tools: ToolSet
  toolLists: LiveAgent['toolLists']
  subagentLists: LiveAgent['subagentLists']
  ownHooks: readonly Hook[]
  table: Table
  /** Set when it takes no more turns. */
  isLeaving = false

  constructor(
    live: Omit<LiveAgent, 'table'> & { readonly ownHooks: readonly Hook[] },
    table: Table,
  ) {
    this.config = live.config
    this.parents = live.parents
    this.core = live.core
    this.policy = live.policy
    this.tools = live.tools
    this.toolLists = live.toolLists
    this.subagentLists = live.subagentLists
    this.ownHooks = live.ownHooks
    this.table = table
  }

  /** It was built again; what has begun goes on with what it has. */
  become(next: RegisteredAgent): void {
    this.config = next.config
    this.core = next.core
    this.policy = next.policy
    this.tools = next.tools
    this.toolLists = next.toolLists
    this.subagentLists = next.subagentLists
    this.ownHooks = next.ownHooks
  }

  /** What a turn has of it: as it is now, but for the table. */
  asBegun(): LiveAgent {
    return new BegunAgent(this)
  }

  get name(): string {
    return this.config.name
  }
}

/** One that does a task of another. */
export interface AdoptedAgent {
  readonly agent: RegisteredAgent
  /** The task is done. */
  readonly release: () => Promise<void>
}

/** A class: a literal with a getter is a hash table to V8, slow to read. */
class BegunAgent implements LiveAgent {
  readonly config: AgentConfig
  readonly parents: readonly string[]
  readonly core: Core
  readonly policy: PolicyPort
  readonly tools: ToolSet
  readonly toolLists: LiveAgent['toolLists']
  readonly subagentLists: LiveAgent['subagentLists']
  readonly #newest: RegisteredAgent

  constructor(agent: RegisteredAgent) {
    this.config = agent.config
    this.parents = agent.parents
    this.core = agent.core
    this.policy = agent.policy
    this.tools = agent.tools
    this.toolLists = agent.toolLists
    this.subagentLists = agent.subagentLists
    this.#newest = agent
  }

  get table(): Table {
    return this.#newest.table
  }
}
