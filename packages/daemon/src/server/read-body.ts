import type { IncomingMessage } from 'node:http'
import { ProtocolError } from '../protocol/errors.ts'

/** What all bodies that are being read may take together. */
export class BodyBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  take(bytes: number): void {
    if (bytes > this.#left) {
      const message =
        'Too many large requests are being read; try again in a moment.'
      throw new ProtocolError('too-many', message)
    }
    this.#left -= bytes
  }

  give(bytes: number): void {
    this.#left += bytes
  }
}

export interface BodyOptions {
  readonly maxBytes: number
  readonly budget: BodyBudget
}

/** Throws if the headers say already that a body cannot be taken. */
export function checkBodyHeaders(
  { headers, method }: IncomingMessage,
  maxBytes: number,
): void {
  const length = Number(headers['content-length'] ?? 0)
  const isChunked = headers['transfer-encoding'] !== undefined
  if (method === 'GET' || method === 'HEAD') {
    if (length === 0 && !isChunked) return
    const message = 'A GET has no body; give its inputs in the query.'
    throw new ProtocolError('bad-request', message)
  }
  const type = headers['content-type'] ?? ''
  if (!/^application\/json *(?:; *charset="?utf-8"?)?$/i.test(type)) {
    const message =
      'A change is asked for with "content-type: application/json", and nothing else.'
    throw new ProtocolError('wrong-type', message)
  }
  const { 'content-encoding': encoding = 'identity' } = headers
  if (encoding.toLowerCase() !== 'identity') {
    throw new ProtocolError(
      'wrong-type',
      'A body is sent as it is, without compression.',
    )
  }
  if (length > maxBytes) throw tooLarge(maxBytes)
}

/** The whole body, as long as it stays within its limits. */
export function readBody(
  request: IncomingMessage,
  { maxBytes, budget }: BodyOptions,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    const settle = (error?: Error) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose)
      budget.give(bytes)
      if (error === undefined) resolve(Buffer.concat(pieces))
      else reject(error)
    }
    const onData = (piece: Buffer) => {
      try {
        if (bytes + piece.length > maxBytes) throw tooLarge(maxBytes)
        budget.take(piece.length)
      } catch (error) {
        // Only these two throw here, and both throw errors.
        settle(error as Error)
        return
      }
      bytes += piece.length
      pieces.push(piece)
    }
    const onEnd = () => settle()
    const onClose = () =>
      settle(new ProtocolError('gone', 'Whoever asked has gone.'))
    request.on('data', onData).once('end', onEnd).once('close', onClose)
  })
}

function tooLarge(maxBytes: number): ProtocolError {
  const message = `The body is larger than the ${maxBytes} bytes that this operation takes; send less.`
  return new ProtocolError('too-large', message)
}
