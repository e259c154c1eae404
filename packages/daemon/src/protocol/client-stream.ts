import { readError, unreachable } from './client-errors.ts'
import type { TransportAnswer } from './client-transport.ts'
import { ProtocolError } from './errors.ts'
import { SseReader, streamEnd, streamError } from './sse.ts'

export interface ReconnectOptions {
  /** Before the first try; each further one waits twice as long. Default 250. */
  readonly firstMs?: number
  /** Default 10 000. */
  readonly maxMs?: number
  /** How long it is tried; default: until whoever reads goes away. */
  readonly giveUpMs?: number
  /** Not even a heartbeat for so long: the connection is dead. Default 60 000. */
  readonly idleMs?: number
  readonly onReconnect?: (about: Reconnect) => void
}

/** A stream was cut off, and is opened again. */
export interface Reconnect {
  readonly error: ProtocolError
  readonly inMs: number
  readonly after: string | undefined
}

export interface StreamSource {
  readonly where: string
  readonly reconnect: ReconnectOptions
  /** Opens it after a cursor; absent: as it was asked for. */
  open(after: string | undefined, signal: AbortSignal): Promise<TransportAnswer>
}

/**
 * The items of a stream of events. Where it is cut off it goes on after the
 * last item, until whoever reads stops or `signal` aborts. Throws where it
 * makes no sense to try again.
 */
export async function* readEvents<Item>(
  source: StreamSource,
  signal: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  const { firstMs = 250, maxMs = 10_000, giveUpMs } = source.reconnect
  let after: string | undefined
  let wasOpen = false
  let tries = 0
  let lostAt: number | undefined
  while (!signal.aborted) {
    let error: ProtocolError
    try {
      for await (const message of readOnce(source, after, signal)) {
        wasOpen = true
        tries = 0
        lostAt = undefined
        if (message === 'open') continue
        if (message === 'end') return
        after = message.id ?? after
        // The daemon wrote it as its schema says.
        yield JSON.parse(message.data) as Item
      }
      error = unreachable(undefined, source.where)
    } catch (thrown) {
      if (signal.aborted) return
      error = asProtocolError(thrown, source.where)
    }
    if (signal.aborted) return
    if (!wasOpen || !isPassing(error)) throw error
    lostAt ??= performance.now()
    if (giveUpMs !== undefined && performance.now() - lostAt > giveUpMs) {
      throw error
    }
    const inMs =
      Math.min(maxMs, firstMs * 2 ** tries) * (0.5 + Math.random() / 2)
    tries++
    source.reconnect.onReconnect?.({ error, inMs, after })
    await pause(inMs, signal)
  }
}

type Message =
  | 'open'
  | 'end'
  | { readonly id: string | undefined; readonly data: string }

/** One connection, until it ends. */
async function* readOnce(
  source: StreamSource,
  after: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Message, void, undefined> {
  const { idleMs = 60_000 } = source.reconnect
  const attempt = new AbortController()
  const stop = () => attempt.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  let heardAt = performance.now()
  const watchdog = setInterval(() => {
    if (performance.now() - heardAt > idleMs) attempt.abort()
  }, idleMs / 4)
  try {
    const answer = await source.open(after, attempt.signal)
    yield 'open'
    const reader = new SseReader()
    const decoder = new TextDecoder()
    for await (const piece of answer.pieces()) {
      heardAt = performance.now()
      for (const message of reader.push(
        decoder.decode(piece, { stream: true }),
      )) {
        if (message.event === streamEnd) return yield 'end'
        if (message.event === streamError) throw brokenBy(message.data)
        yield { id: message.id, data: message.data }
      }
    }
  } finally {
    clearInterval(watchdog)
    signal.removeEventListener('abort', stop)
    attempt.abort()
  }
}

/** Each item of a body that has one on each line. It is whole, or it throws. */
export async function* readLines<Item>(
  answer: TransportAnswer,
  where: string,
): AsyncGenerator<Item, void, undefined> {
  const decoder = new TextDecoder()
  let rest: string[] = []
  try {
    for await (const piece of answer.pieces()) {
      const lines = decoder.decode(piece, { stream: true }).split('\n')
      const last = lines.pop() ?? ''
      for (const line of lines) {
        rest.push(line)
        // The daemon wrote it as its schema says.
        yield JSON.parse(rest.join('')) as Item
        rest = []
      }
      rest.push(last)
    }
  } catch (error) {
    throw asProtocolError(error, where)
  }
  if (rest.join('') !== '') throw unreachable(undefined, where)
}

function brokenBy(data: string): ProtocolError {
  return (
    readError(data, 500) ?? new ProtocolError('internal', 'The stream failed.')
  )
}

function asProtocolError(error: unknown, where: string): ProtocolError {
  return error instanceof ProtocolError ? error : unreachable(error, where)
}

/** What may be over by the next time. */
function isPassing({ code }: ProtocolError): boolean {
  return (
    code === 'unavailable' ||
    code === 'shutting-down' ||
    code === 'too-many' ||
    code === 'too-slow'
  )
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}
