import type {
  Actor,
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
import {
  type CompactionOutcome,
  compact,
  isOverShare,
} from '../loop/compact.ts'
import type { Conversation } from '../loop/conversation.ts'
import { tellContext } from '../loop/edits.ts'
import { runTurn } from '../loop/run-turn.ts'
import type { SteerOutcome, Turn } from '../loop/turn.ts'
import { wakeAfter } from '../loop/wait.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import { type OutputSchema, readOutputSchema } from '../tools/output-schema.ts'
import { readResult } from '../tools/read-result.ts'
import { ClientCalls, hasCall } from './client-calls.ts'
import { contentOf } from './content-of.ts'
import { endSession } from './end-session.ts'
import { finishTurn } from './finish-turn.ts'
import { KnownInputs } from './known-inputs.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionStart } from './session-start.ts'
import type { OpeningContext } from './start-session.ts'
import { type RunningTurn, type SendOptions, startTurn } from './start-turn.ts'
import { TurnHandle } from './turn-handle.ts'
import { limitWallTime } from './wall-limit.ts'
import { WorkQueue } from './work-queue.ts'

/** Something that was said, and what it is answered with. */
interface Sent {
  readonly id: string
  readonly content: UserContent
  readonly options: SendOptions
  readonly output: OutputSchema | undefined
  readonly controller: Cancellation
  readonly bus: EventBus
}

const maxCompactionMs = 120_000

/** A conversation with an agent: one turn at a time, in the order asked for. */
export class Session {
  readonly id: string
  readonly cwd: string
  readonly #host: SessionHost
  readonly #agent: RegisteredAgent
  readonly #parent: RunningTurn | undefined
  readonly #actor: Actor | undefined
  readonly #conversation: Conversation
  readonly #bus: EventBus
  readonly #nextSeq: () => number
  #clients: ClientCalls | undefined
  readonly #inputs: KnownInputs
  readonly #queue = new WorkQueue()
  readonly #controllers = new Set<Cancellation>()
  #opening: readonly OpeningContext[]
  #turns: number
  #running: Turn | undefined
  #isClosed = false

  constructor(host: SessionHost, agent: RegisteredAgent, start: SessionStart) {
    this.id = start.id
    this.cwd = start.cwd
    this.#host = host
    this.#agent = agent
    this.#parent = start.parent
    this.#actor = start.actor
    this.#conversation = start.conversation
    this.#bus = new EventBus(start.parent?.bus ?? host.bus)
    this.#nextSeq = start.parent?.nextSeq ?? createCounter()
    this.#opening = start.opening
    this.#turns = start.turns
    this.#inputs = new KnownInputs(start.inputs)
  }

  /** The name of the agent. */
  get agent(): string {
    return this.#agent.name
  }

  /** The conversation as later turns will know it. */
  get messages(): readonly Message[] {
    return this.#conversation.history
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
    // Whoever asks for a value again asks for one of the same schema.
    type Answer = Promise<TurnResult<Value>>
    if (known !== undefined) {
      return new TurnHandle(id, bus, known as Answer, () => {})
    }
    const controller = new Cancellation()
    const output = options.output && readOutputSchema(options.output)
    const sent = { id, content, options, output, controller, bus }
    const result = this.#queue.add(() => this.#run(sent))
    if (options.id !== undefined) this.#inputs.add(options.id, result)
    this.#controllers.add(controller)
    const cancel = (reason?: string) => controller.abort(reason)
    // The value was checked by the schema that types it.
    return new TurnHandle(id, bus, result as Answer, cancel)
  }

  /** Says something to the turn that runs; if none does, it becomes one. */
  steer(input: string | UserContent): Promise<SteerOutcome> {
    this.#checkOpen()
    const content = contentOf(input)
    const running = this.#running
    if (running === undefined) {
      const { id: turnId } = this.send(content)
      return Promise.resolve({ type: 'queued', turnId })
    }
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
    const isAsked = hasCall(this.#conversation.last, callId)
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
    await this.detach('The session was closed.')
    await endSession(this.#host, this.#agent, this, reason)
  }

  /** Lets go of the session here; it can go on elsewhere, or later. */
  async detach(reason = 'The session was detached.'): Promise<void> {
    this.#isClosed = true
    this.cancel(reason)
    await this.idle()
    this.#host.forget(this.id)
    this.#bus.end()
  }

  #checkOpen(): void {
    if (!this.#isClosed && !this.#agent.isLeaving) return
    const message = `Session "${this.id}" takes no more turns.`
    throw new AgentError('session-closed', message)
  }

  #start({ id, options, output, controller, bus }: Sent): Turn {
    const { id: sessionId, cwd } = this
    return startTurn(this.#host, {
      id,
      number: this.#turns,
      agent: this.#agent,
      session: {
        id: sessionId,
        cwd,
        forward: (call, signal) => {
          this.#clients ??= new ClientCalls()
          return this.#clients.forward(call, signal)
        },
      },
      conversation: this.#conversation,
      actor: options.actor ?? this.#actor,
      bus,
      nextSeq: this.#nextSeq,
      signal: controller,
      options,
      output,
      parent: this.#parent,
    })
  }

  async #run(sent: Sent): Promise<TurnResult> {
    const { id, content, options, controller, bus } = sent
    const { turns } = this.#host
    const number = ++this.#turns
    const turn = this.#start(sent)
    if (this.#opening.length > 0) {
      turn.progress.context = this.#opening.flatMap(({ entries }) => entries)
    }
    const unfollow = options.signal && controller.follow(options.signal)
    const stopClock = limitWallTime(turn, (reason) => controller.abort(reason))
    const agent = this.#agent
    turns.set(id, { turn, agent, bus, nextSeq: this.#nextSeq })
    this.#running = turn
    try {
      const { origin } = turn.progress.scope
      if (turn.events.isWatched) {
        await turn.events.emit({ type: 'turn-start', turn: number, origin })
      }
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
    const { signal } = turn
    finishTurn(this.#host, turn)
    if (signal.aborted || !isOverShare(turn, 'soft')) return
    const work = () => this.#compact('threshold', {})
    this.#queue.add(work).catch(() => {})
  }

  /** Part of no turn, but with a moment of its own; closing ends it. */
  async #compact(
    trigger: CompactionTrigger,
    hint: CompactionHint,
  ): Promise<CompactionOutcome> {
    const id = this.#host.parts.nextId()
    const controller = new Cancellation()
    const bus = new EventBus(this.#bus)
    const sent = { id, content: [], options: {}, output: undefined, bus }
    const turn = this.#start({ ...sent, controller })
    this.#controllers.add(controller)
    if (this.#isClosed) controller.abort()
    const { clock } = this.#host.parts
    const giveUp = () => controller.abort('The summary took too long.')
    const stopClock = wakeAfter(clock, maxCompactionMs, giveUp)
    try {
      return await compact(turn, trigger, hint)
    } finally {
      stopClock()
      this.#controllers.delete(controller)
      finishTurn(this.#host, turn)
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

function createCounter(): () => number {
  let count = 0
  return () => ++count
}
