import type { MaybePromise } from 'hookline'
import { AgentError } from '../ports/agent-error.ts'
import type { Model } from '../ports/model.ts'
import { fromAiSdk } from './ai-sdk.ts'
import {
  checkProvider,
  factsOfModel,
  type ProviderConfig,
} from './provider-config.ts'
import { type AiSdkProvider, drivers } from './providers.ts'

/**
 * A provider as data, one of the AI SDK, or whatever makes models. Models of
 * the AI SDK that are to have a price need a function with `fromAiSdk`.
 */
export type ProviderSource = ProviderConfig | AiSdkProvider | ModelFactory

export type ModelFactory = (modelId: string) => MaybePromise<Model>

export interface Environment {
  readonly [variable: string]: string | undefined
}

/** What makes the models of one provider; throws if nothing can. */
export function modelFactory(
  name: string,
  source: ProviderSource,
  env: Environment,
): ModelFactory {
  if (!isSource(source)) {
    const message = `Provider "${name}" is neither a configuration, a provider of the AI SDK, nor a function.`
    throw new AgentError('invalid-config', message)
  }
  // First, as the providers of the AI SDK are functions too.
  if ('languageModel' in source) {
    return (modelId) => fromAiSdk(source.languageModel(modelId))
  }
  if (typeof source === 'function') return source
  checkProvider(name, source)
  return createFactory(name, source, env)
}

/** Configurations come from files, which no type has checked. */
function isSource(value: unknown): boolean {
  if (typeof value === 'function') return true
  return typeof value === 'object' && value !== null
}

function createFactory(
  name: string,
  config: ProviderConfig,
  env: Environment,
): ModelFactory {
  const driver = drivers[config.kind]
  return async (modelId) => {
    const key = keyOf(name, config.keyEnv ?? driver.keyEnv, env)
    const gateway = env[driver.baseUrlEnv ?? '']
    const provider = await driver.connect({
      name,
      baseUrl: config.baseUrl ?? (gateway || driver.baseUrl),
      ...(key !== undefined && { key }),
    })
    const facts = factsOfModel(config, modelId)
    const model = provider.languageModel(modelId)
    return fromAiSdk(model, { ...driver.modelOptions, ...facts })
  }
}

function keyOf(
  provider: string,
  variable: string | undefined,
  env: Environment,
): string | undefined {
  if (variable === undefined) return undefined
  const key = env[variable]?.trim()
  if (key) return key
  const message = `Provider "${provider}" needs a key; set the variable "${variable}".`
  throw new AgentError('missing-key', message)
}
