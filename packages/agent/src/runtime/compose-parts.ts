import {
  type Clock,
  createEngine,
  createMemoryState,
  type Engine,
  emptyTable,
  type MemoryState,
  systemClock,
} from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import { createTimeIds } from '../data/time-ids.ts'
import { EventBus } from '../events/event-bus.ts'
import type { LoopParts } from '../loop/parts.ts'
import { stepLoop } from '../loop/step-loop.ts'
import { Timeouts } from '../loop/timeouts.ts'
import { createToolSet } from '../loop/tool-set.ts'
import { createModelRegistry } from '../model/registry.ts'
import { createPolicy } from '../policy/create-policy.ts'
import { renderEnvironment } from '../prompt/environment.ts'
import { localPreflight } from '../prompt/local-preflight.ts'
import { createReceipts } from '../seal/receipts.ts'
import { createArgsChecker } from '../tools/args-checker.ts'
import { Agents } from './agents.ts'
import { delegate } from './delegate.ts'
import { EventRecords } from './event-records.ts'
import { handOn } from './hand-on.ts'
import { LazyState } from './lazy-state.ts'
import { lifecycleJudge } from './lifecycle-judge.ts'
import { thisMachine } from './machine.ts'
import type { RuntimeOptions } from './options.ts'
import { Plugins } from './plugins.ts'
import type { Session } from './session.ts'
import type { SessionHost } from './session-host.ts'
import { tellVisibleHooks } from './visible-hooks.ts'

/** What a runtime is made of. */
export interface RuntimeParts {
  readonly clock: Clock
  readonly engine: Engine
  readonly plugins: Plugins
  readonly agents: Agents
  readonly host: SessionHost
  /** Those that are open, by id. */
  readonly sessions: Map<string, Session>
  /** Settles when nothing goes on that nobody waits for. */
  readonly drain: () => Promise<void>
}

/** Makes the parts, each of which knows those that it needs. */
export function composeParts(options: RuntimeOptions): RuntimeParts {
  const { clock = systemClock } = options
  const plugins = new Plugins(
    options.plugins ?? [],
    () => options.environment ?? renderEnvironment(thisMachine()),
    clock,
  )
  const state = options.state ?? createMemoryState()
  const sink = options.engine?.records
  const records = sink && new EventRecords(sink)
  const engine = engineOf(options, { clock, records, state })
  const checkArgs = createArgsChecker()
  const loop = loopParts(options, engine, {
    checkArgs,
    isTool: (name) => agents.hasTool(name),
    delegate: (turn, task, signal) =>
      delegate(host, agents, turn, task, signal),
    handOn: (turn, task) => handOn(host, agents, turn, task),
  })
  const sessions = new Map<string, Session>()
  /** What goes on, and for which session. */
  const work = new Map<Promise<unknown>, string | undefined>()
  const host: SessionHost = {
    parts: loop,
    bus: new EventBus(),
    stateAt: (ids) => new LazyState(state, ids),
    endState: (scope, id) => state.end(scope, id),
    turns: new Map(),
    endings: new Map(),
    delegations: new Set(),
    background: options.background,
    track(promise, sessionId) {
      const settled = promise
        .catch(() => {})
        .finally(() => work.delete(settled))
      work.set(settled, sessionId)
    },
    async settled(sessionId) {
      const own = [...work].filter(([, id]) => id === sessionId)
      await Promise.all(own.map(([one]) => one))
    },
    flushEvents: (turnId) =>
      host.track(engine.drain().then(() => records?.flush(turnId))),
    forget: (id) => void sessions.delete(id),
  }
  const agents = agentsOf(options, host, { plugins, checkArgs })
  tellVisibleHooks(engine, agents, host)
  const drain = async () => {
    while (work.size > 0) await Promise.all(work.keys())
    await engine.drain()
  }
  return { clock, engine, plugins, agents, host, sessions, drain }
}

interface EngineParts {
  readonly clock: Clock
  readonly records: EventRecords | undefined
  readonly state: MemoryState
}

function engineOf(
  { engine, collect }: RuntimeOptions,
  { clock, records, state }: EngineParts,
): Engine {
  return createEngine(emptyTable, {
    judge: lifecycleJudge,
    ...engine,
    clock,
    ...(records && { records }),
    state: state.at({}),
    collect: (all, scope) => {
      // Hooks of an agent's life are given its scope.
      for (const one of all) collect?.(one, scope as AgentScope)
    },
  })
}

/** What agents share, and the ways from a turn to other agents. */
type OfAgents = Pick<LoopParts, 'checkArgs' | 'isTool' | 'delegate' | 'handOn'>

function loopParts(
  options: RuntimeOptions,
  engine: Engine,
  ofAgents: OfAgents,
): LoopParts {
  const { clock = systemClock, onAlarm = () => {} } = options
  return {
    engine,
    clock,
    timeouts: new Timeouts(clock),
    models: options.models ?? createModelRegistry(),
    store: options.store,
    approvals: options.approvals,
    preflight: options.preflight ?? localPreflight,
    receipts: createReceipts((about) => onAlarm('no-receipt', about)),
    nextId: options.nextId ?? createTimeIds(clock),
    checkArgs: ofAgents.checkArgs,
    isTool: ofAgents.isTool,
    delegate: ofAgents.delegate,
    handOn: ofAgents.handOn,
    collect: options.collect ?? (() => {}),
    alarm: onAlarm,
    toolConcurrency: options.toolConcurrency ?? 8,
    graceMs: options.graceMs ?? 5_000,
  }
}

interface AgentsNeeds {
  readonly plugins: Plugins
  readonly checkArgs: ReturnType<typeof createArgsChecker>
}

function agentsOf(
  { tools = [], cores = [], hooks = [], policy, table = {} }: RuntimeOptions,
  { parts, stateAt, endState, track }: SessionHost,
  { plugins, checkArgs }: AgentsNeeds,
): Agents {
  const owned = tools.map((tool) => ({ tool, owner: 'runtime' }))
  const known = [stepLoop, ...cores]
  return new Agents(
    {
      ...{ parts, plugins, stateAt, endState, track, tableOptions: table },
      tools: createToolSet([...owned, ...plugins.tools]),
      policy: policy ?? createPolicy(),
      cores: new Map(known.map((core) => [core.type, core])),
      prepareTools: (all) => checkArgs.prepare(all),
    },
    [...plugins.hooks, ...hooks],
  )
}
