import {
  llmError,
  llmPostCall,
  llmPreCall,
  type ModelError,
  type ModelRequest,
  type ModelResponse,
  type RetryDecision,
} from 'hookline/lifecycle'
import { holdingOf, joinHolding } from '../events/hold-back.ts'
import { ReplyStream } from '../events/reply-stream.ts'
import type { CoreEnd } from '../ports/core.ts'
import type { ModelPrice } from '../ports/model.ts'
import { modelErrorOf } from '../ports/model-failure.ts'
import { ask } from './ask.ts'
import { tellWithheld, tellWriters } from './edits.ts'
import { endWith } from './ends.ts'
import { generate } from './model-port.ts'
import type { Turn } from './turn.ts'
import { asError, pause } from './wait.ts'

/** What the model, or a hook for it, has answered and the gates let pass. */
export interface ModelAnswer {
  readonly type: 'answer'
  readonly response: ModelResponse
  /** What of it has not gone out yet; absent when nobody would see it. */
  readonly stream: ReplyStream | undefined
  /** A hook wants the turn to end here. */
  readonly ending: { readonly by: string; readonly reason: string } | undefined
}

/** Every attempt failed, or the last one must not be repeated. */
export interface ModelGaveUp {
  readonly type: 'gave-up'
  readonly error: ModelError
}

export interface AttemptOptions {
  /** Whether the reply is for whoever watches. */
  readonly isStreamed: boolean
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
  for (let attempt = 1; ; attempt++) {
    const pre = await ask(turn, llmPreCall, { request: wanted, attempt })
    if (pre.type === 'reject') {
      return endWith('rejected', pre.reason, pre.by)
    }
    if (pre.type === 'endTurn') {
      return endWith('succeeded', pre.reason, pre.by)
    }
    tellWriters(turn, llmPreCall.name, pre, 'request')
    const { request } = pre.value
    const startedMs = turn.parts.clock.now()
    const stream = openStream(turn, options)
    if (pre.type === 'respond') tellSynthetic(turn, pre.by)
    const attempted =
      pre.type === 'respond'
        ? { response: pre.output }
        : await attemptOnce(turn, request, stream)
    const elapsedMs = turn.parts.clock.now() - startedMs
    const about = { request, attempt, elapsedMs }
    if (attempted.error === undefined) {
      return judgeReply(turn, attempted.response, about, stream)
    }
    const { error } = attempted
    await ask(turn, llmPostCall, { type: 'error', ...about, error })
    const isReleased = stream?.isReleased ?? false
    const decision = await decide(turn, { request, attempt, error, isReleased })
    await stream?.close()
    if (decision.type === 'answer') {
      const again = openStream(turn, options)
      return judgeReply(turn, decision.response, about, again)
    }
    if (decision.type === 'give_up' || attempt >= maxAttempts) {
      return { type: 'gave-up', error }
    }
    await pause(turn.parts.clock, decision.afterMs ?? 0, turn.signal)
    if (decision.type === 'switch_model') {
      wanted = { ...first, model: decision.model }
    }
  }
}

function openStream(
  { agent, events, progress }: Turn,
  { isStreamed }: AttemptOptions,
): ReplyStream | undefined {
  if (!isStreamed || !events.isWatched) return undefined
  const { reply, output } = holdingOf(agent.table)
  const holding = joinHolding(reply, output)
  const nextId = () => `block-${++progress.blocks}`
  return new ReplyStream(holding, nextId, (part) => events.emit(part))
}

async function attemptOnce(
  turn: Turn,
  request: ModelRequest,
  stream: ReplyStream | undefined,
): Promise<Attempted> {
  const { parts, signal, tally, limits } = turn
  try {
    const model = await parts.models.resolve(request.model)
    if (limits.maxCost !== undefined) checkPrice(model.price)
    const receipt = parts.receipts.mint(request)
    const response = await generate(parts, model, request, receipt, {
      signal,
      ...(stream && { onPart: (part) => stream.push(part) }),
    })
    tally.addUsage(response.usage, model.price)
    if (turn.events.isWatched) {
      const { usage } = response
      turn.events.emit({ type: 'usage-delta', model: request.model, usage })
    }
    return { response }
  } catch (cause) {
    if (signal.aborted) {
      await stream?.close()
      throw asError(signal.reason)
    }
    return { error: modelErrorOf(cause), cause }
  }
}

/** A limit on cost that cannot be kept is no limit. */
function checkPrice(price: ModelPrice | undefined): void {
  if (price !== undefined) return
  throw new Error('The agent has a limit on cost, but its model has no price.')
}

interface CallEnd {
  readonly request: ModelRequest
  readonly attempt: number
  readonly elapsedMs: number
}

async function judgeReply(
  turn: Turn,
  response: ModelResponse,
  about: CallEnd,
  stream: ReplyStream | undefined,
): Promise<ModelAnswer | CoreEnd> {
  const input = { type: 'response' as const, ...about, response }
  const post = await ask(turn, llmPostCall, input)
  if (post.type === 'reject') {
    await stream?.close()
    tellWithheld(turn, llmPostCall.name, post, 'response')
    return endWith('withheld', post.reason, post.by)
  }
  tellWriters(turn, llmPostCall.name, post, 'response')
  return {
    type: 'answer',
    response: post.value.response ?? response,
    stream,
    ending: post.type === 'endTurn' ? post : undefined,
  }
}

interface FailedAttempt {
  readonly request: ModelRequest
  readonly attempt: number
  readonly error: ModelError
  readonly isReleased: boolean
}

async function decide(
  turn: Turn,
  failed: FailedAttempt,
): Promise<RetryDecision> {
  const decided = await ask(turn, llmError, failed)
  if (decided.type !== 'respond') return { type: 'give_up' }
  const { output } = decided
  // What was said cannot be unsaid, so it is not said a second time.
  const isAgain = output.type === 'retry' || output.type === 'switch_model'
  return failed.isReleased && isAgain ? { type: 'give_up' } : output
}

function tellSynthetic({ events }: Turn, hook: string): void {
  if (!events.isWatched) return
  const point = llmPreCall.name
  events.emit({ type: 'hook-inject', hook, point, subject: 'response' })
}
