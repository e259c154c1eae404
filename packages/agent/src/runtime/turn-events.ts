import { type CancelSignal, freezeDeep, type Table } from 'hookline'
import { type AgentEvent, event } from 'hookline/lifecycle'
import type { EventBus } from '../events/event-bus.ts'
import type { LiveAgent, LoopParts } from '../loop/parts.ts'
import type { EventBody, TurnEvents, TurnProgress } from '../loop/turn.ts'
import { untilAborted } from '../loop/wait.ts'

export interface EventSource {
  readonly parts: LoopParts
  readonly agent: LiveAgent
  readonly bus: EventBus
  readonly sessionId: string
  /** The sessions that it works for. */
  readonly within: readonly string[]
  readonly turnId: string
  readonly nextSeq: () => number
  readonly progress: Pick<TurnProgress, 'scope'>
  readonly signal: CancelSignal
}

/** Where the events of a turn go: to its watchers and to hooks at `event`. */
export class SessionTurnEvents implements TurnEvents {
  readonly #source: EventSource
  /** The newest table, and whether it has hooks at `event`. */
  #table: Table | undefined
  #isHeard = false

  constructor(source: EventSource) {
    this.#source = source
  }

  get isWatched(): boolean {
    return this.#source.bus.isWatched || this.#hasHooks()
  }

  #hasHooks(): boolean {
    const { table } = this.#source.agent
    if (table !== this.#table) {
      this.#table = table
      this.#isHeard = table.plans.has(event.name)
    }
    return this.#isHeard
  }

  emit(body: EventBody): void | Promise<void> {
    const { parts, agent, bus, progress, signal } = this.#source
    const { sessionId, within, turnId, nextSeq } = this.#source
    const path = [...agent.parents, agent.config.name]
    const place = { sessionId, turnId, path, seq: nextSeq() }
    const above = within.length === 0 ? {} : { within }
    const told: AgentEvent = freezeDeep({ ...body, ...place, ...above })
    if (this.#hasHooks()) {
      const { scope } = progress
      void parts.engine.run(event, told, { scope, table: agent.table })
    }
    const room = bus.emit(told)
    return room instanceof Promise ? orAborted(room, signal) : undefined
  }
}

/** A watcher that is too slow holds up nobody who has been cancelled. */
function orAborted(room: Promise<void>, signal: CancelSignal): Promise<void> {
  return untilAborted(room, signal).catch(() => {})
}
