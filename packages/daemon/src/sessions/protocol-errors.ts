import { AgentError, type AgentErrorCode } from '@hookline/agent'
import { StoreError, type StoreErrorCode } from '@hookline/agent/durable'
import { type ErrorCode, ProtocolError } from '../protocol/errors.ts'
import type { Became } from './inbox-messages.ts'

const agentCodes: Partial<Record<AgentErrorCode, ErrorCode>> = {
  'invalid-config': 'bad-request',
  'invalid-input': 'bad-request',
  'invalid-call': 'conflict',
  'unknown-agent': 'not-found',
  'unknown-session': 'not-found',
  'session-closed': 'gone',
  'session-elsewhere': 'conflict',
  'session-exists': 'conflict',
  'input-conflict': 'conflict',
  'missing-tool': 'conflict',
  'session-refused': 'not-allowed',
  'limit-reached': 'too-many',
}

const storeCodes: Partial<Record<StoreErrorCode, ErrorCode>> = {
  'invalid-options': 'bad-request',
  conflict: 'conflict',
  exists: 'conflict',
  busy: 'unavailable',
  unavailable: 'unavailable',
  closed: 'shutting-down',
}

/** What went wrong, as whoever asked knows it. */
function asProtocolError(error: unknown): unknown {
  if (error instanceof AgentError) {
    const code = agentCodes[error.code]
    return code
      ? new ProtocolError(code, error.message, { cause: error })
      : error
  }
  if (error instanceof StoreError) {
    const isInbox = error.code === 'full' && error.message.includes('waiting')
    const code = isInbox
      ? 'too-many'
      : (storeCodes[error.code] ?? 'unavailable')
    return new ProtocolError(code, error.message, { cause: error })
  }
  return error
}

export function stopping(): ProtocolError {
  const message = 'The daemon is stopping and begins nothing more; ask another.'
  return new ProtocolError('shutting-down', message)
}

/** The same for whoever asked through another daemon. */
export function failureOf(error: unknown): Became {
  const told = asProtocolError(error)
  if (told instanceof ProtocolError) {
    const { code, message } = told
    return { type: 'failed', code, message }
  }
  // What it says may hold what nobody should see; the log has it.
  const message = 'The daemon that has the session failed; its log says why.'
  return { type: 'failed', code: 'internal', message }
}

type Operation = (input: never, context: never) => unknown

/** Operations whose errors are told as the protocol knows them. */
export function guarded<T extends Readonly<Record<string, Operation>>>(
  operations: T,
): T {
  const names = Object.keys(operations)
  const entries = names.map((name) => [name, guard(operations[name])])
  // The same names, each with a function of the same type.
  return Object.fromEntries(entries) as T
}

function guard(operation: Operation | undefined): Operation {
  return async (input, context) => {
    try {
      return await operation?.(input, context)
    } catch (error) {
      throw asProtocolError(error)
    }
  }
}
