import type { MaybePromise, Outcome } from 'hookline'
import {
  llmError,
  llmPostCall,
  llmPreCall,
  type ModelError,
  type ModelRequest,
  type ModelResponse,
  type RetryDecision,
} from 'hookline/lifecycle'
import type { ReplyStream } from '../events/reply-stream.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { CoreEnd } from '../ports/core.ts'
import type { Model, ModelPrice } from '../ports/model.ts'
import { modelErrorOf } from '../ports/model-failure.ts'
import { ask } from './ask.ts'
import { tellInjected, tellWithheld, tellWriters } from './edits.ts'
import { endWith } from './ends.ts'
import { generate } from './model-port.ts'
import { openStream } from './open-stream.ts'
import type { Turn } from './turn.ts'
import { asError, pause } from './wait.ts'

/** What the model, or a hook for it, has answered and the gates let pass. */
export interface ModelAnswer {
  readonly type: 'answer'
  readonly response: ModelResponse
  /** What of it has not gone out yet; absent when nobody would see it. */
  readonly stream: ReplyStream | undefined
  /** A hook has answered in place of a model. */
  readonly isSynthetic: boolean
  /** A hook wants the turn to end here. */
  readonly ending: { readonly by: string; readonly reason: string } | undefined
}

/** Every attempt failed, or the last one must not be repeated. */
export interface ModelGaveUp {
  readonly type: 'gave-up'
  readonly error: ModelError
  readonly attempt: number
}

export interface AttemptOptions {
  /** Whether the reply is for whoever watches. */
  readonly isStreamed: boolean
  /** The number of the first attempt; default 1. */
  readonly firstAttempt?: number
}

type Attempted =
  | { readonly response: ModelResponse; readonly error?: undefined }
  | { readonly error: ModelError; readonly cause: unknown }

const maxAttempts = 20

/** Asks the model, and again as often as the hooks at `llm.error` decide. */
export async function attemptModel(
  turn: Turn,
  first: ModelRequest,
  options: AttemptOptions,
): Promise<ModelAnswer | ModelGaveUp | CoreEnd> {
  let wanted = first
  const { firstAttempt = 1 } = options
  for (let attempt = firstAttempt; ; attempt++) {
    const asked = ask(turn, llmPreCall, { request: wanted, attempt })
    const pre = asked instanceof Promise ? await asked : asked
    if (pre.type === 'reject') {
      return endWith('rejected', pre.reason, pre.by)
    }
    if (pre.type === 'endTurn') {
      return endWith('succeeded', pre.reason, pre.by)
    }
    tellWriters(turn, llmPreCall.name, pre, 'request')
    const { request } = pre.value
    const startedMs = turn.parts.clock.now()
    const stream = streamFor(turn, options)
    if (pre.type === 'respond') {
      tellInjected(turn, llmPreCall.name, pre.by, 'response')
    }
    const attempted =
      pre.type === 'respond'
        ? { response: pre.output }
        : await attemptOnce(turn, request, stream)
    const elapsedMs = turn.parts.clock.now() - startedMs
    const about = { request, attempt, elapsedMs }
    if (attempted.error === undefined) {
      const isSynthetic = pre.type === 'respond'
      const end = { ...about, isSynthetic }
      const judged = judgeReply(turn, attempted.response, end, stream)
      return judged instanceof Promise ? await judged : judged
    }
    const { error } = attempted
    await ask(turn, llmPostCall, { type: 'error', ...about, error })
    const isReleased = stream?.isReleased ?? false
    const decision = await decide(turn, { request, attempt, error, isReleased })
    await stream?.close()
    if (decision.type === 'answer') {
      const again = streamFor(turn, options)
      const end = { ...about, isSynthetic: true }
      return judgeReply(turn, decision.response, end, again)
    }
    if (decision.type === 'give_up' || attempt >= maxAttempts) {
      return { type: 'gave-up', error, attempt }
    }
    await pause(turn.parts.clock, decision.afterMs ?? 0, turn.signal)
    if (decision.type === 'switch_model') {
      wanted = { ...first, model: decision.model }
    }
  }
}

function streamFor(turn: Turn, { isStreamed }: AttemptOptions) {
  return isStreamed && turn.events.isWatched ? openStream(turn) : undefined
}

function attemptOnce(
  turn: Turn,
  request: ModelRequest,
  stream: ReplyStream | undefined,
): MaybePromise<Attempted> {
  const fail = (thrown: unknown) => failAttempt(turn, stream, thrown)
  try {
    const found = turn.parts.models.resolve(request.model)
    const given =
      found instanceof Promise
        ? found.then((model) => sendTo(turn, model, request, stream))
        : sendTo(turn, found, request, stream)
    if (!(given instanceof Promise)) return { response: given }
    return given.then((response) => ({ response }), fail)
  } catch (thrown) {
    return fail(thrown)
  }
}

function sendTo(
  turn: Turn,
  model: Model,
  request: ModelRequest,
  stream: ReplyStream | undefined,
): MaybePromise<ModelResponse> {
  const { parts, tally, budgets, events } = turn
  const { price } = model
  const isPriced = budgets.some(({ limits }) => limits.maxCost !== undefined)
  if (isPriced) checkPrice(price)
  const count = (response: ModelResponse) => {
    const { usage } = response
    tally.addUsage(usage, price)
    if (events.isWatched) {
      void events.emit({ type: 'usage-delta', model: request.model, usage })
    }
    return response
  }
  const receipt = parts.receipts.mint(request)
  const given = generate(turn, model, request, receipt, stream)
  return given instanceof Promise ? given.then(count) : count(given)
}

/** A turn that was cancelled has no failed model call. */
async function failAttempt(
  { signal }: Turn,
  stream: ReplyStream | undefined,
  cause: unknown,
): Promise<Attempted> {
  const isOurs = cause instanceof AgentError && cause.code === 'missing-price'
  if (isOurs) throw cause
  if (!signal.aborted) return { error: modelErrorOf(cause), cause }
  await stream?.close()
  throw asError(signal.reason)
}

/** A limit on cost that cannot be kept is no limit. */
function checkPrice(price: ModelPrice | undefined): void {
  if (price !== undefined) return
  const message = 'The agent has a limit on cost, but its model has no price.'
  throw new AgentError('missing-price', message)
}

interface CallEnd {
  readonly request: ModelRequest
  readonly attempt: number
  readonly elapsedMs: number
  readonly isSynthetic: boolean
}

/** Has a reply judged before its calls are made or anything goes out. */
function judgeReply(
  turn: Turn,
  response: ModelResponse,
  { isSynthetic, ...about }: CallEnd,
  stream: ReplyStream | undefined,
): MaybePromise<ModelAnswer | CoreEnd> {
  const input = { type: 'response' as const, ...about, response }
  const follow = (
    post: Outcome<typeof llmPostCall>,
  ): MaybePromise<ModelAnswer | CoreEnd> => {
    if (post.type === 'reject') return withhold(turn, post, stream)
    tellWriters(turn, llmPostCall.name, post, 'response')
    return {
      type: 'answer',
      response: post.value.response ?? response,
      stream,
      isSynthetic,
      ending: post.type === 'endTurn' ? post : undefined,
    }
  }
  const asked = ask(turn, llmPostCall, input)
  return asked instanceof Promise ? asked.then(follow) : follow(asked)
}

async function withhold(
  turn: Turn,
  { by, reason }: { readonly by: string; readonly reason: string },
  stream: ReplyStream | undefined,
): Promise<CoreEnd> {
  await stream?.close()
  tellWithheld(turn, llmPostCall.name, { by, reason }, 'response')
  return endWith('withheld', reason, by)
}

interface FailedAttempt {
  readonly request: ModelRequest
  readonly attempt: number
  readonly error: ModelError
  readonly isReleased: boolean
}

/** What follows a failed attempt; what is no decision is giving up. */
async function decide(
  turn: Turn,
  failed: FailedAttempt,
): Promise<RetryDecision> {
  const decided = await ask(turn, llmError, failed)
  if (decided.type !== 'respond') return { type: 'give_up' }
  const { by, output } = decided
  switch (output.type) {
    case 'retry':
    case 'switch_model':
      // What was said cannot be unsaid, so it is not said a second time.
      return failed.isReleased ? { type: 'give_up' } : output
    case 'answer':
      tellInjected(turn, llmError.name, by, 'response')
      return output
    case 'give_up':
      return output
    default:
      return { type: 'give_up' }
  }
}
