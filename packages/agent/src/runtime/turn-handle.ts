import type { AgentEvent } from 'hookline/lifecycle'
import type { EventBus } from '../events/event-bus.ts'
import type { SubscribeOptions } from '../events/subscription.ts'
import type { TurnResult } from '../ports/turn-result.ts'

/**
 * A turn that was asked for. Its events can be iterated, from the moment one
 * begins to; its result can be awaited; neither is needed.
 */
export class TurnHandle<Value = unknown> implements AsyncIterable<AgentEvent> {
  readonly id: string
  readonly result: Promise<TurnResult<Value>>
  readonly #bus: EventBus
  readonly #cancel: (reason?: string) => void

  constructor(
    id: string,
    bus: EventBus,
    result: Promise<TurnResult<Value>>,
    cancel: (reason?: string) => void,
  ) {
    this.id = id
    this.result = result
    this.#bus = bus
    this.#cancel = cancel
  }

  /** Ends the turn: what was done stays, nothing more is begun. */
  cancel(reason?: string): void {
    this.#cancel(reason)
  }

  events(options?: SubscribeOptions): AsyncIterableIterator<AgentEvent> {
    return this.#bus.subscribe(options)
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentEvent> {
    return this.events()
  }
}
