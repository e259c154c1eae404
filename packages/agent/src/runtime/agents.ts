import {
  type Hook,
  HookError,
  type InputOf,
  type Outcome,
  type Point,
  type ScopeIds,
  type State,
  type Table,
  type TableOptions,
} from 'hookline'
import {
  type AgentConfig,
  agentBuild,
  agentRegister,
  agentUnregister,
  type BoundTool,
} from 'hookline/lifecycle'
import type { LoopParts, ToolSet } from '../loop/parts.ts'
import { restrictTools } from '../loop/tool-set.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { Core } from '../ports/core.ts'
import type { PolicyPort } from '../ports/policy.ts'
import { compileAgentTable } from './agent-table.ts'
import { askOutside } from './ask-outside.ts'
import { checkConfig } from './check-config.ts'
import { inheritLists, inheritPolicy, inheritTools } from './inherit.ts'
import { RegisteredAgent } from './registered-agent.ts'

export interface AgentOptions {
  /** Hooks of this agent and its sub-agents, beside the runtime's. */
  readonly hooks?: readonly Hook[]
  /** Tools of this agent, beside the runtime's. */
  readonly tools?: readonly BoundTool[]
  /** Default: the runtime's. */
  readonly policy?: PolicyPort
}

/** What all agents of a runtime have in common. */
export interface AgentsContext {
  readonly parts: LoopParts
  readonly tools: ToolSet
  readonly policy: PolicyPort
  readonly cores: ReadonlyMap<string, Core>
  readonly tableOptions: TableOptions
  readonly stateAt: (ids: ScopeIds) => State
  readonly endState: (scope: 'agent', id: string) => void
  readonly prepareTools: (tools: readonly BoundTool[]) => Promise<void>
}

/** Who an agent is, before it is built. */
type Identity = Pick<RegisteredAgent, 'name' | 'core' | 'parents' | 'ownHooks'>

export interface AdoptedAgent {
  readonly agent: RegisteredAgent
  /** The task is done. */
  readonly release: () => Promise<void>
}

/** The agents of a runtime: what is visible here has its state in place. */
export class Agents {
  readonly #context: AgentsContext
  readonly #agents = new Map<string, RegisteredAgent>()
  /** Also those that are still being registered, with their hooks. */
  readonly #taken = new Map<string, readonly Hook[]>()
  /** Hooks are told once that an agent goes. */
  readonly #leaving = new WeakSet<RegisteredAgent>()
  /** Registered ones that work for another, with less than they have. */
  readonly #narrowed = new Set<RegisteredAgent>()
  #hooks: readonly Hook[]
  #visible: ReadonlySet<string> = new Set()
  #changed = () => {}

  constructor(context: AgentsContext, hooks: readonly Hook[]) {
    this.#context = context
    this.#hooks = hooks
  }

  get hasVisible(): boolean {
    return this.#visible.size > 0
  }

  /** Whether users may see what a hook does. */
  isVisible(hook: string): boolean {
    return this.#visible.has(hook)
  }

  /** Calls back now, and whenever agents or hooks have changed. */
  onChange(callback: () => void): void {
    this.#changed = callback
    this.#noteChange()
  }

  get all(): readonly RegisteredAgent[] {
    return [...this.#agents.values()]
  }

  /** An agent that may take turns; of any other there is nothing to get. */
  get(name: string): RegisteredAgent {
    const agent = this.#agents.get(name)
    if (agent !== undefined && !agent.isLeaving) return agent
    const message = `There is no agent "${name}".`
    throw new AgentError('unknown-agent', message)
  }

  async register(
    given: AgentConfig,
    options: AgentOptions = {},
    parent?: RegisteredAgent,
  ): Promise<RegisteredAgent> {
    const config = checkConfig(given)
    const { name } = config
    if (this.#taken.has(name)) {
      const message = `There is an agent "${name}" already.`
      throw new AgentError('duplicate-agent', message)
    }
    const ownHooks = [...(parent?.ownHooks ?? []), ...(options.hooks ?? [])]
    this.#checkNames(name, ownHooks)
    this.#taken.set(name, ownHooks)
    try {
      const agent = await this.#build(config, options, ownHooks, parent)
      await this.#announce(agent)
      // Others may have been put in place since it was built.
      agent.table = this.#compile(agent, this.#hooks)
      this.#agents.set(name, agent)
      this.#noteChange()
      return agent
    } catch (error) {
      this.#taken.delete(name)
      if (!(error instanceof HookError)) throw error
      const message = `Agent "${name}" was refused: ${error.message}`
      throw new AgentError('registration-refused', message, error)
    }
  }

  /**
   * An agent that does a task of another: a registered one with no more than
   * both may have, or one that is registered for this task alone.
   */
  async adopt(
    wanted: string | AgentConfig,
    parent: RegisteredAgent,
  ): Promise<AdoptedAgent> {
    if (typeof wanted === 'string') {
      const agent = this.#narrow(this.get(wanted), parent)
      this.#narrowed.add(agent)
      return { agent, release: async () => void this.#narrowed.delete(agent) }
    }
    const isTaken = this.#taken.has(wanted.name)
    const suffix = isTaken ? `:${this.#context.parts.nextId()}` : ''
    const name = `${wanted.name}${suffix}`
    const config = { ...wanted, name, parent: parent.name, isEphemeral: true }
    const agent = await this.register(config, {}, parent)
    return { agent, release: () => this.unregister(agent) }
  }

  /** Lets hooks let go, then forgets the agent. */
  async unregister(agent: RegisteredAgent): Promise<void> {
    const { name, config } = agent
    agent.isLeaving = true
    if (this.#leaving.has(agent)) return
    this.#leaving.add(agent)
    try {
      await this.#ask(agentUnregister, { name, config }, agent)
    } finally {
      this.#agents.delete(name)
      this.#taken.delete(name)
      this.#context.endState('agent', name)
      this.#noteChange()
    }
  }

  /** Puts other hooks in place of the runtime's; all tables change, or none. */
  swapHooks(hooks: readonly Hook[]): void {
    const agents = [...this.all, ...this.#narrowed]
    const tables = agents.map((agent) => this.#compile(agent, hooks))
    this.#hooks = hooks
    for (const [index, agent] of agents.entries()) {
      agent.table = tables[index] ?? agent.table
    }
    this.#noteChange()
  }

  #noteChange(): void {
    const hooks = this.all.flatMap(({ table }) => table.hooks)
    const visible = hooks.filter((one) => one.visibility === 'user_visible')
    this.#visible = new Set(visible.map(({ name }) => name))
    this.#changed()
  }

  async #build(
    config: AgentConfig,
    { tools = [], policy }: AgentOptions,
    ownHooks: readonly Hook[],
    parent: RegisteredAgent | undefined,
  ): Promise<RegisteredAgent> {
    const { name } = config
    const { cores } = this.#context
    const core = cores.get(config.core ?? 'loop')
    if (core === undefined) {
      const known = [...cores.keys()].join(', ')
      const message = `Agent "${name}" wants the core "${config.core}"; there are: ${known}.`
      throw new AgentError('unknown-core', message)
    }
    const parents = parent ? [...parent.parents, parent.name] : []
    const identity = { name, core, parents, ownHooks }
    const table = this.#compile(identity, this.#hooks)
    const about = { ...identity, table }
    const built = await this.#ask(agentBuild, { config }, about)
    const final = checkConfig(built.value.config, config)
    await this.#context.prepareTools(tools)
    return new RegisteredAgent(
      {
        config: final,
        parents,
        core,
        policy: inheritPolicy(policy, this.#context, parent),
        tools: inheritTools(final, tools, this.#context, parent),
        toolLists: inheritLists(final.tools, parent?.toolLists),
        subagentLists: inheritLists(final.subagents, parent?.subagentLists),
        ownHooks,
      },
      table,
    )
  }

  async #announce(agent: RegisteredAgent): Promise<void> {
    const { name, config } = agent
    try {
      await this.#ask(agentRegister, { name, config }, agent)
    } catch (error) {
      // Hooks that have made state for it let go of it again, if they can.
      await this.unregister(agent).catch(() => {})
      throw error
    }
  }

  #narrow(child: RegisteredAgent, parent: RegisteredAgent): RegisteredAgent {
    const { config, core, name } = child
    const inherited = parent.ownHooks.filter(
      (hook) => !child.ownHooks.includes(hook),
    )
    const ownHooks = [...inherited, ...child.ownHooks]
    const parents = [...parent.parents, parent.name]
    const identity = { name, core, parents, ownHooks }
    return new RegisteredAgent(
      {
        config,
        core,
        ownHooks,
        parents,
        policy: inheritPolicy(child.policy, this.#context, parent),
        tools: restrictTools(parent.tools, [...child.tools.byName.keys()]),
        toolLists: inheritLists(config.tools, parent.toolLists),
        subagentLists: inheritLists(config.subagents, parent.subagentLists),
      },
      this.#compile(identity, this.#hooks),
    )
  }

  #compile(agent: Identity, hooks: readonly Hook[]): Table {
    const { tableOptions } = this.#context
    return compileAgentTable(agent, [...hooks, ...agent.ownHooks], tableOptions)
  }

  /** A name in a record stands for one hook, whichever agent it is of. */
  #checkNames(agent: string, hooks: readonly Hook[]): void {
    for (const [other, others] of this.#taken) {
      for (const hook of others) {
        const rival = hooks.find(({ name }) => name === hook.name)
        if (rival === undefined || rival === hook) continue
        const message = `Agents "${agent}" and "${other}" have different hooks named "${hook.name}"; rename one.`
        throw new AgentError('duplicate-hook', message)
      }
    }
  }

  async #ask<P extends Point>(
    point: P,
    input: InputOf<P>,
    identity: Identity & { readonly table: Table },
  ): Promise<Outcome<P>> {
    return askOutside(this.#context, identity, point, input)
  }
}
