import type { ModelError, ModelErrorCode } from 'hookline/lifecycle'
import { ModelFailure } from '../../ports/model-failure.ts'
import { codeOf } from './error-code.ts'
import { type ErrorFacts, factsOf } from './error-facts.ts'
import { failureMessage } from './failure-message.ts'
import { retryAfterMs } from './retry-after.ts'

/**
 * What a failed call is thrown as. Where the caller itself has given up, it
 * gets back its own reason, unless that is a deadline.
 */
export function failureOf(thrown: unknown, signal?: AbortSignal): Error {
  if (signal?.aborted) return abortOf(signal)
  if (thrown instanceof ModelFailure) return thrown
  const facts = factsOf(thrown)
  const code = codeOf(facts)
  return new ModelFailure(errorOf(code, facts), causeOf(thrown))
}

function abortOf({ reason }: AbortSignal): Error {
  const isDeadline = reason instanceof Error && reason.name === 'TimeoutError'
  if (isDeadline) {
    const message = 'The model did not answer before its deadline.'
    return new ModelFailure(
      { code: 'timeout', message, isRetryable: true },
      reason,
    )
  }
  // A reason can be anything; it is the caller's to know it again.
  return reason as Error
}

/** The stream ended, and nobody said that the response had. */
export function cutFailure(): ModelFailure {
  const message = 'The stream was cut before the response was complete.'
  return new ModelFailure({ code: 'unavailable', message, isRetryable: true })
}

/** The provider ended the response by an error that it did not name. */
export function finishFailure(): ModelFailure {
  const message = 'The provider ended the response because of an error.'
  return new ModelFailure({ code: 'unavailable', message, isRetryable: true })
}

function errorOf(code: ModelErrorCode, facts: ErrorFacts): ModelError {
  const { status, kind, headers, isRetryable = false } = facts
  const afterMs = retryAfterMs(headers)
  return {
    code,
    message: failureMessage(code, facts),
    isRetryable:
      code === 'unknown'
        ? isRetryable
        : RETRYABLE.has(code) && !kind.includes('insufficient_quota'),
    ...(afterMs !== undefined && { retryAfterMs: afterMs }),
    ...(status !== undefined && { httpStatus: status }),
  }
}

const RETRYABLE: ReadonlySet<ModelErrorCode> = new Set([
  'rate_limited',
  'overloaded',
  'unavailable',
  'timeout',
])

/** Errors of the AI SDK hold the whole request, so that only theirs is kept. */
function causeOf(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null) return undefined
  if (!('requestBodyValues' in thrown)) return thrown
  return 'cause' in thrown ? thrown.cause : undefined
}
