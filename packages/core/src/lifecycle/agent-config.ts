import type { ContextBudget } from './contributions/merge-context.ts'
import type { SectionBudget } from './contributions/merge-sections.ts'
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
  /** What the system prompt says after the instructions, in this order. */
  readonly fragments?: readonly PromptFragment[]
  readonly settings?: ModelSettings
  readonly tools?: readonly string[]
  readonly skills?: readonly string[]
  readonly mcpServers?: readonly string[]
  readonly subagents?: readonly string[]
  readonly limits?: AgentLimits
  readonly compaction?: CompactionConfig
  readonly budgets?: PromptBudgets
  /** The kind of core that runs its turns; default `loop`. */
  readonly core?: string
  /** The agent it was made by, and never has more rights than. */
  readonly parent?: string
  /** Gone when its work is. */
  readonly isEphemeral?: boolean
  /** What plugins want to know about the agent, under their names. */
  readonly plugins?: { readonly [plugin: string]: JsonObject }
}

/** A part of the system prompt that is the agent's own. */
export interface PromptFragment {
  readonly id: string
  /** Who wrote it; absent: the runtime, or the config itself. */
  readonly plugin?: string
  readonly content: string
}

/** Of one turn; one that reaches its limit ends `limited`, but for the last two. */
export interface AgentLimits {
  /** Default 50. */
  readonly maxSteps?: number
  readonly maxToolCalls?: number
  /** Of all model calls together, hooks' and sub-agents' included. */
  readonly maxTokens?: number
  /** The same in the currency of the models' prices. */
  readonly maxCost?: number
  /** Time spent waiting for people does not count. */
  readonly maxWallMs?: number
  /**
   * How deep agents may hand work on to further agents; default 3. What goes
   * deeper is refused, and the turn goes on without it.
   */
  readonly maxDepth?: number
  /**
   * How often hooks may keep it going, and each task that it has handed on;
   * default 3. Then it ends as it would have without them.
   */
  readonly maxContinues?: number
}

/** How much hooks may write into the prompts of an agent. */
export interface PromptBudgets {
  /** At each moment that takes context: as a session begins, in each phase. */
  readonly context?: ContextBudget
  /** In the system prompt of a turn. */
  readonly sections?: SectionBudget
}

/** When a conversation is made shorter. */
export interface CompactionConfig {
  /** What the model can take, where it is not to say so itself. */
  readonly maxTokens?: number
  /** From this share on it is done between turns; default 0.7. */
  readonly softShare?: number
  /** From this share on nothing goes to the model before; default 0.85. */
  readonly hardShare?: number
  /** How many of the newest messages stay as they are; default 6. */
  readonly keepMessages?: number
}
