import type { ModelError } from 'hookline/lifecycle'
import { cutText } from '../data/cut-text.ts'
import { errorText } from '../data/error-text.ts'
import { isA } from '../data/is-a.ts'

const maxMessagePoints = 1_000

/** A model call that failed, and why. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly error: ModelError

  constructor(error: ModelError, cause?: unknown) {
    super(error.message, { cause })
    this.error = error
  }
}

/** What is known of a failed call; what a model throws can be anything. */
export function modelErrorOf(thrown: unknown): ModelError {
  if (isA(thrown, ModelFailure)) return thrown.error
  const message = cutText(errorText(thrown), maxMessagePoints)
  return { code: 'unknown', message, isRetryable: false }
}
