import { AgentError, type AgentErrorCode } from '@hookline/agent'
import {
  type AbandonedTurn,
  dropDeadWorkers,
  listAbandoned,
  topics,
  type WaitingSession,
} from '@hookline/agent/durable'
import { Again } from './again.ts'
import { endings, endUnopened, isUnopened } from './end-unopened.ts'
import type { HeldSessions } from './held-sessions.ts'
import type { HostParts } from './host-parts.ts'
import { type Offered, Rounds } from './rounds.ts'
import { Setbacks } from './setbacks.ts'
import type { TaskDesk } from './tasks.ts'
import type { WakeDesk } from './wakes.ts'

const limit = 200
/** What can be done for a turn that waits for people. */
const urgent: ReadonlySet<string> = new Set(['cancel', ...endings])
/** What is over in the next moment, and nobody's fault. */
const passing: ReadonlySet<AgentErrorCode> = new Set([
  'session-elsewhere',
  'session-exists',
  'session-closed',
  'runtime-closed',
])

/**
 * Takes the sessions that nobody has and that have something to do: turns that
 * a process left when it died, those whose question was answered, and what was
 * said to a session meanwhile. Of all daemons that try, one gets a session.
 */
export class TakeOver {
  readonly #parts: HostParts
  readonly #sessions: HeldSessions
  readonly #wakes: WakeDesk
  readonly #tasks: TaskDesk
  readonly #taking = new Map<string, Promise<void>>()
  readonly #setbacks: Setbacks
  readonly #abandoned: Rounds<AbandonedTurn>
  readonly #waiting: Rounds<WaitingSession>
  #unfollow: readonly (() => void)[] = []
  readonly #looking = new Again(() => this.#look())
  /** Until it is started, as well. */
  #isStopped = true

  constructor(
    parts: HostParts,
    desks: {
      readonly sessions: HeldSessions
      readonly wakes: WakeDesk
      readonly tasks: TaskDesk
    },
  ) {
    this.#parts = parts
    this.#sessions = desks.sessions
    this.#wakes = desks.wakes
    this.#tasks = desks.tasks
    const { clock, store } = parts
    this.#setbacks = new Setbacks(clock)
    this.#abandoned = new Rounds({
      limit,
      read: (count, skip) => listAbandoned(store.parts, count, { skip }),
    })
    this.#waiting = new Rounds({
      limit,
      read: (count, skip) => store.inbox.waiting(count, skip),
    })
  }

  start(): void {
    this.#isStopped = false
    const { signals } = this.#parts.store
    const look = () => this.look()
    const { inbox, wakes, answers } = topics
    // Also every now and then, should a word be lost.
    this.#unfollow = [inbox, wakes, answers].map((topic) =>
      signals.on(topic, look),
    )
    this.look()
  }

  /** Soon; many who ask at once are one look. */
  look(): void {
    if (!this.#isStopped) void this.#looking.want()
  }

  /** Files have changed: what could not be done may go well now. */
  tryAgain(): void {
    this.#setbacks.forget()
    this.#tasks.tryAgain()
    this.#wakes.tryAgain()
    this.look()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const stop of this.#unfollow) stop()
    await this.#looking.running
    await Promise.all(this.#taking.values())
    await this.#tasks.idle()
    await this.#wakes.idle()
  }

  async #look(): Promise<void> {
    if (this.#isStopped) return
    try {
      await this.#lookOnce()
    } catch (error) {
      // Tried again when somebody asks, or after a while.
      this.#parts.noteError('take-over', error)
    }
  }

  async #lookOnce(): Promise<void> {
    const { parts } = this.#parts.store
    // Of this machine; the leases of others run out.
    await dropDeadWorkers(parts)
    await this.#wakes.look()
    const abandoned = await this.#abandoned.go((turn) =>
      !turn.isWaiting && this.#canGoOn(turn)
        ? this.#take(turn.sessionId)
        : 'left',
    )
    const waiting = new Set(
      abandoned.flatMap((one) => (one.isWaiting ? [one.sessionId] : [])),
    )
    await this.#waiting.go((one) =>
      this.#isForUs(one, waiting) ? this.#take(one.sessionId) : 'left',
    )
    await this.#tasks.look()
  }

  /** Whoever lacks the agent, or a tool, leaves it to those who have them. */
  #canGoOn({ agent, tools }: AbandonedTurn): boolean {
    if (!this.#isHere(agent)) return false
    const ofAgent = this.#parts.runtime.toolsOf(agent)
    const known = new Set(ofAgent.map(({ name }) => name))
    return tools.every((tool) => known.has(tool))
  }

  #isForUs(
    { sessionId, agent, kinds }: WaitingSession,
    waiting: ReadonlySet<string>,
  ): boolean {
    // For its end nobody needs the agent.
    if (!this.#isHere(agent)) return kinds.some((kind) => endings.has(kind))
    return !waiting.has(sessionId) || kinds.some((kind) => urgent.has(kind))
  }

  #isHere(agent: string): boolean {
    return this.#parts.runtime.agents.some(({ name }) => name === agent)
  }

  #take(sessionId: string): Offered {
    if (this.#taking.has(sessionId)) return 'taken'
    if (this.#setbacks.isResting(sessionId)) return 'left'
    const { takeAtOnce } = this.#parts.settings
    if (this.#isStopped || this.#taking.size >= takeAtOnce) return 'full'
    const taking = this.#takeNow(sessionId).finally(() => {
      this.#taking.delete(sessionId)
    })
    this.#taking.set(sessionId, taking)
    return 'taken'
  }

  async #takeNow(sessionId: string): Promise<void> {
    const { log } = this.#parts
    try {
      await this.#begin(sessionId)
      this.#setbacks.passed(sessionId)
    } catch (error) {
      // Somebody was faster, or it was let go of in this moment.
      if (error instanceof AgentError && passing.has(error.code)) return
      // It makes room for others meanwhile.
      const againMs = this.#setbacks.failed(sessionId)
      log.warn('session-not-taken', { sessionId, error, againMs })
    }
  }

  async #begin(sessionId: string): Promise<void> {
    const { log } = this.#parts
    try {
      await this.#sessions.use(sessionId, async ({ run }) => {
        if (run === undefined) log.info('session-taken', { sessionId })
        await this.#sessions.attend(sessionId)
      })
    } catch (error) {
      if (!isUnopened(error)) throw error
      const desk = { parts: this.#parts, sessions: this.#sessions }
      if (await endUnopened(desk, sessionId)) return
      const isRefused =
        error instanceof AgentError && error.code === 'session-refused'
      const isTold =
        isRefused && (await this.#tasks.refuse(sessionId, error.message))
      if (!isTold) throw error
    }
  }
}
