import {
  type Hook,
  HookError,
  type RunOptions,
  type State,
  type Table,
  type TableOptions,
} from 'hookline'
import {
  type AgentConfig,
  type AgentScope,
  agentBuild,
  agentRegister,
  agentUnregister,
  type BoundTool,
} from 'hookline/lifecycle'
import type { LoopParts, ToolSet } from '../loop/parts.ts'
import { createToolSet, joinTools, restrictTools } from '../loop/tool-set.ts'
import { narrowPolicy } from '../policy/narrow-policy.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { Core } from '../ports/core.ts'
import type { PolicyPort } from '../ports/policy.ts'
import { compileAgentTable } from './agent-table.ts'
import { checkConfig } from './check-config.ts'
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
  readonly stateAt: (ids: { readonly agent: string }) => State
  readonly prepareTools: (tools: readonly BoundTool[]) => Promise<void>
}

export interface AdoptedAgent {
  readonly agent: RegisteredAgent
  /** The task is done. */
  readonly release: () => Promise<void>
}

/** The agents of a runtime: what is visible here has its state in place. */
export class Agents {
  readonly #context: AgentsContext
  readonly #agents = new Map<string, RegisteredAgent>()
  readonly #taken = new Set<string>()
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
    this.#taken.add(name)
    try {
      const agent = await this.#build(config, options, parent)
      await this.#announce(agent)
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
      return { agent, release: async () => {} }
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
    const { name, config, table } = agent
    agent.isLeaving = true
    const options = this.#optionsFor(agent.name, agent.parents, table)
    try {
      await this.#context.parts.engine.run(
        agentUnregister,
        { name, config },
        options,
      )
    } finally {
      this.#agents.delete(name)
      this.#taken.delete(name)
    }
  }

  /** Puts other hooks in place of the runtime's; all tables change, or none. */
  swapHooks(hooks: readonly Hook[]): void {
    const tables = this.all.map((agent) => {
      const own = agent.ownHooks
      return this.#compile(agent.name, agent.core, [...hooks, ...own])
    })
    this.#hooks = hooks
    for (const [index, agent] of this.all.entries()) {
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
    { hooks = [], tools = [], policy }: AgentOptions,
    parent: RegisteredAgent | undefined,
  ): Promise<RegisteredAgent> {
    const { name } = config
    const { parts, cores } = this.#context
    const core = cores.get(config.core ?? 'loop')
    if (core === undefined) {
      const known = [...cores.keys()].join(', ')
      const message = `Agent "${name}" wants the core "${config.core}"; there are: ${known}.`
      throw new AgentError('unknown-core', message)
    }
    const ownHooks = [...(parent?.ownHooks ?? []), ...hooks]
    this.#checkNames(name, ownHooks)
    const table = this.#compile(name, core, [...this.#hooks, ...ownHooks])
    const parents = parent ? [...parent.parents, parent.name] : []
    const options = this.#optionsFor(name, parents, table)
    const built = await parts.engine.run(agentBuild, { config }, options)
    const final = checkConfig(built.value.config, config)
    await this.#context.prepareTools(tools)
    return new RegisteredAgent(
      {
        config: final,
        parents,
        core,
        policy: this.#policyFor(policy, parent),
        canAsk: parent?.canAsk ?? true,
        tools: this.#toolsFor(final, tools, parent),
        ownHooks,
      },
      table,
    )
  }

  async #announce(agent: RegisteredAgent): Promise<void> {
    const { name, config, parents, table } = agent
    const { engine } = this.#context.parts
    const options = this.#optionsFor(name, parents, table)
    try {
      await engine.run(agentRegister, { name, config }, options)
    } catch (error) {
      // Hooks that have made state for it let go of it again.
      await engine.run(agentUnregister, { name, config }, options)
      throw error
    }
  }

  #narrow(child: RegisteredAgent, parent: RegisteredAgent): RegisteredAgent {
    const { config, core } = child
    const inherited = parent.ownHooks.filter(
      (hook) => !child.ownHooks.includes(hook),
    )
    const ownHooks = [...inherited, ...child.ownHooks]
    const table = this.#compile(child.name, core, [...this.#hooks, ...ownHooks])
    return new RegisteredAgent(
      {
        config,
        core,
        ownHooks,
        parents: [...parent.parents, parent.name],
        policy: this.#policyFor(child.policy, parent),
        canAsk: parent.canAsk,
        tools: restrictTools(parent.tools, [...child.tools.byName.keys()]),
      },
      table,
    )
  }

  /** A sub-agent has nothing that its parent does not have. */
  #toolsFor(
    { tools: allowed }: AgentConfig,
    own: readonly BoundTool[],
    parent: RegisteredAgent | undefined,
  ): ToolSet {
    if (parent !== undefined) return restrictTools(parent.tools, allowed)
    const { tools: shared } = this.#context
    const owned = own.map((tool) => ({ tool, owner: 'agent' }))
    return restrictTools(joinTools(shared, createToolSet(owned)), allowed)
  }

  #policyFor(
    own: PolicyPort | undefined,
    parent: RegisteredAgent | undefined,
  ): PolicyPort {
    if (parent === undefined) return own ?? this.#context.policy
    const { canAsk } = parent
    return narrowPolicy(parent.policy, own ?? parent.policy, { canAsk })
  }

  #compile(name: string, core: Core, hooks: readonly Hook[]): Table {
    const { tableOptions } = this.#context
    return compileAgentTable(name, core, hooks, tableOptions)
  }

  /** A name in a record stands for one hook, whichever agent it is of. */
  #checkNames(agent: string, hooks: readonly Hook[]): void {
    for (const other of this.all) {
      for (const hook of other.ownHooks) {
        const rival = hooks.find(({ name }) => name === hook.name)
        if (rival === undefined || rival === hook) continue
        const message = `Agents "${agent}" and "${other.name}" have different hooks named "${hook.name}"; rename one.`
        throw new AgentError('duplicate-hook', message)
      }
    }
  }

  #optionsFor(agent: string, parents: readonly string[], table: Table) {
    const scope: AgentScope = {
      agent,
      origin: parents.length > 0 ? 'subagent' : 'user',
      coreType: 'loop',
      ...(parents.length > 0 && { parents }),
    }
    const state = this.#context.stateAt({ agent })
    return { scope, state, table } satisfies RunOptions
  }
}
