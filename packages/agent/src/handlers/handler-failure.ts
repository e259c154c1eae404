/** Why a handler gave no answer. `docs/errors.md` explains every code. */
export type HandlerFailureCode =
  | 'not-started'
  | 'bad-exit'
  | 'timed-out'
  | 'cancelled'
  | 'invalid'
  | 'missing'
  | 'too-large'
  | 'wrong-run'
  | 'overloaded'
  | 'no-sandbox'
  | 'crashed'
  | 'out-of-memory'
  | 'untrusted'
  | 'network'
  | 'status'
  | 'redirect'
  | 'blocked-address'
  | 'tls'
  | 'signature'
  | 'unknown-outcome'
  | 'circuit-open'
  | 'model'
  | 'budget'

export class HandlerFailure extends Error {
  override readonly name = 'HandlerFailure'
  readonly code: HandlerFailureCode

  constructor(code: HandlerFailureCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
