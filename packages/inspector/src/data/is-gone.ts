import { ProtocolError } from '@hookline/daemon/client'

/** The daemon has answered, and says that there is nothing of the kind. */
export function isGone(error: Error | null | undefined): boolean {
  return error instanceof ProtocolError && error.code === 'not-found'
}
