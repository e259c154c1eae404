import { type ServerResponse, STATUS_CODES } from 'node:http'
import {
  type ErrorBody,
  type ErrorCode,
  errorStatus,
  type ProtocolError,
} from '../protocol/errors.ts'
import { protocolVersion, versionHeader } from '../protocol/http-input.ts'

/** In every answer: nothing of it is kept, guessed at, framed or embedded. */
export const commonHeaders = {
  [versionHeader]: String(protocolVersion),
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  vary: 'origin',
} as const

export interface Reply {
  readonly status?: number
  /** Default: JSON. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

export function sendText(
  response: ServerResponse,
  text: string,
  {
    status = 200,
    type = 'application/json; charset=utf-8',
    headers,
  }: Reply = {},
): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    ...commonHeaders,
    ...headers,
    'content-type': type,
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

export function sendError(
  response: ServerResponse,
  error: ProtocolError,
  { status = errorStatus[error.code], headers }: Reply = {},
): void {
  const added = { ...headersOf(error.code), ...headers }
  sendText(response, errorText(error), { status, headers: added })
}

/** An answer to what the parser could not make a request of. */
export function rawError(error: ProtocolError, reply: Reply = {}): string {
  const { status = errorStatus[error.code] } = reply
  const body = errorText(error)
  const headers = {
    ...commonHeaders,
    ...headersOf(error.code),
    ...reply.headers,
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  }
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const first = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`
  return `${[first, ...lines].join('\r\n')}\r\n\r\n${body}`
}

export function errorText({ code, message, problems }: ProtocolError): string {
  const body: ErrorBody = {
    error: { code, message, ...(problems === undefined ? {} : { problems }) },
  }
  return JSON.stringify(body)
}

function headersOf(code: ErrorCode): Record<string, string> {
  if (code === 'no-token') return { 'www-authenticate': 'Bearer' }
  const isPassing =
    code === 'too-many' || code === 'shutting-down' || code === 'unavailable'
  return isPassing ? { 'retry-after': '1' } : {}
}
