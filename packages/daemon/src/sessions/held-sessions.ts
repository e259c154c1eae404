import { AgentError, type SteerOutcome } from '@hookline/agent'
import type { InboxMessage } from '@hookline/agent/durable'
import { getSession } from '@hookline/agent/durable'
import type { Actor, AgentEvent } from 'hookline/lifecycle'
import { endDeleted } from './end-deleted.ts'
import { HeldSession, type NewSession } from './held-session.ts'
import type { HostParts } from './host-parts.ts'
import { InboxAttendant } from './inbox-attendant.ts'
import { inboxTopic } from './inbox-messages.ts'
import { refuseChild } from './refuse-child.ts'
import { type Place, SessionRest } from './session-rest.ts'

/** The sessions that this process has, and how long it keeps them. */
export class HeldSessions {
  readonly #parts: HostParts
  readonly #onPresent: (sessionId: string, message: InboxMessage) => void
  readonly #places = new Map<string, Place>()
  readonly #opening = new Map<string, Promise<HeldSession>>()
  readonly #rest: SessionRest
  #onGone: (sessionId: string) => void = () => {}
  #isDraining = false

  constructor(
    parts: HostParts,
    onPresent: (sessionId: string, message: InboxMessage) => void,
  ) {
    this.#parts = parts
    this.#onPresent = onPresent
    this.#rest = new SessionRest(parts, {
      places: this.#places,
      leave: (held) => this.leave(held),
      isDraining: () => this.#isDraining,
    })
  }

  get size(): number {
    return this.#places.size
  }

  get turns(): number {
    let count = 0
    for (const { held } of this.#places.values()) if (held.run) count++
    return count
  }

  get all(): readonly HeldSession[] {
    return [...this.#places.values()].map(({ held }) => held)
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  get(id: string): HeldSession | undefined {
    const held = this.#places.get(id)?.held
    return held?.leaving === undefined ? held : undefined
  }

  /** Calls back for every session that is not open here any more. */
  onGone(listener: (sessionId: string) => void): void {
    this.#onGone = listener
  }

  /** What became of words that were left for a session, if they are known here. */
  steered(id: string, messageId: string): Promise<SteerOutcome> | undefined {
    return this.#places.get(id)?.attendant.steered(messageId)
  }

  /** Inputs that wait for a turn here to end. */
  isBehind(id: string): boolean {
    return (this.#places.get(id)?.attendant.left ?? 0) > 0
  }

  note(event: AgentEvent): void {
    const place = this.#places.get(event.sessionId)
    if (place === undefined) return
    place.held.note(event)
    place.attendant.note(event)
    this.#rest.watchWait(place)
  }

  /** Does what is left in the inbox of a session that is here. */
  async attend(id: string): Promise<void> {
    const place = this.#places.get(id)
    if (place === undefined || place.held.leaving !== undefined) return
    await place.attendant.attend()
    if (place.held.run === undefined) this.#rest.begin(place)
  }

  /**
   * Does something with a session that is kept, and is not let go of meanwhile.
   * Throws `session-elsewhere` if another process has it.
   */
  async use<T>(
    id: string,
    work: (held: HeldSession) => Promise<T> | T,
    actor?: Actor,
  ): Promise<T> {
    return await this.#using(() => this.#take(id, actor), work)
  }

  /** The same with a session that is begun, or kept. */
  async useNew<T>(
    given: NewSession,
    work: (held: HeldSession) => Promise<T> | T,
  ): Promise<T> {
    return await this.#using(() => this.#create(given), work)
  }

  async #using<T>(
    take: () => Promise<HeldSession>,
    work: (held: HeldSession) => Promise<T> | T,
  ): Promise<T> {
    const held = await take()
    const place = this.#places.get(held.id)
    // It was let go of in the same moment.
    if (place?.held !== held || held.leaving) return this.#using(take, work)
    return await this.#keepFor(place, () => work(held))
  }

  /** It is not let go of meanwhile. */
  async #keepFor<T>(place: Place, work: () => Promise<T> | T): Promise<T> {
    place.uses++
    try {
      return await work()
    } finally {
      place.uses--
      if (place.held.run === undefined) this.#rest.begin(place)
    }
  }

  #take(id: string, actor?: Actor): Promise<HeldSession> {
    return this.#once(id, async () => {
      const listed = await getSession(this.#parts.store.parts, id)
      if (listed === undefined) {
        throw new AgentError(
          'unknown-session',
          `There is no session "${id}"; "hookline sessions" lists them.`,
        )
      }
      const { agent } = listed
      // Whoever deletes it in this moment has deleted it.
      const kept = { agent, id, isKept: true }
      return await this.#open({ ...kept, ...(actor && { actor }) })
    })
  }

  #create({ agent, id, cwd, actor }: NewSession): Promise<HeldSession> {
    const given = id ?? this.#parts.store.parts.nextId()
    const place = { ...(cwd !== undefined && { cwd }), actor }
    return this.#once(given, () => this.#open({ agent, id: given, ...place }))
  }

  /** No more turns are begun. */
  stop(): void {
    this.#isDraining = true
  }

  /** What runs has so long, and then goes on elsewhere. */
  async drain(untilDone: (work: Promise<unknown>) => Promise<unknown>) {
    this.stop()
    await Promise.allSettled(this.#opening.values())
    const runs = this.all.flatMap(({ run }) => (run ? [run.end] : []))
    await untilDone(Promise.all(runs))
    await this.leaveAll()
  }

  /** What others may have taken meanwhile is not ours to go on with. */
  async leaveAll(): Promise<void> {
    const left = this.all.map((held) => this.leave(held))
    await Promise.all(left)
  }

  async leave(held: HeldSession): Promise<void> {
    try {
      await held.leave()
    } catch (error) {
      this.#parts.noteError('session-leave', error)
    }
    this.#forget(held)
  }

  /** Ends a session for good. */
  async close(held: HeldSession, reason?: 'closed' | 'deleted'): Promise<void> {
    try {
      await held.close(reason)
    } finally {
      this.#forget(held)
    }
    await this.#tellEnd(held.id, reason)
  }

  /** The same with one that is not open, and cannot be. */
  async end(id: string, reason: 'closed' | 'deleted'): Promise<void> {
    if (await this.#parts.runtime.endSession(id, reason)) {
      await this.#tellEnd(id, reason)
    }
  }

  async #tellEnd(id: string, reason?: 'closed' | 'deleted'): Promise<void> {
    if (reason === 'deleted') await endDeleted(this.#parts, id)
    else this.#parts.tell('session-closed', {}, id)
  }

  /** One that is open is taken, one that is let go of is waited for. */
  async #once(
    id: string,
    open: () => Promise<HeldSession>,
  ): Promise<HeldSession> {
    for (;;) {
      const opening = this.#opening.get(id)
      if (opening !== undefined) return await opening
      const held = this.#places.get(id)?.held
      if (held === undefined) break
      if (held.leaving === undefined && this.#isOpen(held)) return held
      await this.leave(held)
    }
    this.#checkOpen()
    const opening = open().finally(() => this.#opening.delete(id))
    this.#opening.set(id, opening)
    return await opening
  }

  /** Its agent may have left, and taken it along. */
  #isOpen(held: HeldSession): boolean {
    return this.#parts.runtime.session(held.id) === held.session
  }

  #checkOpen(): void {
    if (!this.#isDraining) return
    throw new AgentError('runtime-closed', 'The daemon is stopping.')
  }

  async #open(
    options: Parameters<HostParts['runtime']['openSession']>[0],
  ): Promise<HeldSession> {
    const { runtime, store, tell } = this.#parts
    const session = await runtime.openSession(options)
    await refuseChild(store, session)
    const held = new HeldSession(this.#parts, session, (one) => this.#end(one))
    const attendant = new InboxAttendant(this.#parts, held, {
      mayStart: () => !this.#isDraining,
      onPresent: this.#onPresent,
      close: (reason) => this.close(held, reason),
      keepFor: (work) => void this.#keepFor(place, work),
    })
    const look = () => void this.#attendQuietly(session.id)
    const unfollow = store.signals.on(inboxTopic(session.id), look)
    const place: Place = { held, attendant, unfollow, uses: 0 }
    this.#places.set(session.id, place)
    const { agent } = session
    tell('session-opened', { agent, worker: store.parts.worker }, session.id)
    return held
  }

  /** A turn has ended: the next one, or nothing to do. */
  #end(held: HeldSession): void {
    const place = this.#places.get(held.id)
    if (place?.held !== held || held.leaving !== undefined) return
    this.#rest.end(place)
    void held.session.idle().then(() => this.#afterTurn(place))
  }

  /** What has waited for its end; who leaves something now says so. */
  #afterTurn(place: Place): void {
    const { held, attendant } = place
    if (attendant.left > 0) void this.#attendQuietly(held.id)
    else if (held.run === undefined) this.#rest.begin(place)
  }

  async #attendQuietly(id: string): Promise<void> {
    try {
      await this.attend(id)
    } catch (error) {
      this.#parts.noteError('inbox-read', error)
      const place = this.#places.get(id)
      if (place && place.held.run === undefined) this.#rest.begin(place)
    }
  }

  #forget(held: HeldSession): void {
    const place = this.#places.get(held.id)
    if (place?.held !== held) return
    place.timer?.stop()
    place.unfollow()
    this.#places.delete(held.id)
    this.#onGone(held.id)
    // What has come in at the last moment is there for whoever takes it next.
    this.#parts.lookSoon()
  }
}
