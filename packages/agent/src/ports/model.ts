import type { MaybePromise } from 'hookline'
import type {
  ModelAbilities,
  ModelRequest,
  ModelResponse,
  TextEvent,
} from 'hookline/lifecycle'

/** A model that can be called: a provider's, a local one, or a script. */
export interface Model {
  readonly abilities: ModelAbilities
  /** Needed where an agent has a limit on cost. */
  readonly price?: ModelPrice
  /**
   * Makes one call. Throws a `ModelFailure` where it knows why it failed; any
   * other error counts as `unknown`.
   */
  generate(
    request: ModelRequest,
    options: GenerateOptions,
  ): MaybePromise<ModelResponse>
}

export interface GenerateOptions {
  /** Aborted when nobody waits for the reply any more. */
  readonly signal: AbortSignal
  /**
   * Takes the text as it comes, bracketed; absent when nobody would see it.
   * A promise asks the model to wait. What counts is the response returned.
   */
  readonly onPart?: (part: TextEvent) => void | Promise<void>
}

/** In any currency, for a million tokens each. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  /** Default: as input. */
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** Finds the model that a name stands for; throws an `AgentError` if none. */
export interface ModelRegistry {
  resolve(name: string): MaybePromise<Model>
}
