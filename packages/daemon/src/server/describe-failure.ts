import { randomBytes } from 'node:crypto'
import { ProtocolError } from '../protocol/errors.ts'
import type { ServerLog } from './server-log.ts'

export interface FailurePlace {
  readonly log: ServerLog
  readonly about: { readonly operation?: string; readonly caller?: string }
}

/**
 * What whoever asked is told of a failure. What nobody foresaw stays in the
 * log, under a name that both sides get.
 */
export function describeFailure(
  error: unknown,
  { log, about }: FailurePlace,
): ProtocolError {
  if (error instanceof ProtocolError && error.code !== 'internal') return error
  if (Object(error).name === 'AbortError') {
    return new ProtocolError('gone', 'Whoever asked has gone.')
  }
  const id = randomBytes(6).toString('hex')
  log.error('request-failed', { id, ...about, error })
  const message = `The daemon failed at this; its log says why, under "${id}".`
  return new ProtocolError('internal', message)
}
