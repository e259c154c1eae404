import { StoreError } from '../store-error.ts'

/** The driver is optional: only who uses Postgres installs it. */
export async function loadPg(): Promise<Pick<typeof import('pg'), 'Client'>> {
  try {
    const { default: pg } = await import('pg')
    return pg
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new StoreError(
      'missing-package',
      'Postgres needs the package pg; install it with: npm install pg',
      error,
    )
  }
}

/** The package itself; one that lacks a part of its own is broken. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'pg'`)
}
