import type { MediaBlock } from './content.ts'
import type { Grant } from './grant.ts'
import type { JsonObject, JsonValue } from './json.ts'

/** The worst that a tool can do. */
export type SafetyClass = 'read_only' | 'mutating' | 'destructive' | 'network'

/** A call on its way through the gates. Only its arguments ever change. */
export interface ToolCall {
  readonly id: string
  readonly tool: string
  /** Who has the tool: a plugin, or the hook that contributed it. */
  readonly owner: string
  readonly args: JsonObject
  readonly safety: SafetyClass
  /** The arguments as the model wrote them, where they were changed since. */
  readonly originalArgs?: JsonObject
}

/** A call under a grant: where and how it may run. */
export interface GrantedCall extends ToolCall {
  readonly grant: Grant
}

/** The call that will run; a change to any part of it breaks the seal. */
export interface SealedCall extends GrantedCall {
  readonly definitionHash: string
  /** SHA-256 over canonical JSON of the call, its moment and its grant. */
  readonly seal: string
}

/** What a call came to. An error is a result too, and says what it is. */
export type ToolResult = ToolSuccess | ToolFailure

export interface ToolSuccess {
  readonly content: readonly MediaBlock[]
  readonly isError: false
  /** The same for programs, where the tool has a schema for its output. */
  readonly data?: JsonValue
}

export interface ToolFailure {
  readonly content: readonly MediaBlock[]
  readonly isError: true
  readonly error: ToolErrorKind
}

/**
 * Who or what failed: the tool itself, or something around it. `denied`: it was
 * not to run. `withheld`: it ran, or its result was given, and that was kept back.
 */
export type ToolErrorKind =
  | 'tool'
  | 'denied'
  | 'withheld'
  | 'dispatch'
  | 'timeout'
  | 'cancelled'
  | 'unknown_outcome'

/** How a call ended; every call with an id ends in exactly one of these. */
export type ToolCallStatus =
  | 'executed'
  | 'synthesized'
  | 'denied'
  | 'cancelled'
  | 'unknown_outcome'

/** A call that has ended. */
export interface EndedCall {
  readonly call: ToolCall
  readonly result: ToolResult
  readonly status: ToolCallStatus
  readonly elapsedMs: number
}
