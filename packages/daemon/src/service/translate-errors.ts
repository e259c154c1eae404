import { AgentError, type AgentErrorCode } from '@hookline/agent'
import { TrustError, type TrustErrorCode } from '@hookline/agent/config'
import { StoreError, type StoreErrorCode } from '@hookline/agent/durable'
import { type ErrorCode, ProtocolError } from '../protocol/errors.ts'
import {
  SwitchError,
  type SwitchErrorCode,
} from '../reload/switches/switch-error.ts'

type Operation = (input: never, context: never) => unknown

/** The same operations, which fail with errors of the protocol where they can. */
export function translated<T extends Readonly<Record<string, Operation>>>(
  operations: T,
): T {
  const entries = Object.entries(operations).map(([name, operation]) => [
    name,
    translatedOne(operation),
  ])
  // The same names, each with a function of the same type.
  return Object.fromEntries(entries) as T
}

function translatedOne(operation: Operation): Operation {
  return async (input, context) => {
    try {
      return await operation(input, context)
    } catch (error) {
      throw translate(error)
    }
  }
}

/** What whoever asked can do something about; the rest is our own mistake. */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = codeOf(error)
  if (code === undefined) return error
  return new ProtocolError(code, error.message, { cause: error })
}

const ofStore: Readonly<Record<StoreErrorCode, ErrorCode | undefined>> = {
  'invalid-options': 'bad-request',
  conflict: 'conflict',
  exists: 'conflict',
  'too-many': 'too-many',
  busy: 'unavailable',
  full: 'unavailable',
  unavailable: 'unavailable',
  corrupt: 'unavailable',
  'newer-schema': 'unavailable',
  'unsafe-file': 'unavailable',
  'wrong-key': 'unavailable',
  'missing-package': 'unavailable',
  closed: 'shutting-down',
  'invalid-statement': undefined,
}

const ofAgent: { readonly [Code in AgentErrorCode]?: ErrorCode } = {
  'invalid-config': 'conflict',
  'invalid-input': 'bad-request',
  'invalid-output-schema': 'bad-request',
  'invalid-session-id': 'bad-request',
  'invalid-call': 'conflict',
  'unknown-agent': 'not-found',
  'unknown-session': 'not-found',
  // Only this handle takes no more: the session may be opened again.
  'session-closed': 'conflict',
  'session-ended': 'gone',
  'runtime-closed': 'shutting-down',
  'session-elsewhere': 'conflict',
  'session-exists': 'conflict',
  'session-refused': 'not-allowed',
  'input-conflict': 'conflict',
  'missing-tool': 'conflict',
  'limit-reached': 'too-many',
}

const ofTrust: { readonly [Code in TrustErrorCode]?: ErrorCode } = {
  'invalid-hash': 'bad-request',
  'unknown-hash': 'conflict',
  'locked-store': 'unavailable',
  'unwritable-store': 'unavailable',
  'unsafe-store': 'unavailable',
  'corrupt-store': 'unavailable',
}

const ofSwitches: Readonly<Record<SwitchErrorCode, ErrorCode>> = {
  'unknown-hook': 'not-found',
  'managed-hook': 'not-allowed',
  'needed-hook': 'conflict',
  'invalid-switch': 'bad-request',
  'too-many-switches': 'conflict',
}

function codeOf(error: Error): ErrorCode | undefined {
  if (error instanceof StoreError) return ofStore[error.code]
  if (error instanceof AgentError) return ofAgent[error.code]
  if (error instanceof TrustError) return ofTrust[error.code]
  if (error instanceof SwitchError) return ofSwitches[error.code]
  return undefined
}
