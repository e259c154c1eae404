import { errorText } from './error-text.ts'

/** What was thrown, as an error. */
export function asError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error) return thrown
  } catch {
    // Even to look at it may throw.
  }
  return new Error(errorText(thrown))
}
