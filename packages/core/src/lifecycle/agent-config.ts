import type { JsonObject } from './json.ts'
import type { ModelSettings } from './model-call.ts'

/**
 * What an agent is made from. For lists of things it may use, absent means
 * unrestricted and an empty list means nothing.
 */
export interface AgentConfig {
  readonly name: string
  readonly description?: string
  readonly model: string
  readonly instructions: string
  readonly settings?: ModelSettings
  readonly tools?: readonly string[]
  readonly skills?: readonly string[]
  readonly mcpServers?: readonly string[]
  readonly subagents?: readonly string[]
  readonly limits?: AgentLimits
  /** The agent it was made by, and never has more rights than. */
  readonly parent?: string
  /** Gone when its work is. */
  readonly isEphemeral?: boolean
  /** What plugins want to know about the agent, under their names. */
  readonly plugins?: { readonly [plugin: string]: JsonObject }
}

/** Of one turn; a turn that reaches one of them ends `limited`. */
export interface AgentLimits {
  readonly maxSteps?: number
  readonly maxWallMs?: number
  readonly maxTokens?: number
}
