import type { CompactionTrigger } from './compaction.ts'
import type { Reply, UserContent } from './content.ts'
import type { Notice } from './contributions/notice.ts'
import type { Usage } from './model-call.ts'
import type {
  AnsweredBy,
  PermissionDecision,
  PermissionQuestion,
  UnseenHook,
} from './permission.ts'
import type { PromptManifest } from './prompt-manifest.ts'
import type { Origin } from './scope.ts'
import type { ToolCall, ToolCallStatus, ToolResult } from './tool-call.ts'
import type { TurnError, TurnStatus } from './turn-end.ts'

/** What an agent tells whoever watches, as it happens. */
export type AgentEvent = EventPlace &
  (
    | TurnEvent
    | PromptEvent
    | StepEvent
    | TextEvent
    | ToolEvent
    | PermissionEvent
    | HookEvent
    | CompactionEvent
    | UsageEvent
    | SubagentEvent
    | GapEvent
  )

/** Where it happens. */
export interface EventPlace {
  /** Counts up in the session, its sub-agents included. */
  readonly seq: number
  readonly sessionId: string
  readonly turnId: string
  /** From the outermost agent down to the one that it happens in. */
  readonly path: readonly string[]
  /** The sessions that this one works for, outermost first; absent: none. */
  readonly within?: readonly string[]
}

export type TurnEvent =
  | {
      readonly type: 'turn-start'
      readonly turn: number
      readonly origin: Origin
      /** It goes on where another process has stopped. */
      readonly isResumed?: boolean
    }
  /** What the user says, as it enters the conversation. */
  | {
      readonly type: 'turn-input'
      readonly content: UserContent
      /** It came while the turn was running. */
      readonly isSteering: boolean
    }
  | {
      readonly type: 'turn-end'
      readonly status: TurnStatus
      /** What the turn answers; for what was withheld, that it was. */
      readonly reply: Reply
      /** Why it was refused, withheld or limited. */
      readonly reason?: string
      readonly error?: TurnError
    }

/** The prompt of a turn that is made of several pieces, and who wrote which. */
export interface PromptEvent {
  readonly type: 'prompt'
  readonly manifest: PromptManifest
}

export type StepEvent =
  | { readonly type: 'step-start'; readonly step: number }
  | { readonly type: 'step-end'; readonly step: number }

/** Of the reply as it is released; deltas with one id are one block. */
export type TextEvent =
  | {
      readonly type:
        | 'text-start'
        | 'text-end'
        | 'reasoning-start'
        | 'reasoning-end'
      readonly id: string
    }
  | {
      readonly type: 'text-delta' | 'reasoning-delta'
      readonly id: string
      readonly text: string
    }

/** Ends come as the calls do, which need not be the order of their starts. */
export type ToolEvent =
  | { readonly type: 'tool-start'; readonly call: ToolCall }
  | {
      readonly type: 'tool-delta'
      readonly callId: string
      readonly progress: string
    }
  | {
      readonly type: 'tool-end'
      readonly callId: string
      readonly tool: string
      readonly status: ToolCallStatus
      readonly result: ToolResult
      readonly elapsedMs: number
    }

export type PermissionEvent =
  | {
      readonly type: 'permission-start'
      readonly question: PermissionQuestion
    }
  | {
      readonly type: 'permission-end'
      readonly questionId: string
      readonly decision: PermissionDecision
      readonly by: AnsweredBy | UnseenHook
    }

/** What hooks changed is told of all, the rest only of visible ones. */
export type HookEvent =
  | HookEdit
  | {
      readonly type: 'hook-start'
      readonly hook: string
      readonly point: string
    }
  | {
      readonly type: 'hook-delta'
      readonly hook: string
      readonly point: string
      readonly notice: Notice
    }
  | {
      readonly type: 'hook-end'
      readonly hook: string
      readonly point: string
      /** Absent when it failed, or nobody waited for it. */
      readonly answer?: string
      readonly elapsedMs: number
    }

/** A hook has put something in, changed it, or kept it out. */
export interface HookEdit {
  readonly type: 'hook-inject' | 'hook-replace' | 'hook-withhold'
  readonly hook: string
  readonly point: string
  readonly subject: EditSubject
  /** The call, the context entry or the policy that it is about. */
  readonly id?: string
  /** Why it was kept out. What it was is not said. */
  readonly reason?: string
  /** What was put in, where it is text for the model. */
  readonly text?: string
}

export type EditSubject =
  | 'input'
  /** Which rule it is, never what it says. */
  | 'policy'
  | 'context'
  | 'section'
  | 'tools'
  | 'request'
  | 'response'
  | 'args'
  /** Where and how a call may run; hooks can only narrow it. */
  | 'grant'
  | 'result'
  | 'feedback'
  | 'compaction'
  | 'reply'

export type CompactionEvent =
  | { readonly type: 'compaction-start'; readonly trigger: CompactionTrigger }
  | {
      readonly type: 'compaction-end'
      readonly trigger: CompactionTrigger
      readonly removedCount: number
      /** The hook that did not let it happen; to those who may not see it, words. */
      readonly vetoedBy?: string
    }

/** What one model call has used, beside what came before it. */
export interface UsageEvent {
  readonly type: 'usage-delta'
  readonly model: string
  readonly usage: Usage
}

/** The watcher was too slow: so many were left out. */
export interface GapEvent {
  readonly type: 'gap'
  readonly missed: number
}

/** A child's own events carry its path; these two stand around them. */
export type SubagentEvent =
  | {
      readonly type: 'subagent-start'
      readonly child: string
      readonly task: string
    }
  | {
      readonly type: 'subagent-end'
      readonly child: string
      readonly status: TurnStatus
    }
