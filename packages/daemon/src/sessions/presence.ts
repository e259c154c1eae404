import type { InboxMessage } from '@hookline/agent/durable'
import { getSession } from '@hookline/agent/durable'
import type { UserQuestions } from '@hookline/agent/plugins'
import type { Timer } from 'hookline'
import type { HostParts } from './host-parts.ts'
import { inboxTopic } from './inbox-messages.ts'

const presentMs = 150_000
const sayAgainMs = 60_000
/** For so long it is believed that somebody who said so still looks. */
const attendMs = 90_000

interface Attendance {
  readonly sessionId: string
  /** Counts it, once; the result is called when it is over. */
  readonly take: () => () => void
}

/**
 * Who is there to be asked. Whoever watches a session here is, for this daemon
 * and for the one that has the session.
 */
export class Presence {
  readonly #parts: HostParts
  readonly #questions: UserQuestions
  /** How many watch a session here. */
  readonly #here = new Map<string, number>()
  /** Those who watch elsewhere, and for how long that is believed. */
  readonly #elsewhere = new Map<string, { timer: Timer; leave: () => void }>()
  /** Those who say here that they look at a session, by who and where. */
  readonly #attending = new Map<string, { timer: Timer; leave: () => void }>()
  #again: Timer | undefined

  constructor(parts: HostParts) {
    this.#parts = parts
    this.#questions = parts.questions
  }

  /** Somebody watches a session; call the result when they leave. */
  enter(sessionId: string): () => void {
    const leave = this.#questions.connect(sessionId)
    const count = this.#here.get(sessionId) ?? 0
    this.#here.set(sessionId, count + 1)
    if (count === 0) void this.say(sessionId)
    this.#sayAgainLater()
    return () => {
      leave()
      const left = (this.#here.get(sessionId) ?? 1) - 1
      if (left > 0) this.#here.set(sessionId, left)
      else this.#here.delete(sessionId)
      if (this.#here.size > 0) return
      this.#again?.stop()
      this.#again = undefined
    }
  }

  /** Somebody looks without watching; they say it again, or are forgotten. */
  attend(key: string, { sessionId, take }: Attendance): void {
    const known = this.#attending.get(key)
    known?.timer.stop()
    const leave = known?.leave ?? this.#enterFor(sessionId, take())
    const { clock } = this.#parts
    const timer = clock.after(attendMs, () => this.unattend(key))
    timer.hold(false)
    this.#attending.set(key, { timer, leave })
  }

  unattend(key: string): void {
    const known = this.#attending.get(key)
    this.#attending.delete(key)
    known?.timer.stop()
    known?.leave()
  }

  #enterFor(sessionId: string, release: () => void): () => void {
    const leave = this.enter(sessionId)
    return () => {
      leave()
      release()
    }
  }

  /** Tells the daemon that has a session that somebody watches it here. */
  async say(sessionId: string): Promise<void> {
    const { store, noteError, settings } = this.#parts
    if (!settings.isShared || !this.#here.has(sessionId)) return
    const { worker } = store.parts
    try {
      const { gate } = this.#parts.hub
      const session = await gate.run(() => getSession(store.parts, sessionId))
      const holder = session?.worker ?? null
      if (holder === null || holder === worker) return
      const body = { worker }
      const by = worker
      await store.inbox.put({ sessionId, kind: 'present', body, by })
      store.signals.tell(inboxTopic(sessionId))
    } catch (error) {
      noteError('presence', error)
    }
  }

  /** Another daemon says so; it says it again before this is forgotten. */
  hear(sessionId: string, { by }: InboxMessage): void {
    const key = JSON.stringify([sessionId, by])
    const known = this.#elsewhere.get(key)
    known?.timer.stop()
    const leave = known?.leave ?? this.#questions.connect(sessionId)
    const timer = this.#parts.clock.after(presentMs, () => {
      this.#elsewhere.delete(key)
      leave()
    })
    timer.hold(false)
    this.#elsewhere.set(key, { timer, leave })
  }

  close(): void {
    for (const all of [this.#elsewhere, this.#attending]) {
      for (const { timer, leave } of all.values()) {
        timer.stop()
        leave()
      }
      all.clear()
    }
    this.#again?.stop()
  }

  #sayAgainLater(): void {
    this.#again ??= this.#parts.clock.after(sayAgainMs, () => {
      this.#again = undefined
      for (const sessionId of this.#here.keys()) void this.say(sessionId)
      if (this.#here.size > 0) this.#sayAgainLater()
    })
    this.#again.hold(false)
  }
}
