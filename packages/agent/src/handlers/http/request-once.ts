import {
  type Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { HandlerFailure } from '../handler-failure.ts'
import { readBody } from './read-body.ts'
import type { Target } from './read-target.ts'
import { type Phase, requestFailure } from './request-failure.ts'

interface OneRequest {
  readonly target: Target
  readonly agent: Agent
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly maxBodyBytes: number
  readonly maxHeaderBytes: number
  /** Aborted with a `HandlerFailure`. */
  readonly signal: AbortSignal
}

/** What came of one request: a reply, or a failure and how far it had come. */
export type RequestEnd =
  | { readonly type: 'reply'; readonly reply: HttpReply }
  | {
      readonly type: 'failure'
      readonly failure: HandlerFailure
      readonly phase: Phase
    }

export interface HttpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Makes one request, over a connection that is kept or a new one. */
export function requestOnce(one: OneRequest): Promise<RequestEnd> {
  return new Promise((resolve) => {
    let phase: Phase = 'connecting'
    const { signal } = one
    const request = open(one)
    const end = (ended: RequestEnd) => {
      signal.removeEventListener('abort', giveUp)
      if (ended.type === 'failure') request.destroy()
      resolve(ended)
    }
    const fail = (error: unknown) => {
      const failure = requestFailure(error, phase)
      end({ type: 'failure', failure, phase })
    }
    const giveUp = () => fail(signal.reason)

    onceSent(request, () => {
      phase = 'sent'
    })
    request.once('response', (response) => {
      phase = 'answered'
      readReply(response, one.maxBodyBytes).then(
        (reply) => end({ type: 'reply', reply }),
        fail,
      )
    })
    // Not `once`: an error may follow another, and one without a listener ends
    // the process. Only the first end counts.
    request.on('error', fail)
    request.once('close', () => {
      if (phase !== 'answered') fail(new Error('closed'))
    })
    signal.addEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
    else request.end(one.body)
  })
}

function open(one: OneRequest): ClientRequest {
  const { target, agent, headers, body, maxHeaderBytes } = one
  const { isTls, host, port, path } = target
  const send = isTls ? httpsRequest : httpRequest
  return send({
    method: 'POST',
    ...{ host, port, path, agent },
    maxHeaderSize: maxHeaderBytes,
    insecureHTTPParser: false,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'hookline',
      ...headers,
      'accept-encoding': 'gzip, deflate, br',
      'content-length': Buffer.byteLength(body),
    },
  })
}

/** From then on the server may have what it needs to act. */
function onceSent(request: ClientRequest, callback: () => void): void {
  request.once('socket', (socket: Socket) => {
    if (request.reusedSocket) callback()
    else socket.once(isSecure(socket) ? 'secureConnect' : 'connect', callback)
  })
}

function isSecure(socket: Socket): boolean {
  return 'encrypted' in socket
}

async function readReply(
  response: IncomingMessage,
  maxBodyBytes: number,
): Promise<HttpReply> {
  const { statusCode: status = 0 } = response
  if (status >= 300 && status < 400) {
    const message = `The server sends elsewhere (${status}), which is not followed; write the right URL.`
    throw new HandlerFailure('redirect', message)
  }
  const body = await readBody(response, maxBodyBytes)
  return { status, headers: headersOf(response), body }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const pairs = Object.entries(headers).map(
    ([name, value]) => [name, [value].flat().join(', ')] as const,
  )
  return Object.fromEntries(pairs)
}
