import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { HandlerFailure } from '../handler-failure.ts'

/** Reads all of a reply as text, or fails; both ends of the way are bounded. */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
): Promise<string> {
  const chunks: Buffer[] = []
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of capped(source, maxBytes)) chunks.push(chunk)
  }
  // Packed bytes are counted as well: they may unpack to nothing, for ever.
  const packed = (source: AsyncIterable<Buffer>) => capped(source, maxBytes)
  const unpack = unpackerOf(response)
  await (unpack === undefined
    ? pipeline(response, collect)
    : pipeline(response, packed, unpack, collect))
  return decode(Buffer.concat(chunks))
}

async function* capped(source: AsyncIterable<Buffer>, maxBytes: number) {
  let sizeBytes = 0
  for await (const chunk of source) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBytes) {
      const message = `The reply is larger than ${maxBytes} bytes; send less.`
      throw new HandlerFailure('too-large', message)
    }
    yield chunk
  }
}

/** One layer at most: each one multiplies what comes out. */
function unpackerOf({ headers }: IncomingMessage): Duplex | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  switch (encoding) {
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default: {
      const message = 'The reply has a content-encoding that nobody asked for.'
      throw new HandlerFailure('invalid', message)
    }
  }
}

function decode(bytes: Uint8Array): string {
  try {
    // A mark at the start stays: a signature covers it.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return decoder.decode(bytes)
  } catch (cause) {
    throw new HandlerFailure('invalid', 'The reply is not UTF-8.', cause)
  }
}
