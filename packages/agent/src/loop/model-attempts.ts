import { freezeDeep, type MaybePromise, type Outcome } from 'hookline'
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
import { chain } from './chain.ts'
import { tellInjected, tellReplaced, tellWithheld } from './edits.ts'
import { endWith } from './ends.ts'
import { type Attempted, attemptOnce } from './model-send.ts'
import { openStream } from './open-stream.ts'
import type { Turn } from './turn.ts'
import { pause } from './wait.ts'

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

const maxAttempts = 20

type Attempts = ModelAnswer | ModelGaveUp | CoreEnd

/** One try, and what comes after it if it fails. */
interface Attempt {
  readonly turn: Turn
  readonly first: ModelRequest
  readonly wanted: ModelRequest
  readonly attempt: number
  readonly options: AttemptOptions
}

/** Asks the model, and again as often as the hooks at `llm.error` decide. */
export function attemptModel(
  turn: Turn,
  first: ModelRequest,
  options: AttemptOptions,
): MaybePromise<Attempts> {
  const { firstAttempt: attempt = 1 } = options
  return beginAttempt({ turn, first, wanted: first, attempt, options })
}

const ofFrozen = { isOfFrozen: true }

function beginAttempt(one: Attempt): MaybePromise<Attempts> {
  const { turn, wanted, attempt } = one
  const request = freezeDeep(wanted)
  const asked = ask(turn, llmPreCall, { request, attempt }, ofFrozen)
  return chain(asked, (pre) => callOnce(one, pre))
}

function callOnce(
  one: Attempt,
  pre: Outcome<typeof llmPreCall>,
): MaybePromise<Attempts> {
  const { turn, attempt, options } = one
  const { clock } = turn.parts
  if (pre.type === 'reject') return endWith('rejected', pre.reason, pre.by)
  if (pre.type === 'endTurn') return endWith('succeeded', pre.reason, pre.by)
  tellReplaced(turn, pre.writers, {
    point: llmPreCall.name,
    subject: 'request',
  })
  const { request } = pre.value
  const stream = streamFor(turn, options)
  const startedMs = clock.now()
  const isSynthetic = pre.type === 'respond'
  const follow = (attempted: Attempted): MaybePromise<Attempts> => {
    const elapsedMs = clock.now() - startedMs
    const about = { request, attempt, elapsedMs, isSynthetic }
    if (attempted.error !== undefined) {
      return failOnce(one, about, attempted.error, stream)
    }
    return judgeReply(turn, attempted.response, about, stream)
  }
  if (isSynthetic) {
    tellInjected(turn, {
      hook: pre.by,
      point: llmPreCall.name,
      subject: 'response',
    })
    return follow({ response: pre.output })
  }
  const attempted = attemptOnce(turn, request, stream)
  return chain(attempted, follow)
}

/** An attempt has failed: hooks decide what follows. */
async function failOnce(
  one: Attempt,
  { isSynthetic: _, ...about }: CallEnd,
  error: ModelError,
  stream: ReplyStream | undefined,
): Promise<Attempts> {
  const { turn, first, attempt, options } = one
  const { request } = about
  await ask(turn, llmPostCall, { type: 'error', ...about, error })
  const isReleased = stream?.isReleased ?? false
  const decision = await decide(turn, { request, attempt, error, isReleased })
  await stream?.close()
  if (decision.type === 'answer') {
    const end = { ...about, isSynthetic: true }
    return judgeReply(turn, decision.response, end, streamFor(turn, options))
  }
  if (decision.type === 'give_up' || attempt >= maxAttempts) {
    return { type: 'gave-up', error, attempt }
  }
  await pause(turn.parts.clock, decision.afterMs ?? 0, turn.signal)
  const wanted =
    decision.type === 'switch_model'
      ? { ...first, model: decision.model }
      : one.wanted
  return beginAttempt({ ...one, wanted, attempt: attempt + 1 })
}

function streamFor(turn: Turn, { isStreamed }: AttemptOptions) {
  return isStreamed && turn.events.isWatched ? openStream(turn) : undefined
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
  { isSynthetic, request, attempt, elapsedMs }: CallEnd,
  stream: ReplyStream | undefined,
): MaybePromise<ModelAnswer | CoreEnd> {
  const type = 'response' as const
  freezeDeep(response)
  const input = { type, request, attempt, elapsedMs, response }
  const follow = (
    post: Outcome<typeof llmPostCall>,
  ): MaybePromise<ModelAnswer | CoreEnd> => {
    if (post.type === 'reject') return withhold(turn, post, stream)
    tellReplaced(turn, post.writers, {
      point: llmPostCall.name,
      subject: 'response',
    })
    return {
      type: 'answer',
      response: post.value.response ?? response, // it is there: it was given
      stream,
      isSynthetic,
      ending: post.type === 'endTurn' ? post : undefined,
    }
  }
  const asked = ask(turn, llmPostCall, input, ofFrozen)
  return chain(asked, follow)
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
