import type { StopReason, Usage } from './model-call.ts'
import type { ToolCallStatus, ToolErrorKind } from './tool-call.ts'

/** How a turn ended; every turn with an id ends in exactly one of these. */
export type TurnStatus =
  | 'succeeded'
  | 'rejected'
  | 'withheld'
  | 'failed'
  | 'cancelled'
  | 'limited'

/** What broke a turn. A reject or a cancellation is not an error. */
export interface TurnError {
  readonly code: string
  readonly message: string
  /** The hook by which it failed; the message does not name it. */
  readonly hook?: string
}

/**
 * A turn in a bounded form, safe to queue and to keep: texts are previews of
 * at most 4 000 code points (an error's 1 000), tools the first 40.
 */
export interface TurnSummary {
  readonly turnId: string
  readonly model: string
  readonly userPreview: string
  readonly replyPreview: string
  readonly errorPreview?: string
  readonly tools: readonly ToolSummary[]
  /** Of all tools, the ones beyond the list included. */
  readonly toolCount: number
  readonly steps: number
  readonly usage: Usage
  /** By the price of its model; absent where that has none. */
  readonly cost?: number
  readonly stopReason?: StopReason
  readonly startedAt: number
  readonly elapsedMs: number
}

export interface ToolSummary {
  readonly callId: string
  readonly tool: string
  readonly status: ToolCallStatus
  readonly error?: ToolErrorKind
  readonly elapsedMs: number
}
