import type { JsonValue } from 'hookline/lifecycle'
import type { ProviderMetadata } from './provider-data.ts'

/**
 * The parts of a stream that are read. Sources, raw chunks, pings, files of
 * the reasoning and custom parts have no place in a response and are passed by.
 */
export type StreamPart =
  | TextPart
  | ToolCallPart
  | ToolResultPart
  | GeneratedFile
  | FinishPart
  | { readonly type: 'error'; readonly error: unknown }

export type TextPart = {
  readonly id: string
  readonly providerMetadata?: ProviderMetadata
} & (
  | { readonly type: 'text-start' | 'text-end' }
  | { readonly type: 'reasoning-start' | 'reasoning-end' }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly delta: string }
)

export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  /** JSON, if the model wrote any. */
  readonly input: string
  readonly providerExecuted?: boolean
  readonly providerMetadata?: ProviderMetadata
}

/** Of a call that the provider ran itself. */
export interface ToolResultPart {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly result: JsonValue
  readonly isError?: boolean
}

export interface GeneratedFile {
  readonly type: 'file'
  readonly mediaType: string
  /** Tagged in v4, bare in v3. */
  readonly data:
    | string
    | Uint8Array
    | { readonly type: 'data'; readonly data: string | Uint8Array }
    | { readonly type: 'url'; readonly url: URL }
  readonly providerMetadata?: ProviderMetadata
}

export interface FinishPart {
  readonly type: 'finish'
  readonly finishReason: FinishReason
  readonly usage: AiSdkUsage
}

export interface FinishReason {
  readonly unified: string
  /** What the provider itself said. */
  readonly raw?: string | undefined
}

export interface AiSdkUsage {
  readonly inputTokens?: {
    readonly total?: number | undefined
    readonly noCache?: number | undefined
    readonly cacheRead?: number | undefined
    readonly cacheWrite?: number | undefined
  }
  readonly outputTokens?: {
    readonly total?: number | undefined
    readonly text?: number | undefined
    readonly reasoning?: number | undefined
  }
}
