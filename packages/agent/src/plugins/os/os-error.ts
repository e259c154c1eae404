/** Something that a tool cannot do, in words for the model. */
export class OsError extends Error {
  override readonly name = 'OsError'
}

/** The code of an error of the system, such as `ENOENT`. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
