import { AgentError } from '@hookline/agent'
import {
  type AbandonedTurn,
  dropDeadWorkers,
  listAbandoned,
  topics,
} from '@hookline/agent/durable'
import { Again } from './again.ts'
import type { HeldSessions } from './held-sessions.ts'
import type { HostParts } from './host-parts.ts'
import type { TaskDesk } from './tasks.ts'
import type { WakeDesk } from './wakes.ts'

const limit = 200
/** What can be done for a turn that waits for people. */
const urgent: ReadonlySet<string> = new Set(['cancel', 'close', 'delete'])

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

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const stop of this.#unfollow) stop()
    await this.#looking.running
    await Promise.all(this.#taking.values())
    await this.#tasks.idle()
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
    const { parts, inbox, wakes } = this.#parts.store
    // Of this machine; the leases of others run out.
    await dropDeadWorkers(parts)
    await this.#wakes.see(await wakes.takeOver(limit))
    const abandoned = await listAbandoned(parts, limit)
    const waiting = new Set(
      abandoned.flatMap((one) => (one.isWaiting ? [one.sessionId] : [])),
    )
    for (const turn of abandoned) {
      if (!turn.isWaiting && this.#canGoOn(turn)) this.#take(turn.sessionId)
    }
    for (const sessionId of await inbox.waiting(limit)) {
      if (waiting.has(sessionId) && !(await this.#isUrgent(sessionId))) continue
      this.#take(sessionId)
    }
    await this.#tasks.look()
  }

  /** Whoever lacks the agent, or a tool, leaves it to those who have them. */
  #canGoOn({ agent, tools }: AbandonedTurn): boolean {
    const { runtime } = this.#parts
    if (!runtime.agents.some(({ name }) => name === agent)) return false
    const known = new Set(runtime.toolsOf(agent).map(({ name }) => name))
    return tools.every((tool) => known.has(tool))
  }

  async #isUrgent(sessionId: string): Promise<boolean> {
    const messages = await this.#parts.store.inbox.read(sessionId)
    return messages.some(({ kind }) => urgent.has(kind))
  }

  #take(sessionId: string): void {
    const { takeAtOnce } = this.#parts.settings
    const isTaken = this.#taking.has(sessionId) || this.#isStopped
    if (isTaken || this.#taking.size >= takeAtOnce) return
    const taking = this.#takeNow(sessionId).finally(() => {
      this.#taking.delete(sessionId)
    })
    this.#taking.set(sessionId, taking)
  }

  async #refuse(sessionId: string, reason: string): Promise<void> {
    try {
      await this.#tasks.refuse(sessionId, reason)
    } catch (error) {
      this.#parts.noteError('take-over', error)
    }
  }

  async #takeNow(sessionId: string): Promise<void> {
    const { log, noteError } = this.#parts
    try {
      await this.#sessions.use(sessionId, async ({ run }) => {
        if (run === undefined) log.info('session-taken', { sessionId })
        await this.#sessions.attend(sessionId)
      })
    } catch (error) {
      const isKnown = error instanceof AgentError
      if (isKnown && error.code === 'session-refused') {
        await this.#refuse(sessionId, error.message)
      }
      // Somebody was faster, or nobody can.
      if (!isKnown) noteError('take-over', error)
    }
  }
}
