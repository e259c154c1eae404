import { AgentError } from '../../index.ts'
import type { ClientPackage } from './client-package.ts'
import { connectionLost } from './guarded-transport.ts'
import { plainLine } from './plain-text.ts'

/** There is no connection; nothing was asked. The message says why. */
export class Unreachable extends Error {}

/** The connection was lost while a request was on its way. */
export class ConnectionLost extends Error {}

/** The server answers that it will not, or cannot; in words of its own. */
export class ServerRefusal extends Error {}

/**
 * What a failed request means. Words of the server are in a refusal alone;
 * whatever else is told is ours, so that no credential can be in it.
 */
export function failureOf(
  error: unknown,
  { ProtocolError, SdkError }: ClientPackage,
): Error {
  if (error instanceof ProtocolError) {
    if (error.message === connectionLost) {
      return new ConnectionLost('It ended the connection without an answer.')
    }
    return new ServerRefusal(error.message)
  }
  if (error instanceof SdkError && !('status' in error)) {
    return new ConnectionLost('The connection is closed.')
  }
  return new ConnectionLost(reasonOf(error))
}

/** Why there is no connection, in words of our own. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'It cannot be reached.'
  if ('status' in error && typeof error.status === 'number') {
    return httpReason(error.status)
  }
  // Ours say it themselves; those of fetch have the reason inside.
  const isOurs =
    error instanceof Unreachable ||
    error instanceof ConnectionLost ||
    error instanceof AgentError
  if (isOurs) return error.message
  const { cause } = error
  if (cause instanceof Error && 'code' in cause) {
    return `It cannot be reached (${plainLine(cause.code, 40)}).`
  }
  return 'It cannot be reached, or speaks no MCP.'
}

function httpReason(status: number): string {
  if (status === 401 || status === 403) {
    return `It refuses our credentials (HTTP ${status}).`
  }
  if (status === 404) {
    return 'It is not there, or has forgotten us (HTTP 404).'
  }
  return `It answers with HTTP ${status}.`
}
