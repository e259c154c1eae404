export type WorkspaceErrorCode =
  | 'invalid-config'
  | 'invalid-key'
  | 'missing-variable'
  | 'unsafe-home'

/** What files say cannot be used, or what they name is not there. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError'
  readonly code: WorkspaceErrorCode

  constructor(code: WorkspaceErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
