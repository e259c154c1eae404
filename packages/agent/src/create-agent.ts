import type { AgentConfig, UserContent } from 'hookline/lifecycle'
import type { Model } from './ports/model.ts'
import { createRuntime } from './runtime/create-runtime.ts'
import { type AgentTurn, DeferredTurn } from './runtime/deferred-turn.ts'
import type { RuntimeOptions } from './runtime/options.ts'
import type { Runtime, SessionOptions } from './runtime/runtime.ts'
import type { Session } from './runtime/session.ts'
import type { SendOptions } from './runtime/start-turn.ts'

/** One agent, and all that a runtime can be told. */
export interface AgentSpec
  extends Partial<Omit<AgentConfig, 'model' | 'tools'>>,
    Omit<RuntimeOptions, 'models'> {
  /** A model, or the name of one: `anthropic/…`, `openai/…`. */
  readonly model: Model | string
}

/** An agent by itself, for programs that need no more than one. */
export interface Agent {
  /** Says something in the agent's own session. */
  run(input: string | UserContent, options?: SendOptions): AgentTurn
  /** A further session with the same agent. */
  openSession(options?: Omit<SessionOptions, 'agent'>): Promise<Session>
  readonly runtime: Runtime
  close(): Promise<void>
}

const givenModel = 'given/model'

/** Makes an agent; it is built and registered when it is first used. */
export function createAgent(spec: AgentSpec): Agent {
  const {
    model,
    name = 'agent',
    instructions = '',
    hooks,
    table,
    tools,
    policy,
    approvals,
    store,
    preflight,
    cores,
    state,
    clock,
    nextId,
    engine,
    collect,
    onAlarm,
    toolConcurrency,
    graceMs,
    ...rest
  } = spec
  const given = {
    ...{ hooks, table, tools, policy, approvals, store, preflight, cores },
    ...{ state, clock, nextId, engine, collect, onAlarm },
    ...{ toolConcurrency, graceMs },
  }
  const runtime = createRuntime({
    // What was not given is left to the runtime.
    ...(Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as RuntimeOptions),
    ...(typeof model === 'object' && { models: { resolve: () => model } }),
  })
  const config: AgentConfig = {
    ...rest,
    name,
    instructions,
    model: typeof model === 'string' ? model : givenModel,
  }
  let registered: Promise<AgentConfig> | undefined
  let own: Promise<Session> | undefined
  const openSession = async (options: Omit<SessionOptions, 'agent'> = {}) => {
    registered ??= runtime.register(config)
    await registered
    return runtime.openSession({ ...options, agent: name })
  }
  return {
    runtime,
    openSession,
    run(input, options) {
      own ??= openSession()
      return new DeferredTurn(own, input, options)
    },
    close: () => runtime.close(),
  }
}
