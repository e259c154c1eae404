import { freezeDeep } from 'hookline'
import { type AgentEvent, event } from 'hookline/lifecycle'
import type { EventBus } from '../events/event-bus.ts'
import type { LiveAgent, LoopParts } from '../loop/parts.ts'
import type { EventBody, TurnEvents, TurnProgress } from '../loop/turn.ts'

export interface EventSource {
  readonly parts: LoopParts
  readonly agent: LiveAgent
  readonly bus: EventBus
  readonly sessionId: string
  readonly turnId: string
  readonly nextSeq: () => number
  readonly progress: Pick<TurnProgress, 'scope'>
}

/** Where the events of a turn go: to its watchers and to hooks at `event`. */
export class SessionTurnEvents implements TurnEvents {
  readonly #source: EventSource

  constructor(source: EventSource) {
    this.#source = source
  }

  get isWatched(): boolean {
    return this.#source.bus.isWatched || this.#hasHooks
  }

  get #hasHooks(): boolean {
    return this.#source.agent.table.plans.has(event.name)
  }

  emit(body: EventBody): void | Promise<void> {
    const { parts, agent, bus, progress } = this.#source
    const { sessionId, turnId, nextSeq } = this.#source
    const path = [...agent.parents, agent.config.name]
    const place = { sessionId, turnId, path, seq: nextSeq() }
    const told: AgentEvent = freezeDeep({ ...body, ...place })
    if (this.#hasHooks) {
      const { scope } = progress
      void parts.engine.run(event, told, { scope, table: agent.table })
    }
    return bus.emit(told)
  }
}
