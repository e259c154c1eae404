import type { Clock, WallOffset } from '../engine/index.ts'

/**
 * Looks at the wall clock once in a millisecond, for all runs that begin in
 * it: a number for each of them would cost more than the look.
 */
export class WallOffsets {
  readonly #clock: Clock
  #offset: WallOffset = { ms: 0 }
  #until = -Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  at(now: number): WallOffset {
    if (now >= this.#until) this.#look(now)
    return this.#offset
  }

  #look(now: number): void {
    const ms = this.#clock.wallAt(now) - now
    if (ms !== this.#offset.ms) this.#offset = { ms }
    this.#until = now + 1
  }
}
