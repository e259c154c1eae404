import type { Subscription } from '@hookline/agent'
import type { EventLog } from '@hookline/agent/durable'
import type { Clock, Timer } from 'hookline'
import type { AgentEvent } from 'hookline/lifecycle'
import { mergeDeltas } from './merge-deltas.ts'

export interface EventPumpOptions {
  readonly log: Pick<EventLog, 'append' | 'notice'>
  readonly clock: Clock
  /** Sees every event at once, before it is kept. */
  readonly onEvent: (event: AgentEvent) => void
  /** The log has failed, or works again. */
  readonly onState: (state: PumpState) => void
  /** How long events are gathered before they are written; default 5 ms. */
  readonly windowMs?: number
  /** How many may wait for a log that fails; default 20 000. */
  readonly maxWaiting?: number
}

export type PumpState =
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'recovered'; readonly lost: number }

const batchSize = 500
const slowMs = 3_000
const firstRetryMs = 100
const maxRetryMs = 5_000

/**
 * Writes what all agents of a process tell into the log, in its order, many at
 * a time. No turn waits for the log: what it cannot take for too long is lost,
 * and counted.
 */
export class EventPump {
  readonly #subscription: Subscription
  readonly #options: EventPumpOptions
  readonly #muted = new Set<string>()
  readonly #done: Promise<void>
  readonly #waiting: AgentEvent[] = []
  #lost = 0
  #isFailing = false
  #isStopped = false
  #timer: Timer | undefined
  #writing: Promise<void> | undefined
  #retryMs = firstRetryMs

  constructor(subscription: Subscription, options: EventPumpOptions) {
    this.#subscription = subscription
    this.#options = options
    this.#done = this.#listen()
  }

  /**
   * What a turn tells from now on is left out: it is suspended, and has not
   * ended as it will say.
   */
  mute(turnId: string): () => void {
    this.#muted.add(turnId)
    return () => void this.#muted.delete(turnId)
  }

  /** Settles when all that was told so far is written, or the log fails. */
  async flush(): Promise<void> {
    // What was told a moment ago is on its way here.
    await Promise.resolve()
    while (this.#waiting.length > 0 && !this.#isFailing) await this.#write()
    await this.#writing
  }

  async stop(): Promise<void> {
    await this.flush()
    this.#isStopped = true
    this.#timer?.stop()
    await this.#subscription.return()
    await this.#done
    await this.#writing
  }

  async #listen(): Promise<void> {
    const { onEvent, maxWaiting = 20_000 } = this.#options
    for await (const event of this.#subscription) {
      if (this.#muted.has(event.turnId)) continue
      onEvent(event)
      if (this.#waiting.length >= maxWaiting) this.#lost++
      else this.#waiting.push(event)
      this.#schedule()
    }
  }

  #schedule(): void {
    if (this.#writing !== undefined || this.#isFailing) return
    if (this.#waiting.length >= batchSize) {
      this.#timer?.stop()
      this.#timer = undefined
      void this.#write()
      return
    }
    this.#arm(this.#options.windowMs ?? 5)
  }

  #arm(ms: number): void {
    if (this.#timer !== undefined || this.#isStopped) return
    this.#timer = this.#options.clock.after(ms, () => {
      this.#timer = undefined
      void this.#write()
    })
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeOnce().finally(() => {
      this.#writing = undefined
      if (this.#waiting.length === 0) return
      if (this.#isFailing) this.#arm(this.#retryMs)
      else this.#schedule()
    })
    return this.#writing
  }

  async #writeOnce(): Promise<void> {
    const { log, clock, onState } = this.#options
    const batch = this.#waiting.slice(0, batchSize)
    if (batch.length === 0) return
    // The log has patience of its own with a database that is away.
    let isSlow = false
    const slow = clock.after(slowMs, () => {
      isSlow = true
      const error = new Error(`The log has not taken events for ${slowMs} ms.`)
      onState({ type: 'failed', error })
    })
    slow.hold(false)
    try {
      await log.append(mergeDeltas(batch))
    } catch (error) {
      this.#retryMs = this.#isFailing
        ? Math.min(this.#retryMs * 2, maxRetryMs)
        : firstRetryMs
      this.#isFailing = true
      onState({ type: 'failed', error })
      return
    } finally {
      slow.stop()
    }
    this.#waiting.splice(0, batch.length)
    if (!this.#isFailing && !isSlow) return
    this.#isFailing = false
    const lost = this.#lost
    this.#lost = 0
    onState({ type: 'recovered', lost })
  }
}
