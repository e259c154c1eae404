import {
  compileTable,
  type Hook,
  type Table,
  type TableOptions,
} from 'hookline'
import { compileAgentTable } from './agent-table.ts'
import type { RegisteredAgent } from './registered-agent.ts'

/** Who an agent is, before it is built. */
export type Identity = Pick<
  RegisteredAgent,
  'name' | 'core' | 'parents' | 'ownHooks'
>

/** The hooks of the runtime, and the tables of agents that have them. */
export class AgentTables {
  #hooks: readonly Hook[]
  #options: TableOptions

  constructor(hooks: readonly Hook[], options: TableOptions) {
    this.#hooks = hooks
    this.#options = options
  }

  /** The table of an agent: the runtime's hooks, and its own. */
  compile(agent: Identity): Table {
    return compileWith(agent, this.#hooks, this.#options)
  }

  /**
   * The tables that agents would have with other hooks, by their names; of
   * several with one name that of the last. Nothing changes.
   */
  with(
    agents: readonly RegisteredAgent[],
    hooks: readonly Hook[],
    options: TableOptions = this.#options,
  ): ReadonlyMap<string, Table> {
    return new Map(
      agents.map((agent) => [agent.name, compileWith(agent, hooks, options)]),
    )
  }

  /** Puts other hooks in place; all tables change, or none. */
  swap(
    agents: readonly RegisteredAgent[],
    hooks: readonly Hook[],
    options: TableOptions = this.#options,
  ): void {
    const tables = agents.map((agent) => compileWith(agent, hooks, options))
    // Where there is no agent yet, this says whether they will do.
    if (agents.length === 0) compileTable(hooks, options)
    this.#hooks = hooks
    this.#options = options
    for (const [index, agent] of agents.entries()) {
      agent.table = tables[index] ?? agent.table
    }
  }
}

function compileWith(
  agent: Identity,
  hooks: readonly Hook[],
  options: TableOptions,
): Table {
  return compileAgentTable(agent, [...hooks, ...agent.ownHooks], options)
}
