import { type } from '../define/define-point.ts'
import { contentLimits, lifecyclePoint } from './lifecycle-point.ts'
import type { ModelRequest, ModelResponse } from './model-call.ts'
import type { ModelError, RetryDecision } from './model-error.ts'

/** One try at one model call. Who caused it is the origin in the scope. */
export interface LlmPreCallInput {
  readonly request: ModelRequest
  /** Counts from 1 in the step. */
  readonly attempt: number
}

/** A response, or the error instead; answers count on a response only. */
export type LlmPostCallInput = ModelReturned | ModelFailed

interface CallEnd extends LlmPreCallInput {
  readonly elapsedMs: number
}

export interface ModelReturned extends CallEnd {
  readonly type: 'response'
  readonly response: ModelResponse
}

export interface ModelFailed extends CallEnd {
  readonly type: 'error'
  readonly response?: undefined
  readonly error: ModelError
}

export interface LlmErrorInput extends LlmPreCallInput {
  readonly error: ModelError
  /** Text was released already, so that nothing can be retried. */
  readonly isReleased: boolean
}

const fields = {
  model: ({ request }: LlmPreCallInput) => request.model,
  attempt: ({ attempt }: LlmPreCallInput) => attempt,
}

/** Once per attempt, before a model is called. */
export const llmPreCall = lifecyclePoint('llm.pre_call', {
  input: type<LlmPreCallInput>(),
  output: type<ModelResponse>(),
  subject: 'request',
  answers: ['transform', 'replace', 'respond', 'reject', 'endTurn'],
  fields,
  limits: contentLimits,
})

/** Judges a reply before its tools run or anything of it is released. */
export const llmPostCall = lifecyclePoint('llm.post_call', {
  input: type<LlmPostCallInput>(),
  order: 'descending',
  subject: 'response',
  answers: ['transform', 'replace', 'reject', 'endTurn'],
  fields: {
    ...fields,
    type: (input) => input.type,
    stopReason: ({ response }) => response?.stopReason,
  },
  limits: contentLimits,
  isStreamed: true,
  conceal: (input) =>
    input.response === undefined
      ? input
      : { ...input, response: { ...input.response, content: [] } },
})

/** Decides what follows a failed attempt; without an answer, giving up. */
export const llmError = lifecyclePoint('llm.error', {
  input: type<LlmErrorInput>(),
  output: type<RetryDecision>(),
  answers: ['respond'],
  fields: {
    ...fields,
    code: ({ error }) => error.code,
    isRetryable: ({ error }) => error.isRetryable,
  },
  limits: contentLimits,
})
