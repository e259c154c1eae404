import {
  AgentError,
  createModelRegistry,
  createPolicy,
  type ModelRegistry,
  narrowPolicy,
  type PolicyPort,
} from '@hookline/agent'
import type { CompileRegex } from '@hookline/agent/config'
import { noModel } from './default-model.ts'
import type { Environment } from './places.ts'
import type { ModelSettings, PolicySettings, Settings } from './settings.ts'

interface Parts {
  readonly models: ModelRegistry
  readonly policy: PolicyPort
}

export interface LivePartsOptions {
  readonly env: Environment
  readonly regex: CompileRegex
  /** In place of the configured ones. */
  readonly models: ModelRegistry | undefined
}

/** Parts that are replaced while others use them: each use has the newest. */
export class LiveParts implements Parts {
  readonly models: ModelRegistry
  readonly policy: PolicyPort
  readonly #options: LivePartsOptions
  #current: Parts

  constructor(settings: Settings, options: LivePartsOptions) {
    this.#options = options
    this.#current = this.make(settings)
    this.models = { resolve: (name) => this.#current.models.resolve(name) }
    this.policy = {
      grant: (call, scope) => this.#current.policy.grant(call, scope),
      needsGate: (call, scope) => this.#current.policy.needsGate(call, scope),
    }
  }

  /** Throws where something cannot be made. */
  make({ models, policy }: Settings): Parts {
    const { env, regex, models: given } = this.#options
    return {
      models: given ?? makeModels(models, env),
      policy: makePolicy(policy, regex),
    }
  }

  use(parts: Parts): void {
    this.#current = parts
  }
}

function makeModels(
  { providers }: ModelSettings,
  env: Environment,
): ModelRegistry {
  const known = createModelRegistry({ providers, env })
  return {
    resolve(name) {
      if (name !== noModel) return known.resolve(name)
      const message =
        'No model is configured. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, name one in HOOKLINE_MODEL (as provider/model-id), or write `models: { default: … }` into ~/.config/hookline/hookline.config.yaml. Without a key, HOOKLINE_MODEL=script:<file> plays what the file says.'
      throw new AgentError('unknown-model', message)
    },
  }
}

/** Default: what writes has to be asked for. */
function makePolicy(
  { managed, own }: PolicySettings,
  regex: CompileRegex,
): PolicyPort {
  const match = { regex }
  if (managed === undefined) return createPolicy({ ...own, match })
  const outer = createPolicy({ ...managed, match })
  return own ? narrowPolicy(outer, createPolicy({ ...own, match })) : outer
}
