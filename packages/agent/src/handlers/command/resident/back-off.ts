import type { Clock } from 'hookline'

const firstMs = 100
const longestMs = 30_000

/** How long to leave something alone that fails again and again. */
export class BackOff {
  readonly #clock: Clock
  #failures = 0
  #until = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get waitMs(): number {
    return Math.max(0, this.#until - this.#clock.now())
  }

  failed(): void {
    const ms = Math.min(firstMs * 2 ** this.#failures, longestMs)
    this.#failures += 1
    this.#until = this.#clock.now() + ms
  }

  succeeded(): void {
    this.#failures = 0
    this.#until = 0
  }
}
