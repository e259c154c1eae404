import {
  createEngine,
  createMemoryRecords,
  createMemoryState,
  emptyTable,
  systemClock,
} from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import { asError } from '../data/as-error.ts'
import { createTimeIds } from '../data/time-ids.ts'
import { EventBus } from '../events/event-bus.ts'
import type { LoopParts } from '../loop/parts.ts'
import { stepLoop } from '../loop/step-loop.ts'
import { Timeouts } from '../loop/timeouts.ts'
import { createToolSet } from '../loop/tool-set.ts'
import { createModelRegistry } from '../model/registry.ts'
import { createPolicy } from '../policy/create-policy.ts'
import { AgentError } from '../ports/agent-error.ts'
import { renderEnvironment } from '../prompt/environment.ts'
import { localPreflight } from '../prompt/local-preflight.ts'
import { createReceipts } from '../seal/receipts.ts'
import { createArgsChecker } from '../tools/args-checker.ts'
import { Agents } from './agents.ts'
import { delegate } from './delegate.ts'
import { EventRecords } from './event-records.ts'
import { handOn } from './hand-on.ts'
import { callModelFor, callToolFor } from './hook-calls.ts'
import { judgeTask } from './judge-task.ts'
import { LazyState } from './lazy-state.ts'
import { lifecycleJudge } from './lifecycle-judge.ts'
import { thisMachine } from './machine.ts'
import { openSession } from './open-session.ts'
import { checkOptions, type RuntimeOptions } from './options.ts'
import type { PluginHost } from './plugin.ts'
import { Plugins } from './plugins.ts'
import type { Runtime } from './runtime.ts'
import type { Session } from './session.ts'
import type { SessionHost } from './session-host.ts'
import { keepsTitles, titleSession } from './title-session.ts'
import { tellVisibleHooks } from './visible-hooks.ts'

/** Puts the parts together: an engine, agents on it, and their sessions. */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  checkOptions(options)
  const { hooks = [], clock = systemClock, onAlarm = () => {} } = options
  const plugins = new Plugins(
    options.plugins ?? [],
    () => options.environment ?? renderEnvironment(thisMachine()),
    clock,
  )
  const state = options.state ?? createMemoryState()
  const collect = options.collect ?? (() => {})
  const records = new EventRecords(
    options.engine?.records ?? createMemoryRecords(),
  )
  const engine = createEngine(emptyTable, {
    judge: lifecycleJudge,
    ...options.engine,
    clock,
    records,
    state: state.at({}),
    collect: (all, scope) => {
      // Hooks of an agent's life are given its scope.
      for (const one of all) collect(one, scope as AgentScope)
    },
  })
  const checkArgs = createArgsChecker()
  const parts: LoopParts = {
    engine,
    clock,
    timeouts: new Timeouts(clock),
    models: options.models ?? createModelRegistry(),
    store: options.store,
    approvals: options.approvals,
    preflight: options.preflight ?? localPreflight,
    receipts: createReceipts((about) => onAlarm('no-receipt', about)),
    nextId: options.nextId ?? createTimeIds(clock),
    checkArgs,
    isTool: (name) => agents.hasTool(name),
    delegate: (turn, task, signal) =>
      delegate(host, agents, turn, task, signal),
    handOn: (turn, task) => handOn(host, agents, turn, task),
    collect,
    alarm: onAlarm,
    toolConcurrency: options.toolConcurrency ?? 8,
    graceMs: options.graceMs ?? 5_000,
  }
  const sessions = new Map<string, Session>()
  const work = new Set<Promise<unknown>>()
  const host: SessionHost = {
    parts,
    bus: new EventBus(),
    stateAt: (ids) => new LazyState(state, ids),
    endState: (scope, id) => state.end(scope, id),
    turns: new Map(),
    endings: new Map(),
    delegations: new Set(),
    background: options.background,
    track(promise) {
      const settled = promise
        .catch(() => {})
        .finally(() => work.delete(settled))
      work.add(settled)
    },
    flushEvents: (turnId) =>
      host.track(engine.drain().then(() => records.flush(turnId))),
    forget: (id) => void sessions.delete(id),
  }
  const owned = (options.tools ?? []).map((tool) => ({
    tool,
    owner: 'runtime',
  }))
  const cores = [stepLoop, ...(options.cores ?? [])]
  const agents = new Agents(
    {
      parts,
      tools: createToolSet([...owned, ...plugins.tools]),
      policy: options.policy ?? createPolicy(),
      cores: new Map(cores.map((core) => [core.type, core])),
      plugins,
      tableOptions: options.table ?? {},
      stateAt: (ids) => new LazyState(state, ids),
      endState: (scope, id) => state.end(scope, id),
      prepareTools: (tools) => checkArgs.prepare(tools),
      track: (promise) => host.track(promise),
    },
    [...plugins.hooks, ...hooks],
  )
  tellVisibleHooks(engine, agents, host)

  const workOf = (name: string) => {
    const isOurs = ({ agent }: Session) => agent === name
    return {
      tasks: [...host.delegations].filter(({ session }) => isOurs(session)),
      open: [...sessions.values()].filter(isOurs),
    }
  }
  /** Turns of the agent end, wherever they run. */
  const endTurnsOf = async (name: string) => {
    const why = `Agent "${name}" is leaving.`
    const { tasks } = workOf(name)
    for (const { session } of tasks) session.cancel(why)
    await Promise.all(tasks.map(({ done }) => done))
    const { open } = workOf(name)
    await Promise.all(open.map((session) => session.detach(why)))
  }
  /** Turns of the agent have ended by themselves. */
  const awaitTurnsOf = async (name: string) => {
    const { tasks, open } = workOf(name)
    await Promise.all(tasks.map(({ done }) => done))
    await Promise.all(open.map((session) => session.idle()))
  }
  let isClosed = false
  const checkOpen = () => {
    if (!isClosed) return
    throw new AgentError('session-closed', 'The runtime was closed.')
  }
  const opening = new Set<string>()
  const isOpen = (id: string) =>
    sessions.has(id) ||
    opening.has(id) ||
    [...host.delegations].some(({ session }) => session.id === id)
  const drain = async () => {
    while (work.size > 0) await Promise.all(work)
    await engine.drain()
  }
  let closed: Promise<void> | undefined
  /** All of it is let go of, whatever fails; then what failed first is told. */
  const close = async () => {
    isClosed = true
    // What is kept can go on later; what is not ends here.
    const end = (one: Session) =>
      options.store === undefined ? one.close() : one.detach()
    const ended = await Promise.allSettled([...sessions.values()].map(end))
    // What comes after a turn still has its agent.
    await drain()
    const left = await Promise.allSettled(
      agents.all.map((agent) => agents.unregister(agent)),
    )
    await drain()
    const [disposed] = await Promise.allSettled([plugins.dispose()])
    host.bus.end()
    for (const one of [...ended, ...left, disposed]) {
      if (one.status === 'rejected') throw asError(one.reason)
    }
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
      if (waits) await awaitTurnsOf(name)
      await endTurnsOf(name)
      await agents.unregister(agent)
    },
    async openSession(sessionOptions) {
      checkOpen()
      const { id } = sessionOptions
      if (id !== undefined && isOpen(id)) {
        const message = `Session "${id}" is open already.`
        throw new AgentError('session-exists', message)
      }
      if (id !== undefined) opening.add(id)
      try {
        const begun = openSession(host, agents, sessionOptions)
        const session = begun instanceof Promise ? await begun : begun
        sessions.set(session.id, session)
        if (isClosed) await session.detach()
        checkOpen()
        return session
      } finally {
        if (id !== undefined) opening.delete(id)
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
        return (await parts.models.resolve(model)).price
      } catch {
        // Whoever calls it will be told why there is none.
        return undefined
      }
    },
    alarm: onAlarm,
    judgeTask: (task) => judgeTask(host, agents, task),
    drain,
    close() {
      closed ??= close()
      return closed
    },
  }
  const pluginHost: PluginHost = {
    runtime,
    clock,
    hasBackground: options.background !== undefined,
    rebuild() {
      const rebuilt = agents.rebuild()
      host.track(rebuilt)
      return rebuilt
    },
    alarm: onAlarm,
  }
  return runtime
}
