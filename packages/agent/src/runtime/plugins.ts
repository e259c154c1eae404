import { type Clock, defineHook, type Hook, proceed } from 'hookline'
import {
  type AgentConfig,
  agentRegister,
  agentUnregister,
  type PromptFragment,
} from 'hookline/lifecycle'
import type { ToolSet } from '../loop/parts.ts'
import { createToolSet } from '../loop/tool-set.ts'
import { wakeAfter } from '../loop/wait.ts'
import { AgentError } from '../ports/agent-error.ts'
import { renderScope } from '../prompt/render-scope.ts'
import type { Plugin, PluginHost } from './plugin.ts'

const maxSayMs = 30_000

/** All plugins of a runtime as one: nobody reaches into a single one. */
export class Plugins {
  readonly hooks: readonly Hook[]
  readonly #plugins: readonly Plugin[]
  readonly #environment: () => string
  readonly #clock: Clock
  #ready: Promise<void> | undefined

  constructor(
    plugins: readonly Plugin[],
    environment: () => string,
    clock: Clock,
  ) {
    checkNames(plugins)
    this.#plugins = plugins
    this.#environment = environment
    this.#clock = clock
    this.hooks = plugins.flatMap((plugin, index) => [
      ...lifeHooks(plugin, index),
      ...(plugin.hooks ?? []),
    ])
  }

  /** Tools with their owners, for all agents together. */
  get tools() {
    return this.#plugins.flatMap(({ name, tools = [] }) =>
      tools.map((tool) => ({ tool, owner: name })),
    )
  }

  /** Sets all of them up, once; what was set up is disposed of if one fails. */
  setup(host: PluginHost): Promise<void> {
    this.#ready ??= this.#setup(host)
    return this.#ready
  }

  async #setup(host: PluginHost): Promise<void> {
    const done: Plugin[] = []
    try {
      for (const plugin of this.#plugins) {
        await plugin.setup?.(host)
        done.push(plugin)
      }
    } catch (error) {
      // Whoever opens the runtime is told why that failed, not how its end did.
      await disposeAll(done).catch(() => {})
      throw error
    }
  }

  /** In the opposite order; all of them, whatever fails. */
  async dispose(): Promise<void> {
    if (this.#ready === undefined) return
    const wasSetUp = await this.#ready.then(
      () => true,
      () => false,
    )
    if (wasSetUp) await disposeAll(this.#plugins)
  }

  /** Leaves out the tools that the plugins do not want this agent to have. */
  scope(tools: ToolSet, config: AgentConfig): ToolSet {
    const scoped = this.#plugins.filter((one) => one.scopedTools !== undefined)
    if (scoped.length === 0) return tools
    const lists = new Map(
      scoped.map((one) => [one.name, one.scopedTools?.(config).tools ?? []]),
    )
    return createToolSet(
      [...tools.byName.values()].filter(
        ({ tool, owner }) => lists.get(owner)?.includes(tool.name) ?? true,
      ),
    )
  }

  /** The config with what the system prompt says after the instructions. */
  async build(config: AgentConfig): Promise<AgentConfig> {
    if (this.#plugins.length === 0) return config
    const fragments: PromptFragment[] = [...(config.fragments ?? [])]
    const add = (id: string, text: string | undefined, plugin?: string) => {
      const content = text?.trim() ?? ''
      if (content === '') return
      fragments.push({ id, content, ...(plugin !== undefined && { plugin }) })
    }
    add('environment', this.#environment())
    for (const part of ['prompt', 'resources'] as const) {
      const prefix = part === 'prompt' ? 'plugin' : part
      for (const plugin of this.#plugins) {
        const { name } = plugin
        const text = await this.#said(plugin, part, config)
        add(`${prefix}:${name}`, text, name)
      }
    }
    const lines = this.#plugins.flatMap((one) => {
      const { scope } = one.scopedTools?.(config) ?? {}
      return scope === undefined ? [] : [scope]
    })
    add('scope', renderScope(config, lines))
    return { ...config, fragments }
  }

  /** One that hangs would hold up every agent, and closing. */
  async #said(
    plugin: Plugin,
    part: 'prompt' | 'resources',
    config: AgentConfig,
  ): Promise<string | undefined> {
    const late = Promise.withResolvers<never>()
    const stop = wakeAfter(this.#clock, maxSayMs, () => {
      const message = `Plugin "${plugin.name}" did not say its ${part} within ${maxSayMs / 1_000} s.`
      late.reject(new AgentError('registration-refused', message))
    })
    try {
      return await Promise.race([plugin[part]?.(config), late.promise])
    } finally {
      stop()
    }
  }

  /**
   * What hooks have made of a built config. Where they have changed what the
   * agent may use, it is told so anew, in all that they have not written.
   */
  async restate(
    config: AgentConfig,
    { given, based }: { readonly given: AgentConfig; based: AgentConfig },
  ): Promise<AgentConfig> {
    if (this.#plugins.length === 0 || scopeIn(config) === scopeIn(based)) {
      return config
    }
    const { fragments: own = [] } = given
    const { fragments: fresh = [] } = await this.build({
      ...config,
      fragments: own,
    })
    const before = new Map(based.fragments?.map((one) => [one.id, one.content]))
    const now = new Map(fresh.map((one) => [one.id, one]))
    const kept = (config.fragments ?? []).flatMap((one) =>
      before.get(one.id) === one.content ? (now.get(one.id) ?? []) : [one],
    )
    const added = fresh.filter(({ id }) => !before.has(id))
    return { ...config, fragments: [...kept, ...added] }
  }
}

/** All that plugins may tell an agent something by. */
function scopeIn(config: AgentConfig): string {
  const { tools, skills, mcpServers, subagents, plugins } = config
  return JSON.stringify({ tools, skills, mcpServers, subagents, plugins })
}

/**
 * The hooks by which a plugin makes and lets go of its state of an agent: in
 * the order of the plugins, before those of others, and the other way round.
 */
function lifeHooks(plugin: Plugin, priority: number): readonly Hook[] {
  const hooks: Hook[] = []
  // Every process does it for every agent; nobody asks what came of it.
  const visibility = 'debug'
  if (plugin.register !== undefined) {
    const register = defineHook({
      name: `${plugin.name}:register`,
      on: agentRegister,
      priority,
      visibility,
      run: async ({ config }) => {
        await plugin.register?.(config)
        return proceed
      },
    })
    hooks.push(register)
  }
  if (plugin.unregister !== undefined) {
    const unregister = defineHook({
      name: `${plugin.name}:unregister`,
      on: agentUnregister,
      priority,
      visibility,
      run: async ({ config }) => {
        await plugin.unregister?.(config)
        return proceed
      },
    })
    hooks.push(unregister)
  }
  return hooks
}

async function disposeAll(plugins: readonly Plugin[]): Promise<void> {
  const problems: unknown[] = []
  for (const plugin of [...plugins].reverse()) {
    try {
      await plugin.dispose?.()
    } catch (error) {
      problems.push(error)
    }
  }
  if (problems.length > 0) throw problems[0]
}

/** Whose tools are that are no plugin's. */
const owners: ReadonlySet<string> = new Set(['agent', 'runtime'])

function checkNames(plugins: readonly Plugin[]): void {
  const names = new Set<string>()
  for (const { name } of plugins) {
    if (owners.has(name)) {
      const message = `A plugin cannot be named "${name}": that is whose the other tools are. Rename it.`
      throw new AgentError('invalid-config', message)
    }
    if (names.has(name)) {
      const message = `There are two plugins named "${name}"; leave one out.`
      throw new AgentError('invalid-config', message)
    }
    names.add(name)
  }
}
