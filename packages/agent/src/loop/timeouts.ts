import type { Clock, Timer } from 'hookline'

/** Something that is called when its time has come, unless taken back. */
export interface Timeout {
  readonly atMs: number
  expire(): void
}

/** Many timeouts on one timer: most of them never come. */
export class Timeouts {
  readonly #clock: Clock
  readonly #waiting = new Set<Timeout>()
  #timer: Timer | undefined
  #wakeAtMs = Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(timeout: Timeout): void {
    this.#waiting.add(timeout)
    if (timeout.atMs < this.#wakeAtMs) this.#wakeAt(timeout.atMs)
    else if (this.#waiting.size === 1) this.#timer?.hold(true)
  }

  remove(timeout: Timeout): void {
    const wasThere = this.#waiting.delete(timeout)
    // The timer stays for the next one, but keeps no process alive.
    if (wasThere && this.#waiting.size === 0) this.#timer?.hold(false)
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
      if (timeout.atMs > now || !this.#waiting.delete(timeout)) continue
      timeout.expire()
    }
    const left = [...this.#waiting].map(({ atMs }) => atMs)
    const next = Math.min(...left, this.#wakeAtMs)
    if (next < this.#wakeAtMs) this.#wakeAt(next)
  }
}
