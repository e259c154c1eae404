import type { ModelContent } from './content.ts'
import type { JsonObject } from './json.ts'
import type { Message } from './message.ts'
import type { ToolDeclaration } from './tool-definition.ts'

/** Everything a provider is asked with. */
export interface ModelRequest {
  /** Resolved anew when a hook changes it. */
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDeclaration[]
  readonly settings: ModelSettings
}

/** Absent means the provider's default. */
export interface ModelSettings {
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly stopSequences?: readonly string[]
  readonly toolChoice?: ToolChoice
  readonly reasoningEffort?: 'none' | 'low' | 'medium' | 'high'
  /** The reply is to be a JSON value of this schema, and nothing else. */
  readonly responseSchema?: JsonObject
  /** Settings of one provider, under its name. */
  readonly providerOptions?: { readonly [provider: string]: JsonObject }
}

export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { readonly tool: string }

/** What the model can take; it decides which tools and blocks are offered. */
export interface ModelAbilities {
  readonly tools: boolean
  readonly images: boolean
  readonly files: boolean
  readonly reasoning: boolean
  readonly contextTokens?: number
}

export interface ModelResponse {
  readonly content: ModelContent
  readonly stopReason: StopReason
  readonly usage: Usage
}

export type StopReason =
  | 'end_turn'
  | 'tool_calls'
  | 'max_tokens'
  | 'stop_sequence'
  | 'refusal'
  | 'other'

/** Tokens; input includes what came from a cache, output what was reasoned. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
}
