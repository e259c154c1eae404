import type { MaybePromise } from 'hookline'
import { nearestName } from '../data/nearest-name.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { Model, ModelRegistry } from '../ports/model.ts'
import {
  type Environment,
  type ModelFactory,
  modelFactory,
  type ProviderSource,
} from './model-factory.ts'
import type { ProviderConfig } from './provider-config.ts'

export interface ModelRegistryOptions {
  /** Beside `anthropic` and `openai`, or instead of them. */
  readonly providers?: { readonly [name: string]: ProviderSource }
  /** Models that are at hand, under their whole names. */
  readonly models?: { readonly [name: string]: Model }
  /** Where keys come from. Default: the environment of the process. */
  readonly env?: Environment
}

/**
 * Finds models by names of the form `provider/model-id`, where the id may hold
 * further slashes. A provider's package is loaded when it is first used.
 */
export function createModelRegistry(
  options: ModelRegistryOptions = {},
): ModelRegistry {
  const { models = {}, env = process.env } = options
  const providers = factoriesOf({ ...BUILT_IN, ...options.providers }, env)
  const found = new Map<string, MaybePromise<Model>>(Object.entries(models))
  return {
    resolve(name) {
      const known = found.get(name)
      if (known !== undefined) return known
      const made = makeModel(name, providers)
      found.set(name, made)
      // A key may be set, or a package installed, before it is asked for again.
      made.catch(() => found.delete(name))
      return made
    },
  }
}

const BUILT_IN: Readonly<Record<string, ProviderConfig>> = {
  anthropic: { kind: 'anthropic' },
  openai: { kind: 'openai' },
}

function factoriesOf(
  sources: Readonly<Record<string, ProviderSource>>,
  env: Environment,
): ReadonlyMap<string, ModelFactory> {
  return new Map(
    Object.entries(sources).map(([name, source]) => {
      if (name === '' || name.includes('/')) {
        const message = `A provider is named "${name}"; a name has no slash and is not empty.`
        throw new AgentError('invalid-config', message)
      }
      return [name, modelFactory(name, source, env)]
    }),
  )
}

async function makeModel(
  name: string,
  providers: ReadonlyMap<string, ModelFactory>,
): Promise<Model> {
  const slash = name.indexOf('/')
  const provider = name.slice(0, Math.max(slash, 0))
  const modelId = name.slice(slash + 1)
  if (provider === '' || modelId === '') {
    const message = `No model is named "${name}"; write provider/model-id.`
    throw new AgentError('unknown-model', message)
  }
  const factory = providers.get(provider)
  if (factory !== undefined) return factory(modelId)
  throw unknownProvider(provider, [...providers.keys()])
}

function unknownProvider(name: string, known: readonly string[]): AgentError {
  const nearest = nearestName(name, known)
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  const message = `No provider is named "${name}"; known are: ${known.join(', ')}.${hint}`
  return new AgentError('unknown-provider', message)
}
