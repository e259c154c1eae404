/** What can be wrong with a point, a hook or a table, found before it is used. */
export type LoadCode =
  | 'invalid-point'
  | 'invalid-hook'
  | 'invalid-match'
  | 'duplicate-name'
  | 'dependency-missing'
  | 'dependency-disabled'
  | 'dependency-elsewhere'
  | 'dependency-self'
  | 'dependency-cycle'
  | 'dependency-unwaited'
  | 'gate-before-writer'
  | 'too-many-hooks'

/** Why a hook run gave no valid answer; its failure policy then decides. */
export type FailureCode =
  | 'threw'
  /** What was to answer is not there; a hook that throws this never ran. */
  | 'unavailable'
  | 'timed-out'
  | 'invalid-answer'
  | 'answer-not-allowed'
  | 'contribution-not-allowed'
  | 'missing-capability'
  | 'not-data'
  | 'too-deep'
  | 'too-large'
  | 'matcher-threw'
  | 'needs-failed'
  | 'quarantined'
  | 'recursion'
  | 'self-wait'

/** Why a call to the engine, or to shared state, could not be carried out. */
type CallCode =
  | 'invalid-call'
  | 'required-failed'
  | 'cancelled'
  | 'state-scope'
  | 'state-limit'
  | 'state-reentry'

export type HookErrorCode = LoadCode | FailureCode | CallCode

/** The one error of this package. `docs/errors.md` explains every code. */
export class HookError<
  Code extends HookErrorCode = HookErrorCode,
> extends Error {
  override readonly name = 'HookError'
  readonly code: Code
  /** The hook it is about, where it is about one. */
  readonly hook: string | undefined

  constructor(code: Code, message: string, hook?: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.hook = hook
  }
}

/** An error about one hook: what it did or is, as a sentence. */
export function hookError<Code extends HookErrorCode>(
  code: Code,
  hook: string,
  problem: string,
  cause?: unknown,
): HookError<Code> {
  return new HookError(code, `Hook "${hook}" ${problem}.`, hook, cause)
}

/**
 * A hook failed: said in our own words, nothing of what it or its input said.
 * The engine's own refusals, thrown through a hook, keep their name; so does
 * the one failure that a hook can say of itself.
 */
export function describeFailure(
  code: FailureCode,
  hook: string,
  cause?: unknown,
): HookError<FailureCode> {
  let named = code
  try {
    // Of what a matcher has thrown it is only said that it has.
    const own = code === 'threw' && cause instanceof HookError && cause.code
    if (own === 'recursion' || own === 'self-wait' || own === 'unavailable') {
      named = own
    }
  } catch {
    // A thrown thing can be anything; even to look at it may throw.
  }
  return hookError(named, hook, `failed: ${named}`, cause)
}
