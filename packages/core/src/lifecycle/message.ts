import type {
  ModelContent,
  TextBlock,
  ToolResultBlock,
  UserContent,
} from './content.ts'

export interface SystemMessage {
  readonly role: 'system'
  readonly content: readonly TextBlock[]
}

export interface UserMessage {
  readonly role: 'user'
  readonly content: UserContent
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: ModelContent
}

/** The results of one step, in the order of its calls. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly content: readonly ToolResultBlock[]
}

/** One entry of a conversation, in no provider's format. */
export type Message =
  | SystemMessage
  | UserMessage
  | AssistantMessage
  | ToolMessage
