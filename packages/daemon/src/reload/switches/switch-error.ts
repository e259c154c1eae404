export type SwitchErrorCode =
  | 'unknown-hook'
  | 'managed-hook'
  | 'needed-hook'
  | 'invalid-switch'
  | 'too-many-switches'

/** A hook cannot be switched as somebody wants it. */
export class SwitchError extends Error {
  override readonly name = 'SwitchError'
  readonly code: SwitchErrorCode

  constructor(code: SwitchErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** Others could not run without it. */
export function neededHook(name: string, cause: unknown): SwitchError {
  const why = cause instanceof Error ? cause.message : 'unknown'
  const message = `The hook "${name}" cannot be switched so: ${why} Switch those that need it first.`
  return new SwitchError('needed-hook', message, cause)
}
