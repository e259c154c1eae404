/** What can be wrong with the state directory, or with a socket in it. */
export type HomeErrorCode =
  | 'unsafe-home'
  | 'unwritable-home'
  | 'corrupt-home'
  | 'unsafe-socket'
  | 'unsafe-listen'
  | 'address-taken'
  | 'already-running'
  | 'locked-home'
  | 'bad-principal'

/** `docs/errors.md` explains every code. */
export class HomeError extends Error {
  override readonly name = 'HomeError'
  readonly code: HomeErrorCode
  /** The process that is in the way, where that is known. */
  readonly pid: number | undefined

  constructor(
    code: HomeErrorCode,
    message: string,
    options: ErrorOptions & { readonly pid?: number | undefined } = {},
  ) {
    super(message, options)
    this.code = code
    this.pid = options.pid
  }
}
