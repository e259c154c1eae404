import type { AgentConfig, UserContent } from 'hookline/lifecycle'
import { createModelRegistry } from './model/registry.ts'
import type { Model, ModelRegistry } from './ports/model.ts'
import { createRuntime } from './runtime/create-runtime.ts'
import { type AgentTurn, DeferredTurn } from './runtime/deferred-turn.ts'
import type { RuntimeOptions } from './runtime/options.ts'
import type { Runtime, SessionOptions } from './runtime/runtime.ts'
import type { Session } from './runtime/session.ts'
import type { SendOptions } from './runtime/start-turn.ts'

/** One agent, and all that a runtime can be told. */
export interface AgentSpec
  extends Partial<Omit<AgentConfig, 'model' | 'tools'>>,
    RuntimeOptions {
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
    models,
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
    models:
      typeof model === 'object'
        ? withModel(model, models)
        : (models ?? createModelRegistry()),
  })
  const config: AgentConfig = {
    ...rest,
    name,
    instructions,
    model: typeof model === 'string' ? model : givenModel,
  }
  const register = onceItSucceeds(() => runtime.register(config))
  const openSession = async (options: Omit<SessionOptions, 'agent'> = {}) => {
    await register()
    return runtime.openSession({ ...options, agent: name })
  }
  const openOwn = onceItSucceeds(() => openSession())
  return {
    runtime,
    openSession,
    run(input, options) {
      return new DeferredTurn(openOwn(), input, options)
    },
    close: () => runtime.close(),
  }
}

/** The model that was given, beside those that have names. */
function withModel(model: Model, models?: ModelRegistry): ModelRegistry {
  let others = models
  return {
    resolve(name) {
      if (name === givenModel) return model
      others ??= createModelRegistry()
      return others.resolve(name)
    },
  }
}

/** Does something once; what has failed is tried again when next asked for. */
function onceItSucceeds<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined
      throw error
    })
    return done
  }
}
