import type { Clock, Timer } from './clock.ts'

/** Something with deadlines. The links are the waker's own. */
export interface Sleeper {
  before: Sleeper | undefined
  behind: Sleeper | undefined
  /** Ends what is overdue, and says when to look again. */
  expire(now: number): number
}

/**
 * Wakes dispatches when a deadline has passed. One timer serves all of them
 * and is left running in between: most hooks answer long before it fires.
 */
export class Waker {
  readonly #clock: Clock
  /** A linked list: cheaper here than a set, which hashes every member. */
  #first: Sleeper | undefined
  #timer: Timer | undefined
  #at = Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(sleeper: Sleeper): void {
    if (this.#first === undefined) this.#timer?.hold(true)
    else this.#first.before = sleeper
    sleeper.behind = this.#first
    this.#first = sleeper
  }

  remove(sleeper: Sleeper): void {
    const { before, behind } = sleeper
    if (before === undefined) this.#first = behind
    else before.behind = behind
    if (behind !== undefined) behind.before = before
    if (this.#first === undefined) this.#timer?.hold(false)
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
    const now = this.#clock.now()
    let next = Infinity
    let sleeper = this.#first
    while (sleeper !== undefined) {
      const { behind } = sleeper
      next = Math.min(next, sleeper.expire(now))
      sleeper = behind
    }
    if (next < Infinity) this.wakeBy(next)
  }
}
