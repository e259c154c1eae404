import type { ModelResponse } from './model-call.ts'

/** Why a model call failed. Nobody needs to match its message. */
export interface ModelError {
  readonly code: ModelErrorCode
  readonly message: string
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean
  /** What the provider asks for, where it says so. */
  readonly retryAfterMs?: number
  readonly httpStatus?: number
}

export type ModelErrorCode =
  | 'rate_limited'
  | 'overloaded'
  | 'unavailable'
  | 'timeout'
  | 'context_too_long'
  | 'invalid_request'
  | 'unauthorized'
  | 'content_filtered'
  | 'unknown'

/** What follows a failed model call. A retry begins at `llm.pre_call`. */
export type RetryDecision =
  | { readonly type: 'retry'; readonly afterMs: number }
  | {
      readonly type: 'switch_model'
      readonly model: string
      readonly afterMs?: number
    }
  | { readonly type: 'give_up' }
  | { readonly type: 'answer'; readonly response: ModelResponse }
