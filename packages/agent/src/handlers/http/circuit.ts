import type { Clock } from 'hookline'

export interface CircuitLimits {
  /** Failures in a row that open it; default 5. */
  readonly failures?: number
  /** How long it stays open before one request may try; default 10 s. */
  readonly pauseMs?: number
}

/** Keeps requests from an endpoint that has failed again and again. */
export class Circuit {
  readonly #clock: Clock
  readonly #threshold: number
  readonly #pauseMs: number
  #failures = 0
  #closedUntilMs = 0

  constructor(clock: Clock, limits: CircuitLimits = {}) {
    this.#clock = clock
    this.#threshold = limits.failures ?? 5
    this.#pauseMs = limits.pauseMs ?? 10_000
  }

  get isOpen(): boolean {
    if (this.#failures < this.#threshold) return false
    return this.#clock.now() < this.#closedUntilMs
  }

  /** Whether a request may go now; after a pause, one is let through to try. */
  admit(): boolean {
    if (this.isOpen) return false
    if (this.#failures >= this.#threshold) this.#wait()
    return true
  }

  succeeded(): void {
    this.#failures = 0
  }

  failed(): void {
    this.#failures++
    if (this.#failures >= this.#threshold) this.#wait()
  }

  #wait(): void {
    this.#closedUntilMs = this.#clock.now() + this.#pauseMs
  }
}
