import type { ClientPackage, HttpTransport } from './client-package.ts'
import { Unreachable } from './failures.ts'

export interface HttpSpec {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly maxMessageBytes: number
}

type Limit = TransformStream<Uint8Array, Uint8Array>

/** Speaks streamable HTTP; what comes is bounded before it is parsed. */
export function createHttpTransport(
  { StreamableHTTPClientTransport }: ClientPackage,
  { url, headers, maxMessageBytes }: HttpSpec,
  violated: (what: string) => void,
): HttpTransport {
  const tooLong = () => {
    const what = `It sent a message of more than ${maxMessageBytes} bytes.`
    violated(what)
    return new Unreachable(what)
  }
  return new StreamableHTTPClientTransport(new URL(url), {
    // Credentials are for this address, and not for where it might point.
    requestInit: { headers: { ...headers }, redirect: 'error' },
    fetch: async (address, init) =>
      boundResponse(await fetch(address, init), { maxMessageBytes, tooLong }),
    reconnectionOptions: {
      initialReconnectionDelay: 250,
      maxReconnectionDelay: 2_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 2,
    },
  })
}

interface Bound {
  readonly maxMessageBytes: number
  readonly tooLong: () => Error
}

function boundResponse(response: Response, bound: Bound): Response {
  const { body, status, statusText, headers } = response
  if (body === null) return response
  const isStream = headers.get('content-type')?.startsWith('text/event-stream')
  const limit = isStream ? boundEvents(bound) : boundBytes(bound)
  const bounded = body.pipeThrough(limit)
  return new Response(bounded, { status, statusText, headers })
}

function boundBytes({ maxMessageBytes, tooLong }: Bound): Limit {
  let size = 0
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length
      if (size > maxMessageBytes) throw tooLong()
      controller.enqueue(chunk)
    },
  })
}

const newline = 10
const carriageReturn = 13

/** A stream may go on for ever, but no event in it; an empty line ends one. */
function boundEvents({ maxMessageBytes, tooLong }: Bound): Limit {
  let size = 0
  let isLineEmpty = true
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        size++
        if (byte === newline) {
          if (isLineEmpty) size = 0
          isLineEmpty = true
        } else if (byte !== carriageReturn) {
          isLineEmpty = false
        }
      }
      if (size > maxMessageBytes) throw tooLong()
      controller.enqueue(chunk)
    },
  })
}
