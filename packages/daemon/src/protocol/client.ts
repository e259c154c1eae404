import { checkVersion, readError, unreachable } from './client-errors.ts'
import { checkUrl, type Fetch, fetchTransport } from './client-fetch.ts'
import {
  type ReconnectOptions,
  readEvents,
  readLines,
} from './client-stream.ts'
import type { Transport, TransportAnswer } from './client-transport.ts'
import { ProtocolError } from './errors.ts'
import { protocolVersion, versionHeader, writeHttpInput } from './http-input.ts'
import type { AnswerOf, InputOf } from './operations.ts'
import { type OperationName, type Route, routes } from './routes.ts'

export type ClientOptions = {
  /** Whose it is decides what may be asked. */
  readonly token?: string | undefined
  /** How streams of events come back when they are cut off. */
  readonly reconnect?: ReconnectOptions
} & (
  | { readonly socket: string; readonly url?: undefined }
  | {
      readonly url: string
      readonly socket?: undefined
      readonly fetch?: Fetch
      /** Without it, a token goes to other machines over https only. */
      readonly remote?: 'without-tls'
    }
)

export interface CallOptions {
  readonly signal?: AbortSignal
}

/**
 * A daemon, as if it were here: one function for each operation. What goes
 * wrong is a `ProtocolError`; streams come as async iterables.
 */
export type Client = {
  readonly [Name in OperationName]: ClientCall<Name>
} & {
  /** Lets go of open connections. Streams are ended by whoever reads them. */
  close(): void
}

type ClientCall<Name extends OperationName> =
  Record<never, never> extends InputOf<Name>
    ? (input?: InputOf<Name>, options?: CallOptions) => ClientAnswer<Name>
    : (input: InputOf<Name>, options?: CallOptions) => ClientAnswer<Name>

type ClientAnswer<Name extends OperationName> =
  AnswerOf<Name> extends AsyncIterable<unknown>
    ? AnswerOf<Name>
    : Promise<AnswerOf<Name>>

type Input = Readonly<Record<string, unknown>>

export function createClient(options: ClientOptions): Client {
  const transport = lazyTransport(options)
  const { token, reconnect = {} } = options
  const ask = (route: Route, input: Input, signal: AbortSignal | undefined) =>
    askOnce({ transport, token, route, input, signal })

  const events = (route: Route, input: Input, signal: AbortSignal) => {
    const open = (after: string | undefined, attempt: AbortSignal) => {
      const { fromStart, ...rest } = input
      return ask(
        route,
        after === undefined ? input : { ...rest, after },
        attempt,
      )
    }
    return readEvents({ where: transport.where, reconnect, open }, signal)
  }
  async function* lines(route: Route, input: Input, signal: AbortSignal) {
    const answer = await ask(route, input, signal)
    yield* readLines(answer, transport.where)
  }
  const callOf = (route: Route) => {
    return (input: Input = {}, { signal }: CallOptions = {}) => {
      if (route.answer === 'events') {
        return stoppable(signal, (stop) => events(route, input, stop))
      }
      if (route.answer === 'lines') {
        return stoppable(signal, (stop) => lines(route, input, stop))
      }
      return readWhole(
        ask(route, input, signal),
        route,
        transport.where,
        signal,
      )
    }
  }
  const calls = Object.entries(routes).map(([name, route]) => [
    name,
    callOf(route),
  ])
  // One for each route, each with the types that its schemas give it.
  return {
    ...Object.fromEntries(calls),
    close: () => transport.close(),
  } as Client
}

/** What only Node has is loaded where it is needed, so that browsers can use this. */
function lazyTransport(options: ClientOptions): Transport {
  if (options.socket === undefined) {
    checkUrl(options.url, options.remote === 'without-tls')
    return fetchTransport(options.url, options.fetch ?? globalThis.fetch)
  }
  const path = options.socket
  let loaded: Promise<Transport> | undefined
  const load = async () =>
    (await import('./client-socket.ts')).socketTransport(path)
  return {
    where: path,
    send: async (request) => {
      loaded ??= load()
      return (await loaded).send(request)
    },
    close: () => void loaded?.then((transport) => transport.close()),
  }
}

interface Asked {
  readonly transport: Transport
  readonly token: string | undefined
  readonly route: Route
  readonly input: Input
  readonly signal: AbortSignal | undefined
}

async function askOnce(asked: Asked): Promise<TransportAnswer> {
  const { transport, token, route, input, signal } = asked
  const { path, body } = writeHttpInput(route, input)
  const headers = {
    [versionHeader]: String(protocolVersion),
    accept: acceptOf(route),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  let answer: TransportAnswer
  try {
    const { method } = route
    answer = await transport.send({ method, path, headers, body, signal })
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw unreachable(error, transport.where)
  }
  checkVersion(answer, transport.where)
  if (answer.status < 400 || isNotReady(route, answer)) return answer
  const text = await answer.text().catch(() => '')
  throw (
    readError(text, answer.status) ?? unreachable(undefined, transport.where)
  )
}

/** Whether a daemon is ready is an answer, whichever it is. */
function isNotReady(route: Route, { status }: TransportAnswer): boolean {
  return route === routes.ready && status === 503
}

async function readWhole(
  asked: Promise<TransportAnswer>,
  route: Route,
  where: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const answer = await asked
  let text: string
  try {
    text = await answer.text()
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw unreachable(error, where)
  }
  const error = isNotReady(route, answer) && readError(text, answer.status)
  if (error) throw error
  if (route.answer === 'text') return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    const message = `What the daemon at ${where} answered cannot be read.`
    throw new ProtocolError('unavailable', message, { cause })
  }
}

function acceptOf({ answer }: Route): string {
  if (answer === 'events') return 'text/event-stream'
  if (answer === 'lines') return 'application/x-ndjson'
  return answer === 'text' ? 'text/plain' : 'application/json'
}

/** Whoever stops reading, or aborts, ends what is under way. */
function stoppable<Item>(
  signal: AbortSignal | undefined,
  start: (signal: AbortSignal) => AsyncGenerator<Item, void, undefined>,
): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]() {
      const own = new AbortController()
      const stop = () => own.abort(signal?.reason)
      if (signal?.aborted) stop()
      else signal?.addEventListener('abort', stop, { once: true })
      const items = start(own.signal)
      const end = () => signal?.removeEventListener('abort', stop)
      return {
        async next() {
          try {
            const result = await items.next()
            if (result.done) end()
            return result
          } catch (error) {
            end()
            throw error
          }
        },
        async return() {
          own.abort()
          end()
          await items.return()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
