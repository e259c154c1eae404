import type { Clock } from 'hookline'

export interface SetbackOptions {
  /** Default: 1 s. */
  readonly firstMs?: number
  /** Default: 5 min. */
  readonly longestMs?: number
  /** Of how many it is known; the oldest are forgotten. Default: 10 000. */
  readonly remembered?: number
}

interface Setback {
  readonly count: number
  readonly until: number
}

/** What failed is left alone for a while, and twice as long each time. */
export class Setbacks {
  readonly #clock: Clock
  readonly #options: Required<SetbackOptions>
  readonly #known = new Map<string, Setback>()

  constructor(clock: Clock, options: SetbackOptions = {}) {
    const { firstMs = 1_000, longestMs = 300_000 } = options
    const { remembered = 10_000 } = options
    this.#clock = clock
    this.#options = { firstMs, longestMs, remembered }
  }

  isResting(key: string): boolean {
    const { until = 0 } = this.#known.get(key) ?? {}
    return this.#clock.now() < until
  }

  /** Says for how long it is left alone. */
  failed(key: string): number {
    const { firstMs, longestMs, remembered } = this.#options
    const { count = 0 } = this.#known.get(key) ?? {}
    const ms = Math.min(firstMs * 2 ** count, longestMs)
    this.#known.delete(key)
    this.#known.set(key, { count: count + 1, until: this.#clock.now() + ms })
    const [oldest] = this.#known.keys()
    const isFull = this.#known.size > remembered && oldest !== undefined
    if (isFull) this.#known.delete(oldest)
    return ms
  }

  passed(key: string): void {
    this.#known.delete(key)
  }

  /** Something has changed: it may go well now. */
  forget(): void {
    this.#known.clear()
  }
}
