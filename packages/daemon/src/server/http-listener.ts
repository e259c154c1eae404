import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { ProtocolError } from '../protocol/errors.ts'
import type { TcpListen } from './listen-options.ts'
import { rawError, sendError } from './reply.ts'
import type { ServerLimits } from './server-limits.ts'

export type Handle = (exchange: {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly isContinueAwaited: boolean
}) => Promise<void>

const allMethods = { allow: 'GET, HEAD, POST, DELETE, OPTIONS' }

/** A server of Node that holds to our limits and answers whatever comes. */
export function createListener(
  handle: Handle,
  limits: ServerLimits,
  tls?: TcpListen['tls'],
): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkMs,
    insecureHTTPParser: false,
    requireHostHeader: false,
  }
  const server =
    tls === undefined
      ? createServer(options)
      : createTlsServer({
          ...options,
          ...tls,
          minVersion: 'TLSv1.2',
          handshakeTimeout: limits.headersTimeoutMs,
        })
  server.maxConnections = limits.connections
  // Node would leave out the rest, and what it leaves out is not checked.
  server.maxHeadersCount = 0
  const open = new WeakMap<Duplex, Set<ServerResponse>>()
  const take = (
    request: IncomingMessage,
    response: ServerResponse,
    isContinueAwaited = false,
  ) => {
    const { socket } = request
    const responses = open.get(socket) ?? new Set()
    open.set(socket, responses.add(response))
    response.once('close', () => responses.delete(response))
    // Whoever asked is gone; there is nobody to tell.
    response.on('error', () => response.destroy())
    if (responses.size > limits.pipelined) {
      // The answers before it would come first, and they may take long.
      socket.destroy()
      return
    }
    void handle({ request, response, isContinueAwaited })
  }
  server.on('request', take)
  server.on('checkContinue', (request, response) =>
    take(request, response, true),
  )
  server.on('checkExpectation', (_, response) => {
    const message =
      'The header "expect" asks for something that is not known here; leave it out.'
    sendError(response, new ProtocolError('bad-request', message), {
      status: 417,
    })
  })
  server.on('connect', (_, socket) => {
    const message = 'This daemon is no proxy.'
    const error = new ProtocolError('wrong-method', message)
    finish(socket, rawError(error, { headers: allMethods }))
  })
  server.on('upgrade', (_, socket) => {
    const message =
      'Connections cannot be upgraded here; events come by server-sent events.'
    finish(socket, rawError(new ProtocolError('bad-request', message)))
  })
  server.on('clientError', (error, socket) => {
    const [response] = open.get(socket) ?? []
    answerBroken(error, socket, response)
  })
  return server
}

/** The parser could not go on, or took too long to get there. */
function answerBroken(
  error: Error & { readonly code?: string },
  socket: Duplex,
  response: ServerResponse | undefined,
): void {
  const { told, status, headers } = brokenBy(error.code)
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (response === undefined) {
    finish(socket, rawError(told, { ...(status ? { status } : {}), headers }))
    return
  }
  // In the middle of an answer there is no place for another.
  if (response.headersSent) socket.destroy()
  else {
    response.once('finish', () => socket.destroy())
    sendError(response, told, { headers: { ...headers, connection: 'close' } })
  }
}

function brokenBy(code: string | undefined): {
  readonly told: ProtocolError
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
} {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const message = 'The request took too long to come in; send it faster.'
    return { told: new ProtocolError('too-slow', message), headers: {} }
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = 'The headers of the request are too large; send less.'
    const told = new ProtocolError('too-large', message)
    return { told, status: 431, headers: {} }
  }
  if (code === 'HPE_INVALID_METHOD') {
    const message = 'That method is not known here.'
    const told = new ProtocolError('wrong-method', message)
    return { told, headers: allMethods }
  }
  const message = 'That is not a request as HTTP/1.1 has it.'
  return { told: new ProtocolError('bad-request', message), headers: {} }
}

const lingerMs = 1_000

/** Says a last word, and closes even if the other side does not. */
function finish(socket: Duplex, text: string): void {
  socket.on('error', () => socket.destroy())
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.end(text)
  socket.resume()
}
