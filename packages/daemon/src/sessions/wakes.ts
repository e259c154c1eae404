import { AgentError } from '@hookline/agent'
import {
  actorNamed,
  type Fired,
  type FiredWake,
  joinActors,
  type LeftFiring,
  taskEventPrefix,
} from '@hookline/agent/durable'
import type { EngineEvent } from 'hookline'
import type { Actor, AgentScope, JsonObject } from 'hookline/lifecycle'
import type { NoticeData } from '../protocol/notices.ts'
import type { HeldSessions } from './held-sessions.ts'
import type { HostParts } from './host-parts.ts'
import { bodyOf, inboxTopic } from './inbox-messages.ts'
import { Recent } from './recent.ts'
import { Rounds } from './rounds.ts'
import { cwdWithin } from './session-folder.ts'
import { Setbacks } from './setbacks.ts'

const remembered = 10_000

/** Something by a name, which may wake agents. */
export interface Emitted {
  readonly name: string
  readonly data?: JsonObject | undefined
  readonly key?: string | undefined
  readonly depth: number
  readonly by: string
  /** On whose behalf. */
  readonly actor?: Actor | undefined
}

/** Wakes agents by events: each firing leads to one turn, whatever crashes. */
export class WakeDesk {
  readonly #parts: HostParts
  readonly #sessions: HeldSessions
  /** Where sessions work that are made for a wake. */
  readonly #root: string
  /** Of the newest turns that were woken, and of what hooks do in them. */
  readonly #depths = new Recent<number>(remembered)
  readonly #dispatches = new Recent<AgentScope>(remembered)
  readonly #seeing = new Map<string, Promise<boolean>>()
  readonly #setbacks: Setbacks
  readonly #rounds: Rounds<LeftFiring>

  constructor(
    parts: HostParts,
    sessions: HeldSessions,
    { root }: { readonly root: string },
  ) {
    this.#parts = parts
    this.#sessions = sessions
    this.#root = root
    const { clock, store } = parts
    this.#setbacks = new Setbacks(clock)
    this.#rounds = new Rounds({
      limit: 200,
      read: (limit, skip) => store.wakes.left(limit, skip),
    })
  }

  /** What of it has not led to a turn is in `left`, and tried again. */
  async emit({ data, key, actor, ...event }: Emitted): Promise<Fired> {
    const { wakes } = this.#parts.store
    const fired = await wakes.fire({
      ...event,
      ...(actor !== undefined && { actor }),
      ...(data !== undefined && { data }),
      ...(key !== undefined && { key }),
    })
    const { name, depth, by } = event
    if (fired.isTooDeep) {
      this.#refuse({ event: name, depth, reason: 'too-deep' }, by)
    }
    for (const wakeId of fired.held) {
      this.#refuse({ event: name, wakeId, reason: 'too-often' }, by)
    }
    if (!fired.isNew) return fired
    const seen = await Promise.all(fired.wakes.map((one) => this.#see(one)))
    return { ...fired, left: seen.filter((isSeen) => !isSeen).length }
  }

  /** Sees to what others have left, and to what could not be done before. */
  async look(): Promise<void> {
    const { wakes, parts } = this.#parts.store
    const wanted: LeftFiring[] = []
    await this.#rounds.go((one) => {
      if (this.#seeing.has(one.firingId)) return 'taken'
      const isTheirs = this.#isForOthers(one) && one.worker !== parts.worker
      if (isTheirs || this.#setbacks.isResting(one.firingId)) return 'left'
      const { takeAtOnce } = this.#parts.settings
      if (this.#seeing.size + wanted.length >= takeAtOnce) return 'full'
      wanted.push(one)
      return 'taken'
    })
    // Nobody waits for what it may take to begin their turns.
    for (const one of await wakes.take(wanted)) void this.#see(one)
  }

  /** What could not be done may go well now. */
  tryAgain(): void {
    this.#setbacks.forget()
  }

  async idle(): Promise<void> {
    await Promise.all(this.#seeing.values())
  }

  /** A new session needs the agent; one that is there has its inbox. */
  #isForOthers({ sessionId, agent }: FiredWake): boolean {
    if (sessionId !== undefined) return false
    return !this.#parts.runtime.agents.some(({ name }) => name === agent)
  }

  /** Has it lead to a turn; what cannot be, is tried again later. */
  #see(fired: FiredWake): Promise<boolean> {
    const { firingId } = fired
    const seeing =
      this.#seeing.get(firingId) ??
      this.#seeNow(fired).finally(() => this.#seeing.delete(firingId))
    this.#seeing.set(firingId, seeing)
    return seeing
  }

  async #seeNow(fired: FiredWake): Promise<boolean> {
    const { store, log } = this.#parts
    const { firingId, wakeId } = fired
    try {
      if (this.#isForOthers(fired)) {
        await store.wakes.giveUp([firingId])
        return false
      }
      await this.#wakeOrForgo(fired)
      await store.wakes.done([firingId])
      this.#setbacks.passed(firingId)
      return true
    } catch (error) {
      const againMs = this.#setbacks.failed(firingId)
      log.warn('wake-not-seen', { wakeId, firingId, error, againMs })
      return false
    }
  }

  async #wakeOrForgo(fired: FiredWake): Promise<void> {
    try {
      await this.#wake(fired)
    } catch (error) {
      if (!isOver(error)) throw error
      // Whoever was to be woken is over for good.
      const { wakeId, event } = fired
      const body = { event: event.name, wakeId, reason: 'session-over' }
      this.#refuse(body, event.by)
    }
  }

  /** A turn that was woken has begun: what it wakes is one deeper. */
  note(turnId: string, depth: number): void {
    if (depth === 0) return
    this.#depths.set(turnId, depth)
  }

  /** Hooks wake with `context.emit({ wake: 'name', data })`. */
  hear(event: EngineEvent): void {
    if (event.type === 'hook-start') this.#noteDispatch(event)
    if (event.type !== 'hook-event') return
    const { wake, data }: Partial<Record<string, unknown>> = Object(event.event)
    if (typeof wake !== 'string' || isReserved(wake)) return
    const by = `hook:${event.hook}`
    const scope = this.#dispatches.get(event.dispatch)
    if (scope === undefined) {
      // On whose behalf it would be, nobody knows any more.
      this.#refuse({ event: wake, reason: 'too-late' }, by)
      return
    }
    const { turnId = '', actor } = scope
    const depth = this.#depths.get(turnId) ?? 0
    const within = { depth, ...(actor && { actor }) }
    this.emit({ name: wake, data: objectOf(data), by, ...within }).catch(
      (error: unknown) => this.#parts.noteError('wake', error),
    )
  }

  /** Of every hook that begins: no more is done than has to be. */
  #noteDispatch({ dispatch, scope }: EngineEvent & { type: 'hook-start' }) {
    // All points of ours have one.
    this.#dispatches.set(dispatch, scope as AgentScope)
  }

  #refuse(body: NoticeData<'wake-refused'>, by: string): void {
    const { store, tell } = this.#parts
    store.audit.record({ kind: 'wake.refused', actor: by, body })
    tell('wake-refused', body)
  }

  async #wake(fired: FiredWake): Promise<void> {
    const { store } = this.#parts
    const { firingId, agent, sessionId = firingId, event } = fired
    if (fired.sessionId === undefined) {
      const actor = { kind: 'system' as const, id: 'wakes' }
      const cwd = await cwdWithin(this.#root, undefined)
      const session = { agent, id: firingId, cwd, actor }
      await this.#sessions.useNew(session, () => {})
    }
    const actor = actorIn(fired)
    const order = {
      input: promptOf(fired),
      inputId: firingId,
      origin: 'background' as const,
      depth: event.depth + 1,
      ...(actor && { actor }),
    }
    const message = { sessionId, kind: 'send', key: firingId }
    await store.inbox.put({ ...message, body: bodyOf(order), by: event.by })
    store.signals.tell(inboxTopic(sessionId))
    this.#parts.lookSoon()
    const told = { event: event.name, wakeId: fired.wakeId }
    this.#parts.tell('wake-fired', told, sessionId)
  }
}

/** Whoever sees to tasks, in records. */
export const tasksName = 'system:tasks'

/** Only results of tasks have such names; nobody else tells them. */
export function isReserved(name: string): boolean {
  return name.startsWith(taskEventPrefix)
}

/**
 * On whose behalf a task was done, its result is heard. All else has those
 * behind it who asked for the wake, and who told the event.
 */
function actorIn({ event, createdBy = '' }: FiredWake): Actor | undefined {
  const { name, data, by, actor } = event
  const maker = createdBy === tasksName ? undefined : actorNamed(createdBy)
  if (isReserved(name)) {
    // Written by the desk of tasks, and by nobody else.
    return joinActors(data?.['onBehalfOf'] as Actor | undefined, maker)
  }
  const wakes: Actor = { kind: 'system', id: 'wakes' }
  return joinActors(wakes, maker, actor ?? actorNamed(by))
}

function isOver(error: unknown): boolean {
  if (!(error instanceof AgentError)) return false
  return error.code === 'session-ended' || error.code === 'unknown-session'
}

/** What comes from outside is told as such, and ends where it says. */
function promptOf({ prompt, event }: FiredWake): string {
  const { onBehalfOf: _, ...shown } = event.data ?? {}
  const given = isReserved(event.name) ? shown : (event.data ?? {})
  const text = JSON.stringify(given, undefined, 2)
  const data = text.replaceAll('<', String.raw`\u003c`)
  const told = `<event name="${event.name}">\n${data}\n</event>`
  return prompt === '' ? told : `${prompt}\n\n${told}`
}

export function objectOf(data: unknown): JsonObject | undefined {
  if (data === undefined) return undefined
  // A copy as JSON has it; what is no object is put into one.
  const plain: unknown = JSON.parse(JSON.stringify(data) ?? 'null')
  const isObject =
    typeof plain === 'object' && plain !== null && !Array.isArray(plain)
  return (isObject ? plain : { value: plain }) as JsonObject
}
