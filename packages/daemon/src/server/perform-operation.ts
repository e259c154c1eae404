import type { ServerResponse } from 'node:http'
import type { CallContext, Caller } from '../protocol/caller.ts'
import type { NoLonger } from './allowed-readers.ts'
import { checkEach, checkOne } from './check-answer.ts'
import { describeFailure } from './describe-failure.ts'
import { EventAnswer } from './event-answer.ts'
import type { HandlerParts } from './handle-request.ts'
import { sendLines } from './lines-answer.ts'
import type { PreparedOperation } from './prepared-operation.ts'
import { sendError, sendText } from './reply.ts'
import { shuttingDown } from './traffic.ts'

/** An operation that whoever asks may have done, with its input. */
export interface Call {
  readonly response: ServerResponse
  readonly operation: PreparedOperation
  readonly caller: Caller
  readonly input: Readonly<Record<string, unknown>>
  /** To be sent beside those that every answer has. */
  readonly headers: Readonly<Record<string, string>>
  readonly isHead: boolean
  /** Why whoever asks may not go on reading; undefined: they may. */
  readonly whyNot: () => NoLonger | undefined
}

/** Has the service do it, and sends what it answers. */
export async function perform(parts: HandlerParts, call: Call): Promise<void> {
  const { response, operation, caller, input } = call
  const gone = new AbortController()
  const onClose = () => gone.abort()
  response.once('close', onClose)
  // Whoever asks may have gone while the input was read.
  if (response.req.socket.destroyed) gone.abort()
  // Each function takes what the schema of its own operation gave.
  const run = parts.service[operation.name] as (
    input: unknown,
    context: CallContext,
  ) => unknown
  const start = async () => await run(input, { caller, signal: gone.signal })
  const running = {
    start,
    end: () => gone.abort(),
    endWith: (done: Promise<void>) => {
      response.off('close', onClose)
      return done.finally(onClose)
    },
  }
  try {
    if (operation.route.answer !== 'events') {
      await answerOnce(parts, call, running)
    } else if (call.isHead) {
      const type = 'text/event-stream; charset=utf-8'
      sendText(response, '', { headers: call.headers, type })
    } else {
      await answerWithEvents(parts, call, running)
    }
  } finally {
    response.off('close', onClose)
  }
}

interface Running {
  readonly start: () => Promise<unknown>
  readonly end: () => void
  /** From now on it ends with that, and not when whoever asked has gone. */
  readonly endWith: (done: Promise<void>) => Promise<void>
}

async function answerOnce(
  parts: HandlerParts,
  { response, operation, headers, isHead }: Call,
  { start, end }: Running,
): Promise<void> {
  const stop = () => {
    const last = { ...headers, connection: 'close' }
    sendError(response, shuttingDown(), { headers: last })
    end()
  }
  const leave = parts.traffic.enter({ stop }, 'request')
  try {
    const value = await start()
    const { answer } = operation.route
    if (answer === 'lines') {
      const items = iteratorOf(value)
      const { stalledMs } = parts.limits
      await sendLines(response, { items, headers, stalledMs, isHead })
      return
    }
    if (parts.checkAnswers) checkOne(value, operation)
    if (answer === 'text') {
      const type = 'text/plain; version=0.0.4; charset=utf-8'
      sendText(response, String(value), { headers, type })
      return
    }
    // Whoever looks after daemons goes by the status alone.
    const isReady = operation.name !== 'ready' || Object(value).isReady === true
    const status = isReady ? 200 : 503
    sendText(response, JSON.stringify(value), { headers, status })
  } finally {
    leave()
  }
}

async function answerWithEvents(
  parts: HandlerParts,
  { response, operation, caller, headers, whyNot }: Call,
  { start, end, endWith }: Running,
): Promise<void> {
  let stream: EventAnswer | undefined
  const stop = () => {
    if (stream === undefined) sendError(response, shuttingDown(), { headers })
    else stream.stop('shutting-down')
    end()
  }
  const leave = parts.traffic.enter({ stop }, 'stream')
  try {
    const given = iteratorOf(await start())
    const items = parts.checkAnswers ? checkEach(given, operation) : given
    if (response.headersSent || response.destroyed) {
      await items.return?.()
      return
    }
    const about = { operation: operation.name, caller: caller.id }
    const failure = (error: unknown) =>
      describeFailure(error, { log: parts.log, about })
    const { limits, pace, heartbeats } = parts
    stream = new EventAnswer(response, {
      items,
      limits,
      headers,
      pace,
      heartbeats,
      failure,
      whyNot,
    })
    await endWith(stream.done)
  } finally {
    leave()
  }
}

function iteratorOf(value: unknown): AsyncIterator<unknown> {
  // What a stream's operation answers with is iterable, by the type of the service.
  return (value as AsyncIterable<unknown>)[Symbol.asyncIterator]()
}
