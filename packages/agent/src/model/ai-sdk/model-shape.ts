/**
 * A language model of the AI SDK, as far as it is used here. Models of any
 * package that implements specification v3 or v4 have this shape.
 */
export interface AiSdkModel {
  readonly specificationVersion: SpecificationVersion
  readonly provider: string
  readonly modelId: string
  doStream(options: AiSdkCallOptions): PromiseLike<AiSdkStreamResult>
}

export type SpecificationVersion = 'v3' | 'v4'

/** Wider than what the two specifications ask for, so that both fit. */
export interface AiSdkCallOptions {
  readonly prompt: readonly unknown[]
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly stopSequences?: readonly string[]
  readonly tools?: readonly unknown[]
  readonly toolChoice?: unknown
  readonly responseFormat?: unknown
  readonly reasoning?: string
  readonly providerOptions?: unknown
  readonly abortSignal?: AbortSignal
}

export interface AiSdkStreamResult {
  readonly stream: AiSdkStream
}

/** What is read of a `ReadableStream`. */
interface AiSdkStream {
  getReader(): AiSdkReader
}

export interface AiSdkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
  cancel(reason?: unknown): Promise<void>
}
