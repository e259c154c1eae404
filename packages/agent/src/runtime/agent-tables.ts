import {
  compileTable,
  type Hook,
  type Table,
  type TableOptions,
} from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import { compileAgentTable } from './agent-table.ts'
import { inheritHooks } from './inherit.ts'
import type { RegisteredAgent } from './registered-agent.ts'

/** Who an agent is, before it is built. */
export type Identity = Pick<
  RegisteredAgent,
  'name' | 'core' | 'parents' | 'ownHooks'
>

/** Whose moment it is: an agent's, and of those it works for. */
export type AgentPath = Pick<AgentScope, 'agent' | 'parents'>

/** The hooks of a moment that has passed, as far as they are still here. */
export interface FoundTable {
  readonly table: Table
  /** Whether the agent and all that it worked for are here. */
  readonly isWhole: boolean
}

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
   * The table of whoever an agent was when it worked for these. One that was
   * made for a task is gone after it: what is left are the runtime's hooks, and
   * those of whoever it worked for. Undefined if none of them is here.
   */
  find(
    agents: readonly RegisteredAgent[],
    { agent: name, parents = [] }: AgentPath,
  ): FoundTable | undefined {
    const live = agents.find((one) => one.name === name && isOf(one, parents))
    if (live !== undefined) return { table: live.table, isWhole: true }
    const path = [...parents, name]
    const known = path.flatMap((wanted, depth) => {
      const above = path.slice(0, depth)
      const isHere = (one: RegisteredAgent) =>
        one.name === wanted && (isOf(one, []) || isOf(one, above))
      return agents.find(isHere) ?? []
    })
    if (known.length === 0) return undefined
    const own = known.reduce<readonly Hook[]>(
      (above, { ownHooks }) => inheritHooks(ownHooks, above),
      [],
    )
    // What its core passes was judged when the moment came.
    const table = compileTable([...this.#hooks, ...own], this.#options)
    return { table, isWhole: known.length === path.length }
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

/** Others may have the name of one that is gone, and work for somebody else. */
function isOf(agent: RegisteredAgent, parents: readonly string[]): boolean {
  const { length } = agent.parents
  return (
    length === parents.length &&
    parents.every((name, index) => agent.parents[index] === name)
  )
}

function compileWith(
  agent: Identity,
  hooks: readonly Hook[],
  options: TableOptions,
): Table {
  return compileAgentTable(agent, [...hooks, ...agent.ownHooks], options)
}
