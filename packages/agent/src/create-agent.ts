import type { AgentConfig, UserContent } from 'hookline/lifecycle'
import { createModelRegistry } from './model/registry.ts'
import type { Model, ModelRegistry } from './ports/model.ts'
import { configKeys } from './runtime/check-config.ts'
import { createRuntime } from './runtime/create-runtime.ts'
import { type AgentTurn, DeferredTurn } from './runtime/deferred-turn.ts'
import type { RuntimeOptions } from './runtime/options.ts'
import type { Runtime, SessionOptions } from './runtime/runtime.ts'
import type { Session } from './runtime/session.ts'
import type { SendOptions } from './runtime/start-turn.ts'

/** One agent, and all that a runtime can be told. */
export interface AgentSpec
  extends Partial<
      Omit<
        AgentConfig,
        'model' | 'tools' | 'plugins' | 'parent' | 'isEphemeral'
      >
    >,
    RuntimeOptions {
  /** A model, or the name of one: `anthropic/…`, `openai/…`. */
  readonly model: Model | string
}

/** An agent by itself, for programs that need no more than one. */
export interface Agent {
  /** Says something in the agent's own session. */
  run<Value = unknown>(
    input: string | UserContent,
    options?: SendOptions<Value>,
  ): AgentTurn<Value>
  /** A further session with the same agent. */
  openSession(options?: Omit<SessionOptions, 'agent'>): Promise<Session>
  readonly runtime: Runtime
  close(): Promise<void>
}

const givenModel = 'given/model'

/** Makes an agent; it is built and registered when it is first used. */
export function createAgent(spec: AgentSpec): Agent {
  const { model, models, ...given } = spec
  // Here tools and plugins are such, and not what a config says of them.
  const isConfig = ([key]: [string, unknown]) =>
    key !== 'tools' && key !== 'plugins' && configKeys.has(key)
  const entries = Object.entries(given)
  const own = Object.fromEntries(entries.filter(isConfig))
  // The rest is the runtime's; what was not given is left to it.
  const rest = Object.fromEntries(
    entries.filter((one) => !isConfig(one) && one[1] !== undefined),
  )
  const runtime = createRuntime({
    ...(rest as RuntimeOptions),
    models:
      typeof model === 'object'
        ? withModel(model, models)
        : (models ?? createModelRegistry()),
  })
  const config: AgentConfig = {
    name: 'agent',
    instructions: '',
    ...own,
    model: typeof model === 'string' ? model : givenModel,
  }
  const { name } = config
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
