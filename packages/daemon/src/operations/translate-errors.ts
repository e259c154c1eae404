import { AgentError, type AgentErrorCode } from '@hookline/agent'
import { TrustError, type TrustErrorCode } from '@hookline/agent/config'
import { StoreError, type StoreErrorCode } from '@hookline/agent/durable'
import type { CallContext } from '../protocol/caller.ts'
import { type ErrorCode, ProtocolError } from '../protocol/errors.ts'
import {
  SwitchError,
  type SwitchErrorCode,
} from '../reload/switches/switch-error.ts'
import type { OperationService } from './operation-service.ts'

type Operation = (input: never, context: CallContext) => unknown

/** The same operations, which fail with errors of the protocol where they can. */
export function translated<Some extends Partial<OperationService>>(
  operations: Some,
): Some {
  const entries = Object.entries(operations).map(([name, operation]) => [
    name,
    translatedOne(operation as Operation), // each has an input of its own
  ])
  return Object.fromEntries(entries) as Some // the same names
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

const ofStore: { readonly [Code in StoreErrorCode]?: ErrorCode } = {
  'invalid-options': 'bad-request',
  conflict: 'conflict',
  exists: 'conflict',
  busy: 'unavailable',
  full: 'unavailable',
  unavailable: 'unavailable',
  closed: 'shutting-down',
}

const ofAgent: { readonly [Code in AgentErrorCode]?: ErrorCode } = {
  'unknown-agent': 'not-found',
  'unknown-session': 'not-found',
  'invalid-config': 'conflict',
}

const ofTrust: { readonly [Code in TrustErrorCode]?: ErrorCode } = {
  'invalid-hash': 'bad-request',
  'unknown-hash': 'conflict',
  'locked-store': 'unavailable',
  'unwritable-store': 'unavailable',
  'unsafe-store': 'unavailable',
  'corrupt-store': 'unavailable',
}

const ofSwitches: { readonly [Code in SwitchErrorCode]: ErrorCode } = {
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
