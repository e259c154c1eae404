const startSize = 32
const maxSize = 1_024

/**
 * Does many small things without holding up the process: some, then others get
 * their turn, then the next. How many at once follows from what they have cost,
 * with all that they set off.
 */
export class Slices {
  readonly #targetMs: number
  readonly #nowMs: () => number
  #queue: (() => void)[] = []
  #next = 0
  #size = startSize
  #isRunning = false
  /** When the time of whoever goes on by themselves began. */
  #sinceMs = 0
  #isMarked = false

  constructor(targetMs = 4, nowMs = () => performance.now()) {
    this.#targetMs = targetMs
    this.#nowMs = nowMs
  }

  /** How many wait for their turn. */
  get length(): number {
    return this.#queue.length - this.#next
  }

  /** Whether somebody who goes on without a pause should make one. */
  get isOver(): boolean {
    if (this.#isMarked) return this.#nowMs() - this.#sinceMs > this.#targetMs
    this.#isMarked = true
    this.#sinceMs = this.#nowMs()
    setImmediate(() => {
      this.#isMarked = false
    })
    return false
  }

  add(work: () => void): void {
    this.#queue.push(work)
    if (this.#isRunning) return
    this.#isRunning = true
    setImmediate(() => this.#run())
  }

  #run(): void {
    const startedMs = this.#nowMs()
    const end = Math.min(this.#queue.length, this.#next + this.#size)
    const count = end - this.#next
    while (this.#next < end) this.#queue[this.#next++]?.()
    if (this.#next > maxSize || this.#next === this.#queue.length) {
      this.#queue = this.#queue.slice(this.#next)
      this.#next = 0
    }
    // By then, what has been set off has been done, too.
    setImmediate(() => {
      const tookMs = this.#nowMs() - startedMs
      if (count === this.#size || tookMs > this.#targetMs) this.#adapt(tookMs)
      if (this.length > 0) this.#run()
      else this.#isRunning = false
    })
  }

  #adapt(tookMs: number): void {
    const factor = Math.max(0.25, Math.min(2, this.#targetMs / (tookMs + 0.01)))
    this.#size = Math.max(1, Math.min(maxSize, Math.round(this.#size * factor)))
  }
}
