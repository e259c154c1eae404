import { ProtocolError } from '@hookline/daemon/client'

/** What can be meant, where several are; undefined: it is about something else. */
export function choicesIn(error: Error): ProtocolError['problems'] {
  const isConflict = error instanceof ProtocolError && error.code === 'conflict'
  return isConflict ? error.problems : undefined
}
