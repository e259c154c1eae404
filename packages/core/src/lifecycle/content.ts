import type { JsonObject, JsonValue } from './json.ts'

interface Block {
  /** What the provider wants back unread, such as a signature. */
  readonly providerData?: JsonValue
}

export interface TextBlock extends Block {
  readonly type: 'text'
  readonly text: string
}

/** Where the bytes of a medium are: here, or at an address. */
export type MediaSource =
  | { readonly type: 'base64'; readonly data: string }
  | { readonly type: 'url'; readonly url: string }

export interface ImageBlock extends Block {
  readonly type: 'image'
  readonly mediaType: string
  readonly source: MediaSource
}

export interface FileBlock extends Block {
  readonly type: 'file'
  readonly mediaType: string
  readonly source: MediaSource
  readonly name?: string
}

export interface ReasoningBlock extends Block {
  readonly type: 'reasoning'
  readonly text: string
}

/** A call as the model wrote it, before anybody judged it. */
export interface ToolCallBlock extends Block {
  readonly type: 'tool_call'
  readonly id: string
  readonly tool: string
  readonly args: JsonObject
  /** The provider ran it itself, so that no gate of ours saw it. */
  readonly providerExecuted?: boolean
}

/** What the model is told under the id of its call. */
export interface ToolResultBlock extends Block {
  readonly type: 'tool_result'
  readonly callId: string
  readonly tool: string
  readonly content: readonly MediaBlock[]
  readonly isError: boolean
}

export type MediaBlock = TextBlock | ImageBlock | FileBlock

export type ContentBlock =
  | MediaBlock
  | ReasoningBlock
  | ToolCallBlock
  | ToolResultBlock

/** What a user says. */
export type UserContent = readonly MediaBlock[]

/** What a turn answers; the tool calls on the way to it are not part of it. */
export type Reply = readonly (MediaBlock | ReasoningBlock)[]

/** What a model says in one call. */
export type ModelContent = readonly (
  | MediaBlock
  | ReasoningBlock
  | ToolCallBlock
)[]
