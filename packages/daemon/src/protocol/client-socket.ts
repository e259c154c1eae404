import type { IncomingMessage } from 'node:http'
import type {
  Transport,
  TransportAnswer,
  TransportRequest,
} from './client-transport.ts'

// So long before the daemon would close a connection that idles, we do: if both
// did at about the same time, a request could be lost that may not be repeated.
const earlierMs = 25_000

/** Asks over a unix socket, on connections that stay open for a while. */
export function socketTransport(socketPath: string): Transport {
  // An import would read all that it exports, `WebSocket` included, and load
  // what that takes: more than a short command needs altogether.
  const { Agent, request } = process.getBuiltinModule('node:http')
  const agent = new Agent({
    keepAlive: true,
    maxFreeSockets: 4,
    agentKeepAliveTimeoutBuffer: earlierMs,
  })
  const ask = (given: TransportRequest) =>
    new Promise<TransportAnswer>((resolve, reject) => {
      const { method, path, body, signal } = given
      const headers = {
        ...given.headers,
        host: 'localhost',
        ...(body === undefined
          ? {}
          : { 'content-length': String(Buffer.byteLength(body)) }),
      }
      signal?.throwIfAborted()
      const asked = request(
        { agent, socketPath, method, path, headers },
        (message) => resolve(answerOf(message)),
      )
      // As an option of the request, a signal ends the connection with an
      // error, which nobody listens to once the answer has come as a whole.
      const stop = () => asked.destroy()
      signal?.addEventListener('abort', stop)
      asked.once('close', () => signal?.removeEventListener('abort', stop))
      asked.on('error', (error: Error) =>
        reject(asked.reusedSocket ? new ReusedSocketError(error) : error),
      )
      asked.end(body)
    })
  return {
    where: socketPath,
    async send(given) {
      try {
        return await ask(given)
      } catch (error) {
        if (!(error instanceof ReusedSocketError)) throw error
        // The daemon may close a connection just when it is used again; what
        // changes nothing can be asked once more.
        if (given.method !== 'GET' || given.signal?.aborted) throw error.cause
        return await ask(given)
      }
    },
    close: () => agent.destroy(),
  }
}

class ReusedSocketError extends Error {
  override readonly cause: Error
  constructor(cause: Error) {
    super(cause.message)
    this.cause = cause
  }
}

function answerOf(message: IncomingMessage): TransportAnswer {
  // Whoever stops reading breaks it off, and need not hear of it.
  message.on('error', () => {})
  return {
    status: message.statusCode ?? 0,
    header(name) {
      const value = message.headers[name]
      return Array.isArray(value) ? value[0] : value
    },
    text: () => readText(message),
    pieces: () => message,
  }
}

/** Not by iterating: a short answer would cost half as much again. */
function readText(message: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    message.on('data', (piece: Buffer) => pieces.push(piece))
    message.once('end', () => resolve(Buffer.concat(pieces).toString('utf8')))
    message.once('error', reject)
    message.once('close', () => reject(new Error('The answer broke off.')))
  })
}
