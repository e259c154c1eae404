import type { Clock, Timer } from 'hookline'
import { sha256 } from '../../seal/sha256.ts'
import { StoreError } from '../store-error.ts'
import type { SignalOptions, Signals } from './signals.ts'

/** The way to other processes. */
export interface SignalLine {
  /** Makes sure that it hears; called again and again. */
  listen(): void
  tell(topic: string): void
  /** Tells what is left to tell, and lets go. */
  close(): Promise<void>
}

export interface HubOptions {
  readonly clock: Clock
  /** How long at most until listeners look for themselves. Default: 1 s. */
  readonly pollMs?: number
  readonly onError?: (error: unknown) => void
  /** Absent: others hear of it when they look. */
  readonly connect?: (ears: SignalEars) => SignalLine
}

/** Whom a line tells what it hears. */
export interface SignalEars {
  heard(topic: string): void
  /** Something may have been missed. */
  heardAll(): void
}

/** Signals that are closed with their store. */
export interface OwnSignals extends Signals {
  close(): Promise<void>
}

export function createSignals(options: HubOptions): OwnSignals {
  return new SignalHub(options)
}

interface Listener {
  readonly call: () => void
  readonly isPolled: boolean
}

const maxTopicChars = 500

class SignalHub implements OwnSignals {
  readonly #clock: Clock
  readonly #pollMs: number
  readonly #onError: (error: unknown) => void
  readonly #line: SignalLine | undefined
  readonly #listeners = new Map<string, Set<Listener>>()
  /** Who is called when this tick is over. */
  readonly #called = new Set<Listener>()
  #timer: Timer | undefined
  #isClosed = false

  constructor({ clock, pollMs = 1_000, onError, connect }: HubOptions) {
    if (!(pollMs > 0 && pollMs < Infinity)) {
      const message = `Signals look every \`pollMs\` milliseconds, which is not ${pollMs}.`
      throw new StoreError('invalid-options', message)
    }
    this.#clock = clock
    this.#pollMs = pollMs
    this.#onError = onError ?? (() => {})
    this.#line = connect?.({
      heard: (topic) => this.#call(this.#listeners.get(topic) ?? []),
      heardAll: () => this.#call(this.#all()),
    })
  }

  tell(given: string): void {
    if (this.#isClosed) return
    const topic = shortened(given)
    this.#call(this.#listeners.get(topic) ?? [])
    this.#line?.tell(topic)
  }

  on(
    given: string,
    call: () => void,
    { isPolled = true }: SignalOptions = {},
  ): () => void {
    if (this.#isClosed) return () => {}
    const topic = shortened(given)
    const listener = { call, isPolled }
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
    this.#line?.listen()
    this.#arm()
    return () => this.#drop(topic, listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#listeners.clear()
    this.#called.clear()
    this.#timer?.stop()
    await this.#line?.close()
  }

  #drop(topic: string, listener: Listener): void {
    this.#called.delete(listener)
    const listeners = this.#listeners.get(topic)
    if (listeners?.delete(listener) && listeners.size === 0) {
      this.#listeners.delete(topic)
    }
    if (this.#listeners.size > 0) return
    this.#timer?.stop()
    this.#timer = undefined
  }

  #arm(): void {
    if (this.#timer !== undefined) return
    this.#timer = this.#clock.after(this.#pollMs, () => {
      this.#timer = undefined
      this.#call(this.#all().filter(({ isPolled }) => isPolled))
      this.#arm()
    })
    this.#timer.hold(false)
  }

  #all(): readonly Listener[] {
    return [...this.#listeners.values()].flatMap((some) => [...some])
  }

  /** Not at once: whoever tells a thousand times in a row is heard once. */
  #call(listeners: Iterable<Listener>): void {
    const isFirst = this.#called.size === 0
    for (const listener of listeners) this.#called.add(listener)
    if (isFirst && this.#called.size > 0) {
      queueMicrotask(() => this.#callNow())
    }
  }

  #callNow(): void {
    const called = [...this.#called]
    this.#called.clear()
    for (const { call } of called) {
      try {
        call()
      } catch (error) {
        this.#onError(error)
      }
    }
  }
}

/** A server passes on short words only. */
function shortened(topic: string): string {
  return topic.length <= maxTopicChars ? topic : `long/${sha256(topic)}`
}
