/** What can be wrong with a request, and the status it is answered with. */
export const errorStatus = {
  'bad-request': 400,
  'no-token': 401,
  'not-allowed': 403,
  'wrong-host': 403,
  'wrong-origin': 403,
  'not-found': 404,
  'wrong-method': 405,
  'too-slow': 408,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  'wrong-type': 415,
  'unknown-version': 426,
  'too-many': 429,
  internal: 500,
  'shutting-down': 503,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** A request that cannot be done, as both sides know it. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly code: ErrorCode
  /** What is wrong with which input, by its path. */
  readonly problems: readonly InputProblem[] | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & {
      readonly problems?: readonly InputProblem[]
    } = {},
  ) {
    super(message, options)
    this.code = code
    this.problems = options.problems
  }
}

export interface InputProblem {
  readonly path: string
  readonly message: string
}

/** How it is written. */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    readonly problems?: readonly InputProblem[]
  }
}
