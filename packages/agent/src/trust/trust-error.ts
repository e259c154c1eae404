/** What can be wrong with the store of trust, or with a call to it. */
export type TrustErrorCode =
  | 'invalid-hash'
  | 'unknown-hash'
  | 'unsafe-store'
  | 'corrupt-store'
  | 'locked-store'
  | 'unwritable-store'

/** `docs/errors.md` explains every code. */
export class TrustError extends Error {
  override readonly name = 'TrustError'
  readonly code: TrustErrorCode

  constructor(code: TrustErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
