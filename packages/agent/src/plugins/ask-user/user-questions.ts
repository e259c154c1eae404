import { type Clock, systemClock, type Timer } from 'hookline'
import type { Actor } from 'hookline/lifecycle'
import {
  problemOfAnswers,
  readAnswers,
  type UserAnswer,
  type UserQuestion,
} from './questions.ts'

/** Which questions: ids of calls are the model's, and unique in a session. */
export interface QuestionsKey {
  readonly sessionId: string
  /** The call that they are part of. */
  readonly callId: string
}

/** Questions that wait for the user. */
export interface PendingQuestions extends QuestionsKey {
  readonly agent: string
  readonly questions: readonly UserQuestion[]
}

/** Who says something, where that is known. */
export interface SaidBy {
  readonly by?: Actor | undefined
}

interface Answered extends SaidBy {
  readonly answers: readonly UserAnswer[]
}

/** What the user made of them. */
export type QuestionsEnd =
  | ({ readonly type: 'answered' } & Answered)
  | ({ readonly type: 'dismissed'; readonly reason: string } & SaidBy)
  | { readonly type: 'nobody'; readonly reason: string }

/** What became of an answer. `early`: it is kept until it is asked for. */
export type AnswerReceipt =
  | { readonly type: 'accepted' | 'early' | 'late' }
  | { readonly type: 'invalid'; readonly problem: string }

export interface UserQuestionsOptions {
  readonly clock?: Clock
  /** How long whoever left may take to come back; default 30 s. */
  readonly reconnectMs?: number
  /** Hears of listeners that throw. */
  readonly onError?: (error: unknown) => void
}

interface Waiting {
  readonly pending: PendingQuestions
  readonly settle: (end: QuestionsEnd) => void
}

const maxEarly = 20
const maxEarlySessions = 1_000
const maxSettled = 1_000
const defaultReconnectMs = 30_000

/** The questions of all sessions, and whoever is there to answer them. */
export class UserQuestions {
  readonly #clock: Clock
  readonly #reconnectMs: number
  readonly #onError: (error: unknown) => void
  readonly #waiting = new Map<string, Waiting>()
  /** How many are there to answer, by session. */
  readonly #present = new Map<string, number>()
  /** Who has left, and may come back. */
  readonly #leaving = new Map<string, Timer>()
  /** By session, then by call. */
  readonly #early = new Map<string, Map<string, Answered>>()
  readonly #settled = new Set<string>()
  readonly #listeners = new Set<(pending: PendingQuestions) => void>()

  constructor(options: UserQuestionsOptions = {}) {
    this.#clock = options.clock ?? systemClock
    this.#reconnectMs = options.reconnectMs ?? defaultReconnectMs
    this.#onError = options.onError ?? (() => {})
  }

  /** Somebody is there for a session; call the result when they leave. */
  connect(sessionId: string): () => void {
    this.#present.set(sessionId, this.#count(sessionId) + 1)
    this.#leaving.get(sessionId)?.stop()
    this.#leaving.delete(sessionId)
    let isHere = true
    return () => {
      if (!isHere) return
      isHere = false
      this.#present.set(sessionId, this.#count(sessionId) - 1)
      if (this.isConnected(sessionId)) return
      const timer = this.#clock.after(this.#reconnectMs, () =>
        this.#noticeGone(sessionId),
      )
      // The process stays for it only while somebody waits.
      timer.hold(this.pending(sessionId).length > 0)
      this.#leaving.set(sessionId, timer)
    }
  }

  isConnected(sessionId: string): boolean {
    return this.#count(sessionId) > 0
  }

  /** Of one session, or of all, in the order they were asked in. */
  pending(sessionId?: string): readonly PendingQuestions[] {
    const all = [...this.#waiting.values()].map(({ pending }) => pending)
    if (sessionId === undefined) return all
    return all.filter((one) => one.sessionId === sessionId)
  }

  /** Calls back for everything that is asked from now on. */
  onAsked(listener: (pending: PendingQuestions) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Asks, and waits; where nobody is there, it says so at once. */
  ask(asked: PendingQuestions, signal: AbortSignal): Promise<QuestionsEnd> {
    const { sessionId, questions } = asked
    const key = keyOf(asked)
    const early = this.#takeEarly(asked)
    if (early && problemOfAnswers(questions, early.answers) === undefined) {
      this.#remember(key)
      return Promise.resolve({ type: 'answered', ...early })
    }
    // Whoever has just left may still come back.
    if (!this.#present.has(sessionId)) {
      const reason = 'Nobody is there to answer.'
      return Promise.resolve({ type: 'nobody', reason })
    }
    const reason = 'It was asked again.'
    this.#waiting.get(key)?.settle({ type: 'dismissed', reason })
    return new Promise((resolve) => {
      const onAbort = () =>
        settle({ type: 'dismissed', reason: 'The turn was cancelled.' })
      const settle = (end: QuestionsEnd) => {
        signal.removeEventListener('abort', onAbort)
        this.#waiting.delete(key)
        this.#remember(key)
        resolve(end)
      }
      this.#waiting.set(key, { pending: asked, settle })
      this.#leaving.get(sessionId)?.hold(true)
      signal.addEventListener('abort', onAbort)
      if (signal.aborted) onAbort()
      else this.#tell(asked)
    })
  }

  /** The first valid answer counts; what is given may be anything. */
  answer(
    place: QuestionsKey,
    given: unknown,
    { by }: SaidBy = {},
  ): AnswerReceipt {
    const key = keyOf(place)
    const answers = readAnswers(given)
    if (answers === undefined) {
      return { type: 'invalid', problem: 'These are no answers.' }
    }
    const waiting = this.#waiting.get(key)
    if (waiting === undefined) {
      if (this.#settled.has(key)) return { type: 'late' }
      this.#keepEarly(place, { answers, by })
      return { type: 'early' }
    }
    const problem = problemOfAnswers(waiting.pending.questions, answers)
    if (problem !== undefined) return { type: 'invalid', problem }
    waiting.settle({ type: 'answered', answers, by })
    return { type: 'accepted' }
  }

  /** The user does not want to answer. */
  dismiss(
    place: QuestionsKey,
    reason = 'The user does not want to answer.',
    { by }: SaidBy = {},
  ): boolean {
    const waiting = this.#waiting.get(keyOf(place))
    waiting?.settle({ type: 'dismissed', reason, by })
    return waiting !== undefined
  }

  #count(sessionId: string): number {
    return this.#present.get(sessionId) ?? 0
  }

  #tell(asked: PendingQuestions): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(asked)
      } catch (error) {
        // One that fails keeps the question from nobody else.
        this.#onError(error)
      }
    }
  }

  #noticeGone(sessionId: string): void {
    this.#leaving.delete(sessionId)
    this.#present.delete(sessionId)
    this.#early.delete(sessionId)
    for (const { pending, settle } of [...this.#waiting.values()]) {
      if (pending.sessionId !== sessionId) continue
      settle({ type: 'nobody', reason: 'The user left without an answer.' })
    }
  }

  #takeEarly({ sessionId, callId }: QuestionsKey) {
    const ofSession = this.#early.get(sessionId)
    const answers = ofSession?.get(callId)
    ofSession?.delete(callId)
    return answers
  }

  #keepEarly({ sessionId, callId }: QuestionsKey, answered: Answered): void {
    const ofSession = this.#early.get(sessionId) ?? new Map<string, Answered>()
    this.#early.set(sessionId, ofSession)
    if (!ofSession.has(callId)) ofSession.set(callId, answered)
    forgetOldest(ofSession, maxEarly)
    forgetOldest(this.#early, maxEarlySessions)
  }

  #remember(key: string): void {
    this.#settled.add(key)
    forgetOldest(this.#settled, maxSettled)
  }
}

function keyOf({ sessionId, callId }: QuestionsKey): string {
  return JSON.stringify([sessionId, callId])
}

function forgetOldest(
  kept: Map<string, unknown> | Set<string>,
  max: number,
): void {
  const [oldest] = kept.keys()
  if (kept.size > max && oldest !== undefined) kept.delete(oldest)
}
