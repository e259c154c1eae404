import type {
  AgentScope,
  CompactionTrigger,
  JsonObject,
  JsonValue,
  ModelRequest,
  ModelResponse,
  ToolCall,
} from 'hookline/lifecycle'

/**
 * A moment of an agent in the words that other products share. What differs
 * between them is made of it by their dialects.
 */
export type Moment = MomentBase & MomentFacts

interface MomentBase {
  readonly scope: AgentScope
  /** Of the whole conversation; sub-agents have their parent's. */
  readonly sessionId: string
  /** Where the session is. */
  readonly cwd: string
  /** JSON lines; everything that was said before this moment is in it. */
  readonly transcriptPath: string
  /** Of the sub-agent that it happens in; absent at the top. */
  readonly agentId?: string
  /** That has answered last; absent before the first answer. */
  readonly model?: string
}

export type MomentKind = MomentFacts['kind']

export type MomentFacts =
  | {
      readonly kind: 'session-start'
      readonly source: 'startup' | 'resume' | 'compact'
    }
  | { readonly kind: 'session-end'; readonly reason: string }
  | { readonly kind: 'prompt'; readonly prompt: string }
  /** The same before it is judged, while it can be put in other words. */
  | { readonly kind: 'prompt-rewrite'; readonly prompt: string }
  | { readonly kind: 'tool-pre'; readonly call: AliasedCall }
  | { readonly kind: 'permission'; readonly call: AliasedCall }
  /** A call that had to be asked for was denied without anybody's word. */
  | {
      readonly kind: 'permission-denied'
      readonly call: AliasedCall
      readonly reason: string
    }
  /** A person is going to be asked. */
  | {
      readonly kind: 'notification'
      readonly type: 'permission_prompt'
      readonly message: string
      readonly call: AliasedCall
    }
  | {
      readonly kind: 'tool-post'
      readonly call: AliasedCall
      readonly response: JsonValue
      readonly elapsedMs: number
    }
  | {
      readonly kind: 'tool-failure'
      readonly call: AliasedCall
      readonly error: string
      readonly isTimeout: boolean
      readonly elapsedMs: number
    }
  | { readonly kind: 'tool-batch'; readonly calls: readonly EndedAliasedCall[] }
  | {
      readonly kind: 'subagent-start'
      readonly agentId: string
      readonly agentType: string
      readonly task: string
    }
  | {
      readonly kind: 'subagent-stop'
      readonly agentId: string
      readonly agentType: string
      readonly agentTranscriptPath: string
      readonly reply: string
      readonly continuesSoFar: number
    }
  | {
      readonly kind: 'stop'
      readonly reply: string
      readonly continuesSoFar: number
    }
  /** The turn ends with an error; `code` is ours. */
  | {
      readonly kind: 'turn-error'
      readonly code: string
      readonly message: string
    }
  | { readonly kind: 'turn-cancelled' }
  | {
      readonly kind: 'compact-pre'
      readonly trigger: CompactionTrigger
      readonly instructions: string
    }
  | {
      readonly kind: 'compact-post'
      readonly trigger: CompactionTrigger
      readonly summary: string
    }
  | {
      readonly kind: 'model-pre'
      readonly request: ModelRequest
      readonly attempt: number
    }
  | {
      readonly kind: 'model-post'
      readonly request: ModelRequest
      readonly response: ModelResponse
    }

/** A call in Claude Code's vocabulary. */
export interface AliasedCall {
  readonly id: string
  /** Such as `Bash`; a tool without an alias has its own name. */
  readonly name: string
  /** Paths are absolute. */
  readonly input: JsonObject
  /** The call itself, with our names. */
  readonly own: ToolCall
}

interface EndedAliasedCall extends AliasedCall {
  readonly response: JsonValue
}

/** The moment of a kind. */
export type MomentOf<Kind extends MomentKind> = MomentBase &
  Extract<MomentFacts, { kind: Kind }>
