import type {
  CompactionHint,
  CompactionTrigger,
  Message,
  SessionEndReason,
  ToolResult,
  UserContent,
} from 'hookline/lifecycle'
import { EventBus } from '../events/event-bus.ts'
import type { SubscribeOptions, Subscription } from '../events/subscription.ts'
import type { Cancellation } from '../loop/cancellation.ts'
import { type CompactionOutcome, isOverShare } from '../loop/compact.ts'
import { tellTurnStart } from '../loop/edits.ts'
import type { TurnSession } from '../loop/parts.ts'
import { runTurn } from '../loop/run-turn.ts'
import { canWaitOn } from '../loop/suspension.ts'
import type { SteerOptions, SteerOutcome, Turn } from '../loop/turn.ts'
import { Suspension } from '../ports/approvals.ts'
import type { OpenTurn } from '../ports/store.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import { readResult } from '../tools/read-result.ts'
import { ClientCalls, hasCall } from './client-calls.ts'
import { compactBetween } from './compact-between.ts'
import { contentOf } from './content-of.ts'
import { closedSession, endSession } from './end-session.ts'
import { finishTurn } from './finish-turn.ts'
import {
  canGoOn,
  type InterruptedTurn,
  interruptedTurn,
  isInputOf,
  openTurnOf,
} from './interrupted-turn.ts'
import { KnownInputs } from './known-inputs.ts'
import { type Leave, leaveSession, type Why } from './leave-session.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import {
  createCounter,
  nothingSent,
  type Sent,
  sentBefore,
  sentLater,
  sentNow,
} from './sent.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionStart } from './session-start.ts'
import { turnOf } from './session-turn.ts'
import { type OpeningContext, showOpening } from './start-session.ts'
import type { ResumeOptions, SendOptions } from './start-turn.ts'
import { TurnHandle } from './turn-handle.ts'
import { limitWallTime } from './wall-limit.ts'
import { WorkQueue } from './work-queue.ts'

/** A conversation with an agent: one turn at a time, in the order asked for. */
export class Session {
  readonly id: string
  readonly cwd: string
  readonly #host: SessionHost
  readonly #agent: RegisteredAgent
  readonly #begun: SessionStart
  readonly #bus: EventBus
  readonly #nextSeq: () => number
  #clients: ClientCalls | undefined
  readonly #inputs: KnownInputs
  readonly #queue = new WorkQueue()
  readonly #controllers = new Set<Cancellation>()
  #opening: readonly OpeningContext[]
  /** What another process has left, until it is taken up or brought to an end. */
  #open: OpenTurn | undefined
  #turns: number
  #running: Turn | undefined
  #isClosed = false
  #leaving: Promise<void> | undefined

  constructor(host: SessionHost, agent: RegisteredAgent, start: SessionStart) {
    this.id = start.id
    this.cwd = start.cwd
    this.#host = host
    this.#agent = agent
    this.#begun = start
    this.#bus = new EventBus(start.parent?.bus ?? host.bus)
    this.#nextSeq = start.parent?.nextSeq ?? createCounter()
    this.#opening = start.opening
    this.#open = start.openTurn
    this.#turns = start.turns
    this.#inputs = new KnownInputs(start.inputs)
  }

  /** The name of the agent. */
  get agent(): string {
    return this.#agent.name
  }

  /** The session that it works for, if it works for one. */
  get parent(): string | undefined {
    return this.#begun.works?.sessions.at(-1)
  }

  /** The conversation as later turns will know it. */
  get messages(): readonly Message[] {
    return this.#begun.conversation.history
  }

  /** Says something; the turn begins when those before it have ended. */
  send<Value = unknown>(
    input: string | UserContent,
    options: SendOptions<Value> = {},
  ): TurnHandle<Value> {
    this.#checkOpen()
    const id = this.#host.parts.nextId()
    const bus = new EventBus(this.#bus)
    const sent = sentNow(id, bus, { input, options })
    const known = this.#inputs.find(options.id, sent.digest, () => bus.end())
    if (known !== undefined) {
      // Whoever asks for a value again asks for one of the same schema.
      const answer = known as Promise<TurnResult<Value>>
      return new TurnHandle(id, bus, answer, () => {})
    }
    if (this.#open !== undefined) {
      const isSame = isInputOf(this.#open, options.id, sent.digest)
      if (isSame) return this.resume(options)
      this.#endLeft(this.#open)
    }
    return this.#start(sent)
  }

  /** The turn that was running when an earlier process stopped. */
  get interrupted(): InterruptedTurn | undefined {
    return this.#open && interruptedTurn(this.#open)
  }

  /** Goes on with the interrupted turn, from its last step on. */
  resume<Value>(options: ResumeOptions<Value> = {}): TurnHandle<Value> {
    this.#checkOpen()
    const open = openTurnOf(this.id, this.#open)
    const isLeft = !canGoOn(this.#agent, open, options)
    const bus = new EventBus(this.#bus)
    this.#open = undefined
    return this.#start(sentBefore(open, bus, options, isLeft))
  }

  #start<Value>(sent: Sent): TurnHandle<Value> {
    const { id, options, digest, controller, bus } = sent
    const result = this.#queue.add(() => this.#run(sent))
    if (options.id) this.#inputs.add(options.id, { result, digest })
    this.#controllers.add(controller)
    const cancel = (reason?: string) => controller.abort(reason)
    // The value was checked by the schema that types it.
    const answer = result as Promise<TurnResult<Value>>
    return new TurnHandle(id, bus, answer, cancel)
  }

  /** Says something to the turn that runs; if none does, it becomes one. */
  steer(
    input: string | UserContent,
    options: SteerOptions = {},
  ): Promise<SteerOutcome> {
    this.#checkOpen()
    const content = contentOf(input)
    const { promise, resolve: settle } = Promise.withResolvers<SteerOutcome>()
    if (this.#running) this.#running.steering.push({ content, options, settle })
    else settle(sentLater(() => this.send(content, options)))
    return promise
  }

  /** Ends the turn that runs, and those that wait. */
  cancel(reason?: string): void {
    for (const controller of this.#controllers) controller.abort(reason)
  }

  /** Makes the conversation shorter, as soon as no turn runs. */
  compact(hint: CompactionHint = {}): Promise<CompactionOutcome> {
    this.#checkOpen()
    return this.#queue.add(() => this.#compact('manual', hint))
  }

  /** Gives the result of a call that was handed to the client. */
  resolveCall(callId: string, result: ToolResult): void {
    this.#clients ??= new ClientCalls()
    const isAsked = hasCall(this.#begun.conversation.last, callId)
    this.#clients.resolve(callId, readResult(result), isAsked)
  }

  /** Settles when no turn runs or waits. */
  async idle(): Promise<void> {
    await this.#queue.idle()
  }

  /** Everything that happens in the session from now on. */
  subscribe(options?: SubscribeOptions): Subscription {
    return this.#bus.subscribe(options)
  }

  /** Ends the session for good. */
  close(reason: SessionEndReason = 'closed'): Promise<void> {
    if (!this.#isClosed && this.#open !== undefined) this.#endLeft(this.#open)
    const ending = { begun: this.#begun, turnFor: this.#turnFor }
    return this.#leave('The session was closed.', () =>
      endSession(this.#host, this.#agent, ending, reason),
    )
  }

  /** Lets go of it here; what waits for people, or is suspended, goes on later. */
  detach(reason: Why = 'The session was detached.'): Promise<void> {
    const isKept = this.#running !== undefined && canWaitOn(this.#running)
    return this.#leave(isKept ? new Suspension() : reason, () =>
      this.#host.parts.store?.release?.(this.id),
    )
  }

  /** Brings to an end what another process has left, and nobody goes on with. */
  #endLeft(open: OpenTurn): void {
    const left = sentBefore(open, new EventBus(this.#bus), {}, true)
    this.#queue.add(() => this.#run(left)).catch(() => {})
    this.#open = undefined
  }

  /** Once, whoever asks for it. */
  #leave(reason: Why, end: Leave): Promise<void> {
    this.#isClosed = true
    for (const controller of this.#controllers) controller.abort(reason)
    const left = { begun: this.#begun, queue: this.#queue, bus: this.#bus }
    this.#leaving ??= leaveSession(this.#host, left, end)
    return this.#leaving
  }

  #checkOpen(): void {
    if (this.#isClosed || this.#agent.isLeaving) throw closedSession(this.id)
  }

  /** Hooks can ask on its behalf from now on, until it is finished. */
  readonly #turnFor = (sent: Sent): Turn => {
    const forward: TurnSession['forward'] = (call, signal) => {
      this.#clients ??= new ClientCalls()
      return this.#clients.forward(call, signal)
    }
    const agent = this.#agent
    const begun = this.#begun
    const nextSeq = this.#nextSeq
    const about = { agent, begun, number: this.#turns, nextSeq, forward }
    const turn = turnOf(this.#host, sent, about)
    const isWaited = begun.parent !== undefined
    const running = { turn, bus: sent.bus, agent, nextSeq, isWaited }
    this.#host.turns.set(sent.id, running)
    return turn
  }

  async #run(sent: Sent): Promise<TurnResult> {
    const { content, options, controller, bus } = sent
    if (sent.open === undefined) this.#turns++
    const turn = this.#turnFor(sent)
    const unfollow = options.signal && controller.follow(options.signal)
    const stopClock = limitWallTime(turn, (reason) => controller.abort(reason))
    this.#running = turn
    try {
      if (turn.events.isWatched) await tellTurnStart(turn)
      if (this.#opening.length > 0) showOpening(turn, this.#opening)
      const result = await runTurn(turn, content)
      // A turn that was refused has not used what the session began with.
      if (result.status !== 'rejected') this.#opening = []
      this.#inputs.forgetLost(options.id, result, turn.progress)
      return result
    } finally {
      stopClock()
      unfollow?.()
      this.#controllers.delete(controller)
      this.#running = undefined
      this.#clients = undefined
      bus.end()
      this.#settle(turn)
    }
  }

  /** What is left to do when a turn has its result. */
  #settle(turn: Turn): void {
    for (const { content, options, settle } of turn.steering.splice(0)) {
      settle(sentLater(() => this.send(content, options)))
    }
    finishTurn(this.#host, turn)
    if (turn.signal.aborted || !isOverShare(turn, 'soft')) return
    this.#queue.add(() => this.#compact('threshold', {})).catch(() => {})
  }

  /** Part of no turn, but with a moment of its own; closing ends it. */
  async #compact(
    trigger: CompactionTrigger,
    hint: CompactionHint,
  ): Promise<CompactionOutcome> {
    const bus = new EventBus(this.#bus)
    const sent = nothingSent(this.#host.parts.nextId(), bus)
    const turn = this.#turnFor(sent)
    this.#controllers.add(sent.controller)
    if (this.#isClosed) sent.controller.abort()
    try {
      return await compactBetween(this.#host, turn, trigger, hint)
    } finally {
      this.#controllers.delete(sent.controller)
    }
  }
}
