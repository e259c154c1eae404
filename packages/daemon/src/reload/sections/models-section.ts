import { createModelRegistry, type ProviderConfig } from '@hookline/agent'
import {
  type ConfigSection,
  described,
  flag,
  number,
  object,
  record,
  text,
  word,
} from '@hookline/agent/config'
import { checked, count, modelName, variable } from './parts.ts'
import { trustedLayers } from './trusted-layers.ts'

/** What one file says of models. */
export interface WrittenModels {
  readonly default?: string
  readonly providers?: Readonly<Record<string, ProviderConfig>>
}

type Facts = Pick<ProviderConfig, 'abilities' | 'price'>

const price = number({ min: 0 })

const facts = {
  abilities: object<NonNullable<Facts['abilities']>>(
    {
      tools: flag,
      images: flag,
      files: flag,
      reasoning: flag,
      contextTokens: count,
    },
    [],
  ),
  price: described(
    object<NonNullable<Facts['price']>>(
      { input: price, output: price, cacheRead: price, cacheWrite: price },
      ['input', 'output'],
    ),
    'For a million tokens.',
  ),
}

const provider = object<ProviderConfig>(
  {
    kind: word(['anthropic', 'openai', 'openai-compatible']),
    baseUrl: text({ maxLength: 2_000 }),
    keyEnv: described(variable, 'The variable that holds the key.'),
    ...facts,
    models: described(
      record(object<Facts>(facts, []), {
        keys: /^\S{1,200}$/,
        kind: 'id of a model',
        max: 1_000,
      }),
      'What holds for single models.',
    ),
  },
  ['kind'],
)

const providers = record(provider, {
  keys: /^[^\s/]{1,64}$/,
  kind: 'name of a provider',
  max: 100,
})

export const modelsSection: ConfigSection<WrittenModels> = {
  name: 'models',
  layers: trustedLayers,
  shape: described(
    object<WrittenModels>(
      {
        default: described(
          modelName,
          'Of agents that name none; default: as the environment says.',
        ),
        providers: described(
          checked(providers, (all) => {
            // Whoever makes models of them knows best.
            createModelRegistry({ providers: all, env: {} })
            return undefined
          }),
          'Who has models; keys come from the environment alone.',
        ),
      },
      [],
    ),
    'Where models are, and which one is meant where none is named.',
  ),
}
