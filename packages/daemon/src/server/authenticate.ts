import type { IncomingMessage } from 'node:http'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { PreparedOperation } from './prepared-operation.ts'
import type { Tokens } from './principals.ts'

/** Whoever asks what anybody may ask. */
export const anybody: Caller = {
  kind: 'service',
  id: 'anybody',
  rights: new Set(),
}

/** Who asks. Throws unless they have the right that the operation needs. */
export function authenticate(
  { headers }: IncomingMessage,
  { route }: PreparedOperation,
  tokens: Tokens,
): Caller {
  if (route.right === 'anybody') return anybody
  const token = /^Bearer +([\w.~+/=-]{1,500})$/i.exec(
    headers.authorization ?? '',
  )?.[1]
  const caller = token === undefined ? undefined : tokens.callerOf(token)
  if (caller === undefined) {
    const message =
      token === undefined
        ? 'The request has no token; send the header "authorization: Bearer …" with the token that is in the state directory.'
        : 'The token is not, or no longer, one of this daemon; use the token that is in its state directory, or ask for a new one.'
    throw new ProtocolError('no-token', message)
  }
  if (route.right !== 'principal' && !caller.rights.has(route.right)) {
    const message = `This needs the right "${route.right}", which "${caller.id}" does not have; ask whoever runs the daemon for a token with it.`
    throw new ProtocolError('not-allowed', message)
  }
  return caller
}

/** The same question again, for streams, which outlive tokens. */
export function callerNow(
  request: IncomingMessage,
  operation: PreparedOperation,
  tokens: Tokens,
): Caller | undefined {
  try {
    return authenticate(request, operation, tokens)
  } catch {
    return undefined
  }
}
