import type { Clock, Timer } from './clock.ts'

/** Something with deadlines. */
export interface Sleeper {
  /** Its place among the sleepers; the waker's own. */
  place: number
  /** How many others it is inside of. */
  readonly depth: number
  /** Ends what is overdue, and says when to look again. */
  expire(now: number): number
}

/**
 * Wakes dispatches when a deadline has passed. One timer serves all of them
 * and is left running in between: most hooks answer long before it fires.
 */
export class Waker {
  readonly #clock: Clock
  readonly #sleepers: Sleeper[] = []
  #timer: Timer | undefined
  #at = Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(sleeper: Sleeper): void {
    sleeper.place = this.#sleepers.push(sleeper) - 1
    if (sleeper.place === 0) this.#timer?.hold(true)
  }

  remove({ place }: Sleeper): void {
    const last = this.#sleepers.pop()
    // The last one takes the place that became free.
    if (last !== undefined && last.place !== place) {
      this.#sleepers[place] = last
      last.place = place
    }
    if (this.#sleepers.length === 0) this.#timer?.hold(false)
  }

  /** Wakes every sleeper at that time, or earlier. */
  wakeBy(at: number): void {
    if (at >= this.#at) return
    this.#timer?.stop()
    this.#at = at
    const ms = Math.max(0, at - this.#clock.now())
    this.#timer = this.#clock.after(ms, () => this.#wake())
  }

  #wake(): void {
    this.#timer = undefined
    this.#at = Infinity
    // The outermost first: what it has asked for ends with it.
    const sleepers = this.#sleepers.toSorted((a, b) => a.depth - b.depth)
    for (const sleeper of sleepers) {
      this.wakeBy(sleeper.expire(this.#clock.now()))
    }
  }
}
