import {
  type Client,
  type ClientOptions,
  createClient,
} from './protocol/client.ts'
import { ProtocolError } from './protocol/errors.ts'

export type { CallOptions } from './protocol/client.ts'
export type { Reconnect, ReconnectOptions } from './protocol/client-stream.ts'
export type { ErrorCode, InputProblem } from './protocol/errors.ts'
export { protocolVersion } from './protocol/http-input.ts'
export { readNotice } from './protocol/notices.ts'
export type { AnswerOf, InputOf, OutputOf } from './protocol/operations.ts'
export { type OperationName, type Right, routes } from './protocol/routes.ts'
export {
  type JudgedRun,
  outcomeOfRun,
  type RunOutcome,
  runOutcomes,
  runOverlapMs,
} from './protocol/run-outcome.ts'
export { answererWords } from './protocol/words/answerer-words.ts'
export {
  approvalWords,
  type CallEnd,
  endOfCall,
  type ToldEnd,
  verdictWords,
} from './protocol/words/call-words.ts'
export { whyEnded } from './protocol/words/end-words.ts'
export { grantWords } from './protocol/words/grant-words.ts'
export { policyWords } from './protocol/words/policy-words.ts'
export { type Client, type ClientOptions, createClient, ProtocolError }

export interface LocalClientOptions {
  /** The state directory; default: as the environment says. */
  readonly home?: string
  readonly reconnect?: ClientOptions['reconnect']
}

/** A client of the daemon that whoever runs this process has on this machine. */
export async function openLocalClient({
  home,
  reconnect = {},
}: LocalClientOptions = {}): Promise<Client> {
  // What only Node has; in a browser nobody calls this.
  const { findHome } = await import('./server/find-home.ts')
  const found = findHome({ path: home })
  if (found === undefined) {
    const message = 'No daemon has run here yet; start one with "hookline up".'
    throw new ProtocolError('unavailable', message)
  }
  const { socket, token } = found
  return createClient({ socket, token, reconnect })
}
export { canLast } from './protocol/words/asked-by-hooks.ts'
