import { AgentError, type SteerOutcome } from '@hookline/agent'
import type { InboxMessage } from '@hookline/agent/durable'
import type { AgentEvent } from 'hookline/lifecycle'
import { ProtocolError } from '../protocol/errors.ts'
import { Again } from './again.ts'
import { AnswerMessages } from './answer-messages.ts'
import type { HeldSession, TurnOrder } from './held-session.ts'
import type { HostParts } from './host-parts.ts'
import {
  type Became,
  endsTurns,
  isInput,
  isInputWith,
  orderIn,
  outcomeTopic,
  textIn,
} from './inbox-messages.ts'
import { failureOf } from './protocol-errors.ts'
import { Recent } from './recent.ts'
import type { TurnRun } from './turn-run.ts'

const maxTaken = 2_000
const maxSteered = 100

export interface AttendantOptions {
  /** Whether turns are begun; else what is said waits for others. */
  readonly mayStart: () => boolean
  readonly onPresent: (sessionId: string, message: InboxMessage) => void
  /** Ends the session for good. */
  readonly close: (reason: 'closed' | 'deleted') => Promise<void>
  /** The session is not let go of meanwhile. */
  readonly keepFor: (work: () => Promise<void>) => void
}

/**
 * Does what is left in the inbox of a session that this process has: what is
 * said is said when no turn runs, all else at once. A message is done when its
 * effect is kept, so that whoever comes after a crash finds the rest. Words are
 * done by the journal itself, in one with what they became part of.
 */
export class InboxAttendant {
  readonly #parts: HostParts
  readonly #held: HeldSession
  readonly #options: AttendantOptions
  readonly #answers: AnswerMessages
  /** What is being done, and so is not begun again. */
  readonly #taken = new Set<string>()
  readonly #steered = new Recent<Promise<SteerOutcome>>(maxSteered)
  readonly #attending = new Again(() => this.#attendOnce())
  #left = 0

  constructor(parts: HostParts, held: HeldSession, options: AttendantOptions) {
    this.#parts = parts
    this.#held = held
    this.#options = options
    this.#answers = new AnswerMessages(parts, held.id, (id, became) =>
      this.#end(id, became),
    )
  }

  /** How many inputs waited when it last looked. */
  get left(): number {
    return this.#left
  }

  /** What becomes of words that were left for the turn that runs. */
  steered(messageId: string): Promise<SteerOutcome> | undefined {
    return this.#steered.get(messageId)
  }

  note(event: AgentEvent): void {
    this.#answers.note(event)
  }

  /** Settles when everything has been looked at that was there by now. */
  attend(): Promise<void> {
    return this.#attending.want()
  }

  async #attendOnce(): Promise<void> {
    if (this.#held.leaving !== undefined) return
    const all = await this.#parts.store.inbox.read(this.#held.id)
    await this.#handle(all.filter(({ id }) => !this.#taken.has(id)))
  }

  async #handle(messages: readonly InboxMessage[]): Promise<void> {
    if (this.#held.leaving !== undefined) return
    this.#goOn(messages)
    this.#left = 0
    for (const message of messages) {
      if (this.#held.leaving !== undefined) return
      if (this.#taken.has(message.id)) continue
      await this.#handleOne(message, messages)
    }
  }

  /** What another process has left comes before anything new. */
  #goOn(messages: readonly InboxMessage[]): void {
    const { session, run } = this.#held
    const { interrupted } = session
    if (run !== undefined || interrupted === undefined) return
    const over = messages.find(endsTurns)
    if (over !== undefined) {
      const reason = textIn(over.body, 'reason') ?? 'The turn was cancelled.'
      this.#held.resume(AbortSignal.abort(reason))
      return
    }
    if (!this.#options.mayStart()) return
    const { inputId } = interrupted
    const own = messages.find((message) => isInputWith(message, inputId))
    const order = own && orderIn(own)
    if (own === undefined || order === undefined) this.#held.resume()
    else this.#start(own, order)
  }

  async #handleOne(
    message: InboxMessage,
    all: readonly InboxMessage[],
  ): Promise<void> {
    switch (message.kind) {
      case 'send':
      case 'steer':
        this.#say(message)
        return
      case 'cancel':
        await this.#cancel(message, all)
        return
      case 'compact':
        this.#compact(message)
        return
      case 'close':
      case 'delete':
        await this.#close(message, all)
        return
      case 'answer':
        this.#taken.add(message.id)
        await this.#answers.take(message)
        return
      case 'present':
        this.#options.onPresent(message.sessionId, message)
        await this.#end(message.id)
        return
      default:
        // One that has been taken up needs no more; what is unknown, neither.
        await this.#end(message.id)
    }
  }

  get #mayStart(): boolean {
    const isFree = this.#held.run === undefined
    return isFree && this.#options.mayStart()
  }

  #say(message: InboxMessage): void {
    const order = orderIn(message)
    const isSteering = message.kind === 'steer' && this.#held.run !== undefined
    if (order === undefined) this.#drop(message, 'It is no input.')
    else if (isSteering) this.#steer(message, order)
    else if (this.#mayStart) this.#start(message, order)
    else this.#left++
  }

  #start(message: InboxMessage, order: TurnOrder): void {
    let run: TurnRun
    try {
      run = this.#held.start(order)
    } catch (error) {
      this.#refuse(message, error, order.inputId)
      return
    }
    this.#take(message.id)
    void run.end.then(({ type }) => {
      // What is in no journal is in the inbox still.
      if (type !== 'suspended' || run.isKept) this.#endQuietly(message.id)
    })
  }

  #steer(message: InboxMessage, order: TurnOrder): void {
    const { input, inputId, actor } = order
    const about = { id: inputId, message: message.id, ...(actor && { actor }) }
    let steered: Promise<SteerOutcome>
    try {
      steered = this.#held.session.steer(input, about)
    } catch (error) {
      this.#refuse(message, error, inputId)
      return
    }
    this.#take(message.id)
    this.#steered.set(message.id, steered)
    // Only what is part of no journal is left to be done.
    void steered.then((became) => {
      const isStaying = this.#held.leaving === undefined
      if (became.type === 'rejected' && isStaying) this.#endQuietly(message.id)
    })
  }

  /** What runs ends, and what waited before it was cancelled is not begun. */
  async #cancel(
    message: InboxMessage,
    all: readonly InboxMessage[],
  ): Promise<void> {
    const { run, session } = this.#held
    const only = textIn(message.body, 'inputId')
    const reason = textIn(message.body, 'reason')
    const before = all.slice(0, all.indexOf(message))
    for (const waiting of before) {
      if (waiting.kind !== 'send' || this.#taken.has(waiting.id)) continue
      const inputId = orderIn(waiting)?.inputId
      if (only !== undefined && inputId !== only) continue
      this.#drop(waiting, reason ?? 'It was cancelled.', inputId)
    }
    const isMeant = only === undefined || run?.inputId === only
    if (isMeant) session.cancel(reason)
    await this.#end(message.id)
  }

  /** As soon as no turn runs; whoever takes the session before does it. */
  #compact({ id }: InboxMessage): void {
    this.#take(id)
    this.#options.keepFor(async () => {
      let became: Became
      try {
        const outcome = await this.#held.session.compact()
        became = { type: 'ok', value: { outcome } }
      } catch (error) {
        this.#parts.noteError('compact', error)
        became = failureOf(error)
      }
      if (this.#held.leaving === undefined) this.#endQuietly(id, became)
    })
  }

  /** What was to come after what runs will not. */
  async #close(
    message: InboxMessage,
    all: readonly InboxMessage[],
  ): Promise<void> {
    const isDeleted = message.kind === 'delete'
    const reason = `The session was ${isDeleted ? 'deleted' : 'closed'}.`
    const others = all.filter(({ id }) => id !== message.id)
    for (const waiting of others) {
      if (this.#taken.has(waiting.id)) continue
      if (isInput(waiting)) {
        this.#drop(waiting, reason, orderIn(waiting)?.inputId)
      } else if (waiting.kind === 'compact') {
        const gone = new ProtocolError('gone', reason)
        await this.#end(waiting.id, failureOf(gone))
      }
    }
    try {
      await this.#options.close(isDeleted ? 'deleted' : 'closed')
      await this.#end(message.id, { type: 'ok', value: {} })
    } catch (error) {
      // Whoever asked is told, and may ask again.
      await this.#end(message.id, failureOf(error))
      throw error
    }
  }

  /** What the session does not take is dropped, where that is the input's fault. */
  #refuse(message: InboxMessage, error: unknown, inputId: string): void {
    // Whoever takes the session next tries.
    const isClosed =
      error instanceof AgentError && error.code === 'session-closed'
    if (isClosed) return
    const reason = error instanceof Error ? error.message : 'It failed.'
    this.#drop(message, reason, inputId)
  }

  /** It is never begun, and whoever waits for it is told so. */
  #drop(message: InboxMessage, reason: string, inputId = message.id): void {
    this.#take(message.id)
    this.#parts.tell('input-dropped', { inputId, reason }, this.#held.id)
    this.#endQuietly(message.id)
  }

  #take(id: string): void {
    this.#taken.add(id)
    const [oldest] = this.#taken
    if (this.#taken.size <= maxTaken || oldest === undefined) return
    this.#taken.delete(oldest)
  }

  async #end(id: string, became?: Became): Promise<void> {
    const { inbox, signals } = this.#parts.store
    await inbox.done([id], became && { ...became })
    // It may have been the last of a task.
    if (this.#held.session.parent !== undefined) this.#parts.lookSoon()
    if (became !== undefined) signals.tell(outcomeTopic(this.#held.id))
  }

  #endQuietly(id: string, became?: Became): void {
    this.#end(id, became).catch((error: unknown) =>
      this.#parts.noteError('inbox-done', error),
    )
  }
}
