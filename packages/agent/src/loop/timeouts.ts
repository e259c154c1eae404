import type { Clock, Timer } from 'hookline'

/** Something that is called when its time has come, unless taken back. */
export interface Timeout {
  readonly atMs: number
  /** Its place among those that wait; not for others to change. */
  place: number
  expire(): void
}

/** Many timeouts on one timer: most of them never come. */
export class Timeouts {
  readonly #clock: Clock
  readonly #waiting: Timeout[] = []
  #timer: Timer | undefined
  #wakeAtMs = Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(timeout: Timeout): void {
    timeout.place = this.#waiting.push(timeout) - 1
    if (timeout.atMs < this.#wakeAtMs) this.#wakeAt(timeout.atMs)
    else if (timeout.place === 0) this.#timer?.hold(true)
  }

  remove(timeout: Timeout): void {
    if (!this.#take(timeout)) return
    // The timer stays for the next one, but keeps no process alive.
    if (this.#waiting.length === 0) this.#timer?.hold(false)
  }

  /** Takes it out, if it is there; the last one gets the place. */
  #take(timeout: Timeout): boolean {
    const { place } = timeout
    if (this.#waiting[place] !== timeout) return false
    const last = this.#waiting.pop()
    if (last !== undefined && last !== timeout) {
      this.#waiting[place] = last
      last.place = place
    }
    return true
  }

  #wakeAt(ms: number): void {
    this.#timer?.stop()
    this.#wakeAtMs = ms
    const wait = Math.max(0, ms - this.#clock.now())
    this.#timer = this.#clock.after(wait, () => this.#wake())
  }

  #wake(): void {
    const now = this.#clock.now()
    this.#wakeAtMs = Infinity
    this.#timer = undefined
    for (const timeout of [...this.#waiting]) {
      if (timeout.atMs <= now && this.#take(timeout)) timeout.expire()
    }
    const left = this.#waiting.map(({ atMs }) => atMs)
    const next = Math.min(...left, this.#wakeAtMs)
    if (next < this.#wakeAtMs) this.#wakeAt(next)
  }
}
