import { emptyTable } from 'hookline'
import { AgentError } from '../ports/agent-error.ts'
import { composeParts, type RuntimeParts } from './compose-parts.ts'
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
  const opensOnce = openingOf(parts)
  let isClosed = false
  let closed: Promise<void> | undefined
  const checkOpen = () => {
    if (!isClosed) return
    throw new AgentError('session-closed', 'The runtime was closed.')
  }

  const runtime: Runtime = {
    engine,
    get agents() {
      return agents.all.map(({ config }) => config)
    },
    tableOf: (name) => agents.get(name).table,
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
      checkOpen()
      return await opensOnce(sessionOptions.id, async () => {
        const begun = openSession(host, agents, sessionOptions)
        const session = begun instanceof Promise ? await begun : begun
        sessions.set(session.id, session)
        if (isClosed) await session.detach()
        checkOpen()
        return session
      })
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
function openingOf({ sessions, host }: RuntimeParts) {
  const opening = new Set<string>()
  const isOpen = (id: string) =>
    sessions.has(id) ||
    opening.has(id) ||
    [...host.delegations].some(({ session }) => session.id === id)
  return async <T>(id: string | undefined, open: () => Promise<T>) => {
    if (id === undefined) return await open()
    if (isOpen(id)) {
      const message = `Session "${id}" is open already.`
      throw new AgentError('session-exists', message)
    }
    opening.add(id)
    try {
      return await open()
    } finally {
      opening.delete(id)
    }
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
