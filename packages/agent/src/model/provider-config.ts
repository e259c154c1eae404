import type { ModelAbilities } from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import type { ModelPrice } from '../ports/model.ts'

export type ProviderKind = 'anthropic' | 'openai' | 'openai-compatible'

/** A provider as data. It names its key, and never holds it. */
export interface ProviderConfig extends ModelFacts {
  readonly kind: ProviderKind
  /** Required for `openai-compatible`. */
  readonly baseUrl?: string
  /** The environment variable with the key; absent: the usual one of the kind. */
  readonly keyEnv?: string
  /** What holds for single models, over what holds for all. */
  readonly models?: { readonly [modelId: string]: ModelFacts }
}

/** What the runtime must know of a model, and no provider tells. */
export interface ModelFacts {
  readonly abilities?: Partial<ModelAbilities>
  readonly price?: ModelPrice
}

const KINDS = ['anthropic', 'openai', 'openai-compatible']
const FIELDS = ['kind', 'baseUrl', 'keyEnv', 'abilities', 'price', 'models']
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/

/** Throws if a configuration cannot work. No value of it is ever repeated. */
export function checkProvider(name: string, config: ProviderConfig): void {
  const refuse = (problem: string) => {
    return new AgentError('invalid-config', `Provider "${name}" ${problem}`)
  }
  const odd = Object.keys(config).find((field) => !FIELDS.includes(field))
  if (odd !== undefined && SECRET.test(odd)) {
    throw refuse(
      `has a field "${odd}", but keys come only from the environment; name the variable in "keyEnv".`,
    )
  }
  if (odd !== undefined) {
    throw refuse(
      `has an unknown field "${odd}"; known are: ${FIELDS.join(', ')}.`,
    )
  }
  if (!KINDS.includes(config.kind)) {
    throw refuse(`is of an unknown kind; known are: ${KINDS.join(', ')}.`)
  }
  if (config.keyEnv !== undefined && !VARIABLE.test(config.keyEnv)) {
    throw refuse('has a "keyEnv" that is no name of a variable.')
  }
  if (config.baseUrl === undefined) {
    if (config.kind !== 'openai-compatible') return
    throw refuse('is openai-compatible and needs a "baseUrl".')
  }
  const problem = addressProblem(config.baseUrl)
  if (problem !== undefined) throw refuse(problem)
}

const SECRET = /key|token|secret|password|header|auth/i

function addressProblem(baseUrl: string): string | undefined {
  const url = URL.parse(baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'has a "baseUrl" that is no http or https address.'
  }
  if (url.username === '' && url.password === '') return undefined
  return 'has a "baseUrl" with a name or a password in it; use "keyEnv".'
}

/** What holds for one model of a provider. */
export function factsOfModel(
  { abilities, price, models = {} }: ProviderConfig,
  modelId: string,
): ModelFacts {
  const own = Object.hasOwn(models, modelId) ? models[modelId] : undefined
  const finalPrice = own?.price ?? price
  return {
    abilities: { ...abilities, ...own?.abilities },
    ...(finalPrice && { price: finalPrice }),
  }
}
