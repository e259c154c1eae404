import {
  createEngine,
  createMemoryRecords,
  createMemoryState,
  emptyTable,
  systemClock,
} from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import { createTimeIds } from '../data/time-ids.ts'
import { EventBus } from '../events/event-bus.ts'
import type { LoopParts } from '../loop/parts.ts'
import { stepLoop } from '../loop/step-loop.ts'
import { Timeouts } from '../loop/timeouts.ts'
import { createToolSet } from '../loop/tool-set.ts'
import { asError } from '../loop/wait.ts'
import { createModelRegistry } from '../model/registry.ts'
import { createPolicy } from '../policy/create-policy.ts'
import { AgentError } from '../ports/agent-error.ts'
import { noPreflight } from '../ports/preflight.ts'
import { createReceipts } from '../seal/receipts.ts'
import { createArgsChecker } from '../tools/args-checker.ts'
import { Agents } from './agents.ts'
import { delegate } from './delegate.ts'
import { EventRecords } from './event-records.ts'
import { callModelFor, callToolFor } from './hook-calls.ts'
import { LazyState } from './lazy-state.ts'
import { lifecycleJudge } from './lifecycle-judge.ts'
import { openSession } from './open-session.ts'
import { checkOptions, type RuntimeOptions } from './options.ts'
import type { Runtime } from './runtime.ts'
import type { Session } from './session.ts'
import type { SessionHost } from './session-host.ts'
import { tellVisibleHooks } from './visible-hooks.ts'

/** Puts the parts together: an engine, agents on it, and their sessions. */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  checkOptions(options)
  const { hooks = [], clock = systemClock, onAlarm = () => {} } = options
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
    preflight: options.preflight ?? noPreflight,
    receipts: createReceipts((about) => onAlarm('no-receipt', about)),
    nextId: options.nextId ?? createTimeIds(clock),
    checkArgs,
    delegate: (turn, task, signal) =>
      delegate(host, agents, turn, task, signal),
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
    delegations: new Set(),
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
  const shared = (options.tools ?? []).map((tool) => ({
    tool,
    owner: 'runtime',
  }))
  const cores = [stepLoop, ...(options.cores ?? [])]
  const agents = new Agents(
    {
      parts,
      tools: createToolSet(shared),
      policy: options.policy ?? createPolicy(),
      cores: new Map(cores.map((core) => [core.type, core])),
      tableOptions: options.table ?? {},
      stateAt: (ids) => new LazyState(state, ids),
      endState: (scope, id) => state.end(scope, id),
      prepareTools: (tools) => checkArgs.prepare(tools),
    },
    hooks,
  )
  tellVisibleHooks(engine, agents, host)

  /** Turns of the agent end, wherever they run. */
  const endTurnsOf = async (name: string) => {
    const why = `Agent "${name}" is leaving.`
    const isOurs = ({ agent }: Session) => agent === name
    const tasks = [...host.delegations].filter(({ session }) => isOurs(session))
    for (const { session } of tasks) session.cancel(why)
    await Promise.all(tasks.map(({ done }) => done))
    const open = [...sessions.values()].filter(isOurs)
    await Promise.all(open.map((session) => session.detach(why)))
  }
  let isClosed = false
  const checkOpen = () => {
    if (!isClosed) return
    throw new AgentError('session-closed', 'The runtime was closed.')
  }
  const opening = new Set<string>()
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
    const left = await Promise.allSettled(
      agents.all.map((agent) => agents.unregister(agent)),
    )
    await drain()
    host.bus.end()
    for (const one of [...ended, ...left]) {
      if (one.status === 'rejected') throw asError(one.reason)
    }
  }

  return {
    engine,
    get agents() {
      return agents.all.map(({ config }) => config)
    },
    tableOf: (name) => agents.get(name).table,
    async register(config, agentOptions) {
      checkOpen()
      const agent = await agents.register(config, agentOptions)
      if (isClosed) await agents.unregister(agent)
      checkOpen()
      return agent.config
    },
    async unregister(name) {
      const agent = agents.get(name)
      agent.isLeaving = true
      await endTurnsOf(name)
      await agents.unregister(agent)
    },
    async openSession(sessionOptions) {
      checkOpen()
      const { id } = sessionOptions
      if (id !== undefined && (sessions.has(id) || opening.has(id))) {
        const message = `Session "${id}" is open already.`
        throw new AgentError('session-exists', message)
      }
      if (id !== undefined) opening.add(id)
      try {
        const session = await openSession(host, agents, sessionOptions)
        sessions.set(session.id, session)
        if (isClosed) await session.detach()
        checkOpen()
        return session
      } finally {
        if (id !== undefined) opening.delete(id)
      }
    },
    session: (id) => sessions.get(id),
    swapHooks(next) {
      agents.swapHooks(next)
      // Every hook starts with a clean slate.
      engine.swap(emptyTable)
    },
    subscribe: (subscribeOptions) => host.bus.subscribe(subscribeOptions),
    callModel: (context, request) => callModelFor(host, context, request),
    callTool: (context, call) => callToolFor(host, context, call),
    drain,
    close() {
      closed ??= close()
      return closed
    },
  }
}
