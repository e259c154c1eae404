import type {
  Hook,
  InputOf,
  Outcome,
  Point,
  Table,
  TableOptions,
} from 'hookline'
import {
  type AgentConfig,
  agentRegister,
  agentUnregister,
} from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import { type AgentPath, AgentTables, type Identity } from './agent-tables.ts'
import type { AgentOptions, AgentsContext } from './agents-context.ts'
import { type AskAgent, announceAgain } from './announce-again.ts'
import { askOutside } from './ask-outside.ts'
import { type AgentPlan, buildAgent } from './build-agent.ts'
import { checkConfig } from './check-config.ts'
import { checkHookNames } from './check-hook-names.ts'
import { inheritScope, narrowAgent } from './inherit.ts'
import { RebuildQueue } from './rebuild-queue.ts'
import { type AdoptedAgent, RegisteredAgent } from './registered-agent.ts'
import { registrationRefused } from './registration-refused.ts'
import { standInFor } from './stand-in.ts'

/** The agents of a runtime: what is visible here has its state in place. */
export class Agents {
  readonly #context: AgentsContext
  readonly #tables: AgentTables
  readonly #agents = new Map<string, RegisteredAgent>()
  /** Also those that are still being registered, with their hooks. */
  readonly #taken = new Map<string, readonly Hook[]>()
  /** Hooks are told once that an agent goes. */
  readonly #leaving = new WeakSet<RegisteredAgent>()
  /** Registered ones that work for another, with less than they have. */
  readonly #narrowed = new Set<RegisteredAgent>()
  /** How agents are made again from what they were first made from. */
  readonly #rebuilders = new WeakMap<
    RegisteredAgent,
    () => Promise<RegisteredAgent>
  >()
  #visible: ReadonlySet<string> = new Set()
  #changed = () => {}
  readonly #rebuilds = new RebuildQueue(() => this.#rebuild())

  constructor(context: AgentsContext, hooks: readonly Hook[]) {
    this.#context = context
    this.#tables = new AgentTables(hooks, context.tableOptions)
  }

  get hasVisible(): boolean {
    return this.#visible.size > 0
  }

  /** Whether users may see what a hook does. */
  isVisible(hook: string): boolean {
    return this.#visible.has(hook)
  }

  /** Whether any agent has, or could have, a tool with this name. */
  hasTool(name: string): boolean {
    if (this.#context.tools.byName.has(name)) return true
    return this.all.some(({ tools }) => tools.byName.has(name))
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
    checkHookNames(name, ownHooks, this.#taken)
    this.#taken.set(name, ownHooks)
    const plan = { config, options, ownHooks, parent }
    const { wanted } = this.#rebuilds
    try {
      const agent = await this.#build(plan)
      await this.#announce(agent)
      // Others may have been put in place since it was built.
      agent.table = this.#tables.compile(agent)
      this.#agents.set(name, agent)
      this.#noteBuilt(agent, plan, wanted)
      return agent
    } catch (error) {
      this.#taken.delete(name)
      throw registrationRefused(name, error, parent !== undefined)
    }
  }

  /**
   * Makes an agent from another config. What has begun goes on with what it
   * has; hooks are told what it is now by `agent.register`. If that fails, it
   * stays as it is.
   */
  async update(
    given: AgentConfig,
    options: AgentOptions = {},
  ): Promise<RegisteredAgent> {
    const config = checkConfig(given)
    const { name } = config
    const agent = this.get(name)
    const ownHooks = options.hooks ?? []
    const others = new Map(this.#taken)
    others.delete(name)
    checkHookNames(name, ownHooks, others)
    const plan = { config, options, ownHooks, parent: undefined }
    const { wanted } = this.#rebuilds
    try {
      const next = await this.#build(plan)
      const ask: AskAgent = (config) =>
        this.#ask(agentRegister, { name, config }, agent)
      await announceAgain(ask, agent.config, next.config)
      const table = this.#tables.compile(next)
      agent.become(next)
      agent.table = table
      this.#taken.set(name, ownHooks)
      this.#noteBuilt(agent, plan, wanted)
      return agent
    } catch (error) {
      throw registrationRefused(name, error, false)
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
      return this.#lend(this.#narrow(this.get(wanted), parent))
    }
    const isTaken = this.#taken.has(wanted.name)
    const suffix = isTaken ? `:${this.#context.parts.nextId()}` : ''
    const name = `${wanted.name}${suffix}`
    const config = {
      ...inheritScope(wanted, parent.config),
      ...{ name, parent: parent.name, isEphemeral: true },
    }
    const agent = await this.register(config, {}, parent)
    return { agent, release: () => this.unregister(agent) }
  }

  /** The same of a registered one and all it works for, outermost first. */
  adoptFor(name: string, above: readonly string[]): AdoptedAgent {
    const agents = [...above, name].map((one) => this.get(one))
    const agent = agents.reduce((parent, child) => this.#narrow(child, parent))
    return this.#lend(agent)
  }

  /** As long as it works, it has the newest hooks. */
  #lend(agent: RegisteredAgent): AdoptedAgent {
    this.#narrowed.add(agent)
    return { agent, release: async () => void this.#narrowed.delete(agent) }
  }

  /** In place of one that is not here, to end what it has left. */
  standIn(name: string, parents: readonly string[]): RegisteredAgent {
    const live = standInFor(name, parents, this.#context)
    return new RegisteredAgent(live, this.#tables.compile({ ...live, name }))
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

  /** Builds agents again; one that cannot be stays as it is, and is alarmed. */
  rebuild(): Promise<void> {
    return this.#rebuilds.want()
  }

  async #rebuild(): Promise<void> {
    for (const agent of this.all) {
      try {
        const rebuild = this.#rebuilders.get(agent)
        const next = await rebuild?.()
        // It may have been given another config meanwhile.
        const isNewest = this.#rebuilders.get(agent) === rebuild
        if (next !== undefined && isNewest) agent.become(next)
      } catch {
        this.#context.parts.alarm('not-rebuilt', agent.name)
      }
    }
  }

  /** The tables that there would be with other hooks, by agents' names. */
  tablesWith(hooks: readonly Hook[], options?: TableOptions) {
    return this.#tables.with([...this.#narrowed, ...this.all], hooks, options)
  }

  /** The hooks of a moment that has passed; nobody is adopted for it. */
  tableFor(scope: AgentPath) {
    return this.#tables.find([...this.all, ...this.#narrowed], scope)
  }

  /** Puts other hooks in place of the runtime's; all tables change, or none. */
  swapHooks(hooks: readonly Hook[], options?: TableOptions): void {
    this.#tables.swap([...this.all, ...this.#narrowed], hooks, options)
    this.#noteChange()
  }

  #noteBuilt(agent: RegisteredAgent, plan: AgentPlan, wanted: number): void {
    if (plan.parent === undefined) {
      this.#rebuilders.set(agent, () => this.#build(plan))
      // What it was built with may have changed before it was to be seen.
      if (wanted !== this.#rebuilds.wanted) this.#context.track(this.rebuild())
    }
    this.#noteChange()
  }

  #noteChange(): void {
    const hooks = this.all.flatMap(({ table }) => table.hooks)
    const visible = hooks.filter((one) => one.visibility === 'user_visible')
    this.#visible = new Set(visible.map(({ name }) => name))
    this.#changed()
  }

  #build(plan: AgentPlan): Promise<RegisteredAgent> {
    return buildAgent(plan, this.#context, {
      compile: (identity) => this.#tables.compile(identity),
      ask: (point, input, identity) => this.#ask(point, input, identity),
    })
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
    const { name } = child
    const live = narrowAgent(child, parent, this.#context)
    try {
      const table = this.#tables.compile({ ...live, name })
      return new RegisteredAgent(live, table)
    } catch (error) {
      throw registrationRefused(name, error, true)
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
