import { type FailureCode, HookError } from './error.ts'
import type { PlannedHook } from './table.ts'

/** What went wrong, in our own words: nothing that the hook or its input said. */
export function describeFailure(
  code: FailureCode,
  planned: PlannedHook,
  cause: unknown,
): HookError<FailureCode> {
  const { name: hook } = planned
  // The engine's own refusals, thrown through the hook, keep their name.
  if (cause instanceof HookError && isPassedOn(cause.code)) {
    return new HookError(cause.code, cause.message, { hook, cause })
  }
  return new HookError(code, sentence(code, planned, cause), { hook, cause })
}

function isPassedOn(code: string): code is 'recursion' | 'self-wait' {
  return code === 'recursion' || code === 'self-wait'
}

function sentence(
  code: FailureCode,
  { name, timeoutMs }: PlannedHook,
  cause: unknown,
): string {
  switch (code) {
    case 'threw':
      return `Hook "${name}" threw ${nameOf(cause)}.`
    case 'matcher-threw':
      return `The matcher of hook "${name}" threw ${nameOf(cause)}.`
    case 'timed-out':
      return `Hook "${name}" did not answer in time (its own limit is ${timeoutMs} ms).`
    case 'needs-failed':
      return `Hook "${name}" needs a hook that did not complete.`
    case 'quarantined':
      return `Hook "${name}" keeps failing and is not run for a while.`
    default:
      return `Hook "${name}" failed (${code}).`
  }
}

/** A thrown thing can be anything; even asking for its name may throw. */
function nameOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) {
      const name = String(thrown.name)
      return /^\w{1,64}$/.test(name) ? name : 'Error'
    }
    return thrown === null ? 'null' : typeof thrown
  } catch {
    return 'something unreadable'
  }
}
