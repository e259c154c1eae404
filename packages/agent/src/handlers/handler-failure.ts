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
  | 'broken-off'
  | 'status'
  | 'redirect'
  | 'blocked-address'
  | 'tls'
  | 'signature'
  | 'unknown-outcome'
  | 'circuit-open'
  | 'model'
  | 'budget'

/** Nobody was asked: what was to answer is not there, or may not be reached. */
const unasked: ReadonlySet<HandlerFailureCode> = new Set<HandlerFailureCode>([
  'not-started',
  'overloaded',
  'no-sandbox',
  'untrusted',
  'network',
  'blocked-address',
  'circuit-open',
])

export class HandlerFailure extends Error {
  override readonly name = 'HandlerFailure'
  readonly code: HandlerFailureCode

  constructor(code: HandlerFailureCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }

  /** Whether it never ran, rather than ran and came to nothing. */
  get isUnasked(): boolean {
    return unasked.has(this.code)
  }
}
