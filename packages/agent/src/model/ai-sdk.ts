import type { ModelAbilities } from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import type { Model, ModelPrice } from '../ports/model.ts'
import { type CallDefaults, callOptions } from './ai-sdk/call-options.ts'
import { failureOf } from './ai-sdk/failure.ts'
import type {
  AiSdkCallOptions,
  AiSdkModel,
  AiSdkStreamResult,
} from './ai-sdk/model-shape.ts'
import type { ProviderMetadata } from './ai-sdk/provider-data.ts'
import { readResponse } from './ai-sdk/read-response.ts'

export interface AiSdkOptions {
  /** What the model can take; what is not said, it can. */
  readonly abilities?: Partial<ModelAbilities>
  readonly price?: ModelPrice
  /** Under what a request sets itself, for each provider. */
  readonly providerOptions?: ProviderMetadata
  /**
   * Whether a tool result may hold images and files; in chat completions it may
   * not. Otherwise they follow in a message of the user. Default: true.
   */
  readonly mediaInToolResults?: boolean
}

/**
 * Makes a model of any language model of the AI SDK, specification v3 or v4.
 * Addresses of media are handed to the provider, which must be able to fetch
 * them; sources are not kept. `reasoningEffort` needs v4.
 */
export function fromAiSdk(
  model: AiSdkModel,
  options: AiSdkOptions = {},
): Model {
  checkVersion(model)
  const { price, providerOptions, mediaInToolResults = true } = options
  const defaults: CallDefaults = {
    version: model.specificationVersion,
    mediaInToolResults,
    ...(providerOptions && { providerOptions }),
  }
  return {
    abilities: { ...ALL_ABILITIES, ...options.abilities },
    ...(price && { price }),
    async generate(request, { signal, onPart }) {
      if (signal.aborted) throw failureOf(undefined, signal)
      const call = { ...callOptions(request, defaults), abortSignal: signal }
      const { messages } = request
      const reading = { messages, signal, ...(onPart && { onPart }) }
      return readResponse(openStream(model, call), reading)
    },
  }
}

/** Types do not stop a package that is older, or newer, than they are. */
function checkVersion({ specificationVersion, provider }: AiSdkModel): void {
  if (['v3', 'v4'].includes(specificationVersion)) return
  const message = `A model of "${provider}" is not of specification v3 or v4 of the AI SDK; use another version of its package.`
  throw new AgentError('invalid-config', message)
}

/** Asynchronous, so that what is thrown at once is a failure like the others. */
async function openStream(
  model: AiSdkModel,
  call: AiSdkCallOptions,
): Promise<AiSdkStreamResult> {
  return model.doStream(call)
}

const ALL_ABILITIES: ModelAbilities = {
  tools: true,
  images: true,
  files: true,
  reasoning: true,
}
