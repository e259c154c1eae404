import type { Hook, Table } from 'hookline'
import type { AgentConfig } from 'hookline/lifecycle'
import type { LiveAgent, ToolSet } from '../loop/parts.ts'
import type { Core } from '../ports/core.ts'
import type { PolicyPort } from '../ports/policy.ts'

/** An agent that is registered, and what it was registered with. */
export class RegisteredAgent implements LiveAgent {
  readonly config: AgentConfig
  readonly parents: readonly string[]
  readonly core: Core
  readonly policy: PolicyPort
  readonly tools: ToolSet
  readonly toolLists: LiveAgent['toolLists']
  readonly subagentLists: LiveAgent['subagentLists']
  readonly ownHooks: readonly Hook[]
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

  get name(): string {
    return this.config.name
  }
}
