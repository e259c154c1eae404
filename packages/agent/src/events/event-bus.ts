import type { AgentEvent } from 'hookline/lifecycle'
import { type SubscribeOptions, Subscription } from './subscription.ts'

/**
 * Where the events of a session go: to its own watchers, then to those of
 * whatever it is part of.
 */
export class EventBus {
  readonly #parent: EventBus | undefined
  #subscriptions: readonly Subscription[] = []
  #isEnded = false

  constructor(parent?: EventBus) {
    this.#parent = parent
  }

  /** False while nobody would see an event: then none needs to be made. */
  get isWatched(): boolean {
    return this.#subscriptions.length > 0 || (this.#parent?.isWatched ?? false)
  }

  subscribe(options: SubscribeOptions = {}): Subscription {
    const subscription = new Subscription(options, (one) => {
      this.#subscriptions = this.#subscriptions.filter((other) => other !== one)
    })
    // Who comes too late is not kept waiting.
    if (this.#isEnded) subscription.end()
    else this.#subscriptions = [...this.#subscriptions, subscription]
    return subscription
  }

  /** A promise asks to wait before the next event. */
  emit(event: AgentEvent): void | Promise<void> {
    let wait: void | Promise<void> = this.#parent?.emit(event)
    for (const subscription of this.#subscriptions) {
      const room = subscription.push(event)
      if (room !== undefined) wait = both(wait, room)
    }
    return wait
  }

  /** Nothing follows any more. */
  end(): void {
    this.#isEnded = true
    for (const subscription of this.#subscriptions) subscription.end()
  }
}

async function both(
  first: void | Promise<void>,
  second: Promise<void>,
): Promise<void> {
  await first
  await second
}
