import { emptyTable } from 'hookline'
import { AgentError } from '../ports/agent-error.ts'
import { composeParts, type RuntimeParts } from './compose-parts.ts'
import { endKept } from './end-orphans.ts'
import { awaitTurnsOf, endAll, endTurnsOf } from './end-work.ts'
import { callModelFor, callToolFor } from './hook-calls.ts'
import { judgeTask } from './judge-task.ts'
import { openSession } from './open-session.ts'
import { checkOptions, type RuntimeOptions } from './options.ts'
import type { PluginHost } from './plugin.ts'
import type { Runtime } from './runtime.ts'
import { keepsTitles, titleSession } from './title-session.ts'

/** Puts the parts together: an engine, agents on it, and their sessions. */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  checkOptions(options)
  const parts = composeParts(options)
  const { engine, plugins, agents, host, sessions, drain } = parts
  const opening = new Openings(parts)
  let isClosed = false
  let closed: Promise<void> | undefined
  const checkOpen = () => {
    if (!isClosed) return
    throw new AgentError('runtime-closed', 'The runtime was closed.')
  }

  const runtime: Runtime = {
    engine,
    get agents() {
      return agents.all.map(({ config }) => config)
    },
    tableOf: (name) => agents.get(name).table,
    tableFor: (scope) => agents.tableFor(scope),
    toolsOf: (agent) =>
      [...agents.get(agent).tools.byName.values()].map(({ tool, owner }) => {
        const { name, description, safety, inputSchema } = tool
        return { name, description, owner, safety, inputSchema }
      }),
    async register(config, agentOptions) {
      checkOpen()
      await plugins.setup(pluginHost)
      const agent = await agents.register(config, agentOptions)
      if (isClosed) await agents.unregister(agent)
      checkOpen()
      return agent.config
    },
    async update(config, agentOptions) {
      checkOpen()
      return (await agents.update(config, agentOptions)).config
    },
    async unregister(name, { waits = false } = {}) {
      const agent = agents.get(name)
      agent.isLeaving = true
      if (waits) await awaitTurnsOf(parts, name)
      await endTurnsOf(parts, name)
      await agents.unregister(agent)
    },
    async openSession(sessionOptions) {
      const { id } = sessionOptions
      checkOpen()
      opening.begin(id)
      try {
        const begun = openSession(host, agents, sessionOptions)
        const session = begun instanceof Promise ? await begun : begun
        sessions.set(session.id, session)
        if (isClosed) await session.detach()
        checkOpen()
        return session
      } finally {
        opening.end(id)
      }
    },
    async endSession(id, reason) {
      checkOpen()
      opening.begin(id)
      try {
        return await endKept(host, agents, { id, reason })
      } finally {
        opening.end(id)
      }
    },
    session: (id) => sessions.get(id),
    tablesWith: (next, tableOptions) =>
      agents.tablesWith([...plugins.hooks, ...next], tableOptions),
    swapHooks(next, tableOptions) {
      agents.swapHooks([...plugins.hooks, ...next], tableOptions)
      // Every hook starts with a clean slate.
      engine.swap(emptyTable)
    },
    subscribe: (subscribeOptions) => host.bus.subscribe(subscribeOptions),
    callModel: (context, request) => callModelFor(host, context, request),
    callTool: (context, call) => callToolFor(host, context, call),
    titleSession: (context, title) => titleSession(host, context, title),
    keepsTitles: keepsTitles(host),
    async priceOf(model) {
      try {
        return (await host.parts.models.resolve(model)).price
      } catch {
        // Whoever calls it will be told why there is none.
        return undefined
      }
    },
    alarm: host.parts.alarm,
    judgeTask: (task) => judgeTask(host, agents, task),
    drain,
    close() {
      isClosed = true
      closed ??= endAll(parts)
      return closed
    },
  }
  const pluginHost = pluginHostOf(runtime, parts)
  return runtime
}

/** Has nobody open a session that is open, or that another one opens. */
class Openings {
  readonly #parts: RuntimeParts
  readonly #ids = new Set<string>()

  constructor(parts: RuntimeParts) {
    this.#parts = parts
  }

  /** Without an id it is a new one, which nobody else can mean. */
  begin(id: string | undefined): void {
    if (id === undefined) return
    if (this.#isOpen(id)) {
      const message = `Session "${id}" is open already.`
      throw new AgentError('session-exists', message)
    }
    this.#ids.add(id)
  }

  end(id: string | undefined): void {
    if (id !== undefined) this.#ids.delete(id)
  }

  #isOpen(id: string): boolean {
    const { sessions, host } = this.#parts
    const isTask = [...host.delegations].some(
      ({ session }) => session.id === id,
    )
    return sessions.has(id) || this.#ids.has(id) || isTask
  }
}

function pluginHostOf(
  runtime: Runtime,
  { clock, agents, host }: RuntimeParts,
): PluginHost {
  return {
    runtime,
    clock,
    hasBackground: host.background !== undefined,
    rebuild() {
      const rebuilt = agents.rebuild()
      host.track(rebuilt)
      return rebuilt
    },
    alarm: host.parts.alarm,
  }
}
