/** What can be wrong with a store. `docs/errors.md` explains every code. */
export type StoreErrorCode =
  /** A statement did not change what it was to change: somebody was faster. */
  | 'conflict'
  /** There is such a row already. */
  | 'exists'
  /** The disk is full. */
  | 'full'
  /** There are as many as there may be. */
  | 'too-many'
  /** Somebody else holds the database for too long. */
  | 'busy'
  /** The disk, or the connection, failed; a write may or may not be there. */
  | 'unavailable'
  | 'corrupt'
  /** The database was written by a newer program. */
  | 'newer-schema'
  /** The file is readable by others, or belongs to somebody else. */
  | 'unsafe-file'
  | 'closed'
  | 'invalid-options'
  /** A key is needed to read this, and it is not there or does not fit. */
  | 'wrong-key'
  | 'missing-package'
  /** The program's own mistake: SQL or a value that the engine refuses. */
  | 'invalid-statement'

/** The one error of stores and queues. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
