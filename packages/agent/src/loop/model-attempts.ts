import type { InputOf, MaybePromise, Outcome } from 'hookline'
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
import type { CoreEnd } from '../ports/core.ts'
import { ask } from './ask.ts'
import { tellInjected, tellReplaced, tellWithheld } from './edits.ts'
import { endWith } from './ends.ts'
import { type Attempted, attemptOnce } from './model-send.ts'
import { openStream } from './open-stream.ts'
import { readChanged, readResponse } from './read-response.ts'
import { withoutStaleMessages } from './stale-data.ts'
import type { Turn } from './turn.ts'
import { pause } from './wait.ts'

/** What the model, or a hook for it, has answered and the gates let pass. */
interface ModelAnswer {
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

/** What came of asking a model. */
export type ModelOutcome = ModelAnswer | ModelGaveUp | CoreEnd

export interface AttemptOptions<Taken> {
  /** Whether the reply is for whoever watches. */
  readonly isStreamed: boolean
  /** Makes of it what is wanted; done by who waits, it would cost a promise. */
  readonly take: (outcome: ModelOutcome, turn: Turn) => MaybePromise<Taken>
  /** Its number; default 1. */
  readonly attempt?: number
}

const maxAttempts = 20

const ofFrozen = { isOfFrozen: true }

/**
 * Asks the model, and again as often as the hooks at `llm.error` decide. What
 * is there at once is not waited for. The request is frozen throughout.
 */
export async function attemptModel<Taken>(
  turn: Turn,
  wanted: ModelRequest,
  options: AttemptOptions<Taken>,
): Promise<Taken> {
  const { clock } = turn.parts
  const { attempt = 1, take } = options
  const asking = ask(turn, llmPreCall, { request: wanted, attempt }, ofFrozen)
  const pre = asking instanceof Promise ? await asking : asking
  if (pre.type === 'reject' || pre.type === 'endTurn') {
    const status = pre.type === 'reject' ? 'rejected' : 'succeeded'
    return take(endWith(status, pre.reason, pre.by), turn)
  }
  tellChanges(turn, pre)
  // The very one that was judged, by which hooks know the call again at its end.
  const { request } = pre.value
  const stream = streamFor(turn, options)
  const isSynthetic = pre.type === 'respond'
  const startedMs = clock.now()
  const sending: MaybePromise<Attempted> = isSynthetic
    ? { response: readResponse(pre.output, turn) }
    : attemptOnce(turn, toSend(pre, wanted), stream)
  const made = sending instanceof Promise ? await sending : sending
  const about = { request, attempt, elapsedMs: clock.now() - startedMs }
  if (made.error !== undefined) {
    const failed = { about, error: made.error, stream }
    // Not waited for here: it would hold on to what this attempt was about.
    return recover(turn, wanted, options, failed)
  }
  const { response } = made
  const judging = askAbout(turn, about, response)
  const post = judging instanceof Promise ? await judging : judging
  const answer = answerOf(turn, post, { response, stream, isSynthetic })
  return take(answer instanceof Promise ? await answer : answer, turn)
}

interface FailedAttempt {
  readonly about: CallEnd
  readonly error: ModelError
  /** What may have gone out of it. */
  readonly stream: ReplyStream | undefined
}

/** Does what hooks decide about an attempt that has failed. */
async function recover<Taken>(
  turn: Turn,
  wanted: ModelRequest,
  options: AttemptOptions<Taken>,
  failed: FailedAttempt,
): Promise<Taken> {
  const { about, error } = failed
  const { attempt } = about
  const { take } = options
  const decision = await followError(turn, failed)
  if (decision.type === 'answer') {
    const response = readResponse(decision.response, turn)
    const stream = streamFor(turn, options)
    const post = await askAbout(turn, about, response)
    const answered = { response, stream, isSynthetic: true }
    return take(await answerOf(turn, post, answered), turn)
  }
  if (decision.type === 'give_up' || attempt >= maxAttempts) {
    return take({ type: 'gave-up', error, attempt }, turn)
  }
  await pause(turn.parts.clock, decision.afterMs ?? 0, turn.signal)
  const isSwitch = decision.type === 'switch_model'
  const next = isSwitch ? { ...wanted, model: decision.model } : wanted
  return attemptModel(turn, Object.freeze(next), {
    ...options,
    attempt: attempt + 1,
  })
}

/** What the model is given of a request that hooks may have changed. */
function toSend(
  { writers, value }: Outcome<typeof llmPreCall>,
  wanted: ModelRequest,
): ModelRequest {
  const { request } = value
  return writers.length === 0 ? request : withoutStaleMessages(request, wanted)
}

/** Tells whoever watches what hooks have made of a call before it is made. */
function tellChanges(turn: Turn, pre: Outcome<typeof llmPreCall>): void {
  const point = llmPreCall.name
  tellReplaced(turn, pre.writers, { point, subject: 'request' })
  if (pre.type !== 'respond') return
  tellInjected(turn, { hook: pre.by, point, subject: 'response' })
}

function streamFor(
  turn: Turn,
  { isStreamed }: { readonly isStreamed: boolean },
) {
  return isStreamed && turn.events.isWatched ? openStream(turn) : undefined
}

interface CallEnd {
  readonly request: ModelRequest
  readonly attempt: number
  readonly elapsedMs: number
}

/** Has a reply judged before its calls are made or anything goes out. */
function askAbout(
  turn: Turn,
  { request, attempt, elapsedMs }: CallEnd,
  response: ModelResponse,
): MaybePromise<Outcome<typeof llmPostCall>> {
  const type = 'response' as const
  const input = { type, request, attempt, elapsedMs, response }
  return ask(turn, llmPostCall, input, ofFrozen)
}

/** What is left of a reply that was judged. */
function answerOf(
  turn: Turn,
  post: Outcome<typeof llmPostCall>,
  {
    response,
    stream,
    isSynthetic,
  }: Pick<ModelAnswer, 'response' | 'stream' | 'isSynthetic'>,
): MaybePromise<ModelAnswer | CoreEnd> {
  if (post.type === 'reject') return withhold(turn, post, stream)
  const { name: point } = llmPostCall
  tellReplaced(turn, post.writers, { point, subject: 'response' })
  const left = post.value.response ?? response // it is there: it was given
  return {
    type: 'answer',
    response: left === response ? left : readChanged(left, response, turn),
    stream,
    isSynthetic,
    ending: post.type === 'endTurn' ? post : undefined,
  }
}

/** Tells hooks of a failed attempt, and asks them what follows. */
async function followError(
  turn: Turn,
  { about, error, stream }: FailedAttempt,
): Promise<RetryDecision> {
  const { request, attempt } = about
  try {
    await ask(turn, llmPostCall, { type: 'error', ...about, error })
    const isReleased = stream?.isReleased ?? false
    return await decide(turn, { request, attempt, error, isReleased })
  } finally {
    await stream?.close()
  }
}

async function withhold(
  turn: Turn,
  { by, reason }: { readonly by: string; readonly reason: string },
  stream: ReplyStream | undefined,
): Promise<CoreEnd> {
  await stream?.close()
  tellWithheld(
    turn,
    { by, reason },
    { point: llmPostCall.name, subject: 'response' },
  )
  return endWith('withheld', reason, by)
}

/** What follows a failed attempt; what is no decision is giving up. */
async function decide(
  turn: Turn,
  failed: InputOf<typeof llmError>,
): Promise<RetryDecision> {
  const decided = await ask(turn, llmError, failed)
  if (decided.type !== 'respond') return { type: 'give_up' }
  const { by, output } = decided
  switch (output.type) {
    case 'retry':
    case 'switch_model':
      // What was said cannot be unsaid, so it is not said a second time.
      if (failed.isReleased) return { type: 'give_up' }
      if (output.type === 'switch_model') {
        tellReplaced(turn, [by], { point: llmError.name, subject: 'request' })
      }
      return output
    case 'answer':
      tellInjected(turn, {
        hook: by,
        point: llmError.name,
        subject: 'response',
      })
      return output
    case 'give_up':
      return output
    default:
      return { type: 'give_up' }
  }
}
