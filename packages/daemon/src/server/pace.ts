/** How long streams may keep the loop to themselves. */
const sliceMs = 5
/** How many go on at once after that. */
const batch = 16

/**
 * Lets thousands of streams write without keeping everybody else waiting: when
 * a slice of time is used up, the next ones wait for their turn.
 */
export class Pace {
  readonly #nowMs: () => number
  readonly #waiting: (() => void)[] = []
  #sliceEndMs: number | undefined

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Undefined: go on at once. */
  turn(): Promise<void> | undefined {
    const nowMs = this.#nowMs()
    if (this.#sliceEndMs === undefined) {
      this.#sliceEndMs = nowMs + sliceMs
      setImmediate(() => this.#next())
    }
    if (nowMs < this.#sliceEndMs && this.#waiting.length === 0) return undefined
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Does something that is not in a hurry when it is its turn. */
  later(work: () => void): void {
    this.#waiting.push(work)
    if (this.#sliceEndMs !== undefined) return
    this.#sliceEndMs = 0
    setImmediate(() => this.#next())
  }

  #next(): void {
    this.#sliceEndMs = undefined
    if (this.#waiting.length === 0) return
    for (const go of this.#waiting.splice(0, batch)) go()
    if (this.#waiting.length === 0) return
    // Whoever comes now waits behind them.
    this.#sliceEndMs = 0
    setImmediate(() => this.#next())
  }
}
