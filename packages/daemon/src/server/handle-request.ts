import type { IncomingMessage, ServerResponse } from 'node:http'
import { ProtocolError } from '../protocol/errors.ts'
import type { Service } from '../protocol/service.ts'
import type { AllowedReaders } from './allowed-readers.ts'
import { authenticate } from './authenticate.ts'
import { checkRequest, type Senders } from './check-request.ts'
import { describeFailure } from './describe-failure.ts'
import { discardRest } from './discard-rest.ts'
import type { Heartbeats } from './heartbeats.ts'
import { allowOf, corsHeaders, sendOptions } from './options.ts'
import type { Pace } from './pace.ts'
import { type Page, type Pages, sendPage } from './pages.ts'
import { perform } from './perform-operation.ts'
import type { PrincipalLimits } from './principal-limits.ts'
import type { Tokens } from './principals.ts'
import { type BodyBudget, checkBodyHeaders, readBody } from './read-body.ts'
import { readInput } from './read-input.ts'
import { sendError } from './reply.ts'
import { readTarget } from './request-target.ts'
import type { Router } from './router.ts'
import type { ServerLimits } from './server-limits.ts'
import type { ServerLog } from './server-log.ts'
import { shuttingDown, type Traffic } from './traffic.ts'

/** What handles requests has this. */
export interface HandlerParts {
  readonly service: Service
  readonly tokens: Tokens
  readonly router: Router
  /** What browsers are shown; absent: nothing. */
  readonly pages: Pages | undefined
  readonly senders: Senders
  readonly limits: ServerLimits
  readonly principals: PrincipalLimits
  readonly budget: BodyBudget
  readonly traffic: Traffic
  readonly pace: Pace
  readonly heartbeats: Heartbeats
  readonly readers: AllowedReaders
  readonly log: ServerLog
  /** Answers are held to their schemas, too; for tests. */
  readonly checkAnswers: boolean
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Whoever asked waits for a word before it sends the body. */
  readonly isContinueAwaited: boolean
}

/** Answers a request, whatever it is. It never throws. */
export async function handleRequest(
  parts: HandlerParts,
  exchange: Exchange,
): Promise<void> {
  const { request, response } = exchange
  const { log, traffic } = parts
  const about: { operation?: string; caller?: string } = {}
  const headers = corsHeaders(request, parts.senders.origins)
  try {
    await answer(parts, exchange, { about, headers })
    traffic.count()
  } catch (error) {
    const told = describeFailure(error, { log, about })
    traffic.count(told.code)
    // Half an answer is no answer: whoever reads it has to see that.
    if (response.headersSent && !response.writableEnded) response.destroy()
    discardRest(request)
    sendError(response, told, { headers })
  }
}

interface Notes {
  readonly about: { operation?: string; caller?: string }
  readonly headers: Record<string, string>
}

async function answer(
  parts: HandlerParts,
  exchange: Exchange,
  { about, headers }: Notes,
): Promise<void> {
  const { request, response } = exchange
  checkRequest(request, parts.senders)
  const { segments, query } = readTarget(request.url ?? '')
  const page = parts.pages?.find(segments)
  if (page !== undefined) return answerPage(parts, exchange, { page, headers })
  const isHead = request.method === 'HEAD'
  const method = isHead ? 'GET' : (request.method ?? '')
  const { match, methods } = parts.router.find(method, segments)
  if (methods.length === 0) {
    const message =
      'There is nothing at that path; /v1/openapi.json says what there is.'
    throw new ProtocolError('not-found', message)
  }
  if (method === 'OPTIONS') return sendOptions(response, methods, headers)
  if (match === undefined) {
    headers['allow'] = allowOf(methods)
    throw new ProtocolError(
      'wrong-method',
      `That path takes ${methods.join(' and ')} only.`,
    )
  }
  const { operation } = match
  const { name, route } = operation
  about.operation = name
  if (parts.traffic.isDraining && name !== 'health') throw shuttingDown()
  const caller = authenticate(request, operation, parts.tokens)
  about.caller = caller.id
  const { bodyBytes, bodyBytesOf } = parts.limits
  const maxBytes = bodyBytesOf[name] ?? bodyBytes
  checkBodyHeaders(request, maxBytes)
  const isStream = route.answer === 'events' && !isHead
  const leave = parts.principals.enter(caller, { name, isStream })
  try {
    if (exchange.isContinueAwaited) response.writeContinue()
    const { budget } = parts
    const hasBody = route.method !== 'GET'
    const body = hasBody
      ? await readBody(request, { maxBytes, budget })
      : undefined
    const input = readInput({ match, query, body, headers: request.headers })
    const reader = { request, operation, caller }
    const whyNot = () => parts.readers.whyNot(reader)
    const call = { response, operation, caller, input, headers, isHead }
    await perform(parts, { ...call, whyNot })
  } finally {
    leave()
  }
}

/** Whoever reaches the daemon may see its pages: there is nothing in them yet. */
function answerPage(
  { traffic }: HandlerParts,
  { request, response }: Exchange,
  { page, headers }: { page: Page; headers: Record<string, string> },
): void {
  if (traffic.isDraining) throw shuttingDown()
  if (request.method === 'OPTIONS') {
    sendOptions(response, ['GET'], headers)
    return
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    headers['allow'] = allowOf(['GET'])
    throw new ProtocolError('wrong-method', 'A page takes GET only.')
  }
  checkBodyHeaders(request, 0)
  sendPage(request, response, page)
}
