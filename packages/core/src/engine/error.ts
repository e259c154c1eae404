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
  | 'enqueue-failed'
  | 'recursion'
  | 'self-wait'

/** Why a call to the engine, or to shared state, could not be carried out. */
export type CallCode =
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

  constructor(
    code: Code,
    message: string,
    about: { hook?: string; cause?: unknown } = {},
  ) {
    super(message, 'cause' in about ? { cause: about.cause } : undefined)
    this.code = code
    this.hook = about.hook
  }
}
