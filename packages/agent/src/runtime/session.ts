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
import { Cancellation } from '../loop/cancellation.ts'
import { type CompactionOutcome, isOverShare } from '../loop/compact.ts'
import { tellContext, tellTurnStart } from '../loop/edits.ts'
import type { TurnSession } from '../loop/parts.ts'
import { runTurn } from '../loop/run-turn.ts'
import { canWaitOn } from '../loop/suspension.ts'
import type { SteerOutcome, Turn } from '../loop/turn.ts'
import { AgentError } from '../ports/agent-error.ts'
import { Suspension } from '../ports/approvals.ts'
import type { OpenTurn } from '../ports/store.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import { readOutputSchema } from '../tools/output-schema.ts'
import { readResult } from '../tools/read-result.ts'
import { ClientCalls, hasCall } from './client-calls.ts'
import { compactBetween } from './compact-between.ts'
import { contentOf } from './content-of.ts'
import { endSession } from './end-session.ts'
import { finishTurn } from './finish-turn.ts'
import {
  type InterruptedTurn,
  interruptedTurn,
  isInputOf,
} from './interrupted-turn.ts'
import { KnownInputs } from './known-inputs.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import { createCounter, nothingSent, type Sent, sentBefore } from './sent.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionStart } from './session-start.ts'
import type { OpeningContext } from './start-session.ts'
import { type SendOptions, startTurn } from './start-turn.ts'
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
    const content = contentOf(input)
    const id = this.#host.parts.nextId()
    const bus = new EventBus(this.#bus)
    const known = this.#inputs.find(options.id)?.finally(() => bus.end())
    if (known !== undefined) {
      // Whoever asks for a value again asks for one of the same schema.
      const answer = known as Promise<TurnResult<Value>>
      return new TurnHandle(id, bus, answer, () => {})
    }
    if (this.#open !== undefined) {
      if (isInputOf(this.#open, options.id)) return this.resume<Value>()
      const left = sentBefore(this.#open, new EventBus(this.#bus), true)
      this.#queue.add(() => this.#run(left)).catch(() => {})
      this.#open = undefined
    }
    const output = options.output && readOutputSchema(options.output)
    const controller = new Cancellation()
    return this.#start({ id, content, options, output, controller, bus })
  }

  /** The turn that was running when an earlier process stopped. */
  get interrupted(): InterruptedTurn | undefined {
    return this.#open && interruptedTurn(this.#open)
  }

  /** Goes on with the interrupted turn, from its last step on. */
  resume<Value = unknown>(): TurnHandle<Value> {
    this.#checkOpen()
    const open = this.#open
    if (open === undefined) {
      const message = `No turn of session "${this.id}" was interrupted.`
      throw new AgentError('invalid-call', message)
    }
    this.#open = undefined
    // A core that cannot go on has its turn brought to an end.
    const isAbandoned = this.#agent.core.canResume !== true
    return this.#start(sentBefore(open, new EventBus(this.#bus), isAbandoned))
  }

  #start<Value>(sent: Sent): TurnHandle<Value> {
    const { id, options, controller, bus } = sent
    const result = this.#queue.add(() => this.#run(sent))
    if (options.id !== undefined) this.#inputs.add(options.id, result)
    this.#controllers.add(controller)
    const cancel = (reason?: string) => controller.abort(reason)
    // The value was checked by the schema that types it.
    const answer = result as Promise<TurnResult<Value>>
    return new TurnHandle(id, bus, answer, cancel)
  }

  /** Says something to the turn that runs; if none does, it becomes one. */
  steer(input: string | UserContent): Promise<SteerOutcome> {
    this.#checkOpen()
    const content = contentOf(input)
    const running = this.#running
    if (running === undefined) return Promise.resolve(this.#sendLater(content))
    return new Promise((resolve) => {
      running.steering.push({ content, settle: resolve })
    })
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
  idle(): Promise<void> {
    return this.#queue.idle()
  }

  /** Everything that happens in the session from now on. */
  subscribe(options?: SubscribeOptions): Subscription {
    return this.#bus.subscribe(options)
  }

  /** Ends the session for good. */
  async close(reason: SessionEndReason = 'closed'): Promise<void> {
    if (this.#isClosed) return
    await this.#leave('The session was closed.')
    await endSession(this.#host, this.#agent, this, reason)
  }

  /** Lets go of the session here; it can go on elsewhere, or later. */
  async detach(reason = 'The session was detached.'): Promise<void> {
    const isKept = this.#running !== undefined && canWaitOn(this.#running)
    await this.#leave(isKept ? new Suspension() : reason)
    await this.#host.parts.store?.release?.(this.id)
  }

  async #leave(reason: string | Suspension): Promise<void> {
    this.#isClosed = true
    for (const controller of this.#controllers) controller.abort(reason)
    await this.idle()
    this.#host.forget(this.id)
    this.#bus.end()
  }

  #checkOpen(): void {
    if (!this.#isClosed && !this.#agent.isLeaving) return
    const message = `Session "${this.id}" takes no more turns.`
    throw new AgentError('session-closed', message)
  }

  #turnFor(sent: Sent): Turn {
    const { id: sessionId, cwd } = this
    const { conversation, actor, parent } = this.#begun
    const forward: TurnSession['forward'] = (call, signal) => {
      this.#clients ??= new ClientCalls()
      return this.#clients.forward(call, signal)
    }
    return startTurn(this.#host, {
      ...sent,
      number: this.#turns,
      agent: this.#agent,
      session: { id: sessionId, cwd, forward },
      conversation,
      actor: sent.options.actor ?? actor,
      nextSeq: this.#nextSeq,
      signal: sent.controller,
      parent,
    })
  }

  async #run(sent: Sent): Promise<TurnResult> {
    const { id, content, options, controller, bus } = sent
    const { turns } = this.#host
    if (sent.open === undefined) this.#turns++
    const turn = this.#turnFor(sent)
    if (this.#opening.length > 0) {
      turn.progress.context = this.#opening.flatMap(({ entries }) => entries)
    }
    const unfollow = options.signal && controller.follow(options.signal)
    const stopClock = limitWallTime(turn, (reason) => controller.abort(reason))
    const agent = this.#agent
    turns.set(id, { turn, agent, bus, nextSeq: this.#nextSeq })
    this.#running = turn
    try {
      if (turn.events.isWatched) await tellTurnStart(turn)
      for (const { point, entries } of this.#opening) {
        tellContext(turn, point, entries)
      }
      const result = await runTurn(turn, content)
      // A turn that was refused has not used what the session began with.
      if (result.status !== 'rejected') this.#opening = []
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
    for (const { content, settle } of turn.steering.splice(0)) {
      settle(this.#sendLater(content))
    }
    finishTurn(this.#host, turn)
    if (turn.signal.aborted || !isOverShare(turn, 'soft')) return
    const work = () => this.#compact('threshold', {})
    this.#queue.add(work).catch(() => {})
  }

  /** Part of no turn, but with a moment of its own; closing ends it. */
  async #compact(
    trigger: CompactionTrigger,
    hint: CompactionHint,
  ): Promise<CompactionOutcome> {
    const id = this.#host.parts.nextId()
    const sent = nothingSent(id, new EventBus(this.#bus))
    const turn = this.#turnFor(sent)
    this.#controllers.add(sent.controller)
    if (this.#isClosed) sent.controller.abort()
    try {
      return await compactBetween(this.#host, turn, trigger, hint)
    } finally {
      this.#controllers.delete(sent.controller)
    }
  }

  #sendLater(content: UserContent): SteerOutcome {
    if (this.#isClosed || this.#agent.isLeaving) {
      return { type: 'rejected', reason: 'The session takes no more turns.' }
    }
    const { id: turnId } = this.send(content)
    return { type: 'queued', turnId }
  }
}
