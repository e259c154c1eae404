import type { IncomingMessage, ServerResponse } from 'node:http'
import { keyHeader, versionHeader } from '../protocol/http-input.ts'
import { commonHeaders } from './reply.ts'

const allowedHeaders = [
  'authorization',
  'content-type',
  'last-event-id',
  keyHeader,
  versionHeader,
].join(', ')

/** For pages that may read answers; for all others there is nothing. */
export function corsHeaders(
  { headers }: IncomingMessage,
  origins: ReadonlySet<string>,
): Record<string, string> {
  const { origin } = headers
  if (origin === undefined || !origins.has(origin)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': `retry-after, ${versionHeader}`,
  }
}

/** The methods of a path, as a header says them. */
export function allowOf(methods: readonly string[]): string {
  const all = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  return [...all, 'OPTIONS'].join(', ')
}

/** Answers OPTIONS, which is how browsers ask whether a page may ask. */
export function sendOptions(
  response: ServerResponse,
  methods: readonly string[],
  cors: Readonly<Record<string, string>>,
): void {
  const allow = allowOf(methods)
  const isCors = 'access-control-allow-origin' in cors
  response.writeHead(204, {
    ...commonHeaders,
    ...cors,
    allow,
    ...(isCors
      ? {
          'access-control-allow-methods': allow,
          'access-control-allow-headers': allowedHeaders,
          'access-control-max-age': '600',
        }
      : {}),
  })
  response.end()
}
