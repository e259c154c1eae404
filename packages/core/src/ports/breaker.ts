import type { Breaker } from '../engine/index.ts'

interface Trouble {
  failures: number
  /** Until when the hook is not run; 0 while it still is. */
  until: number
}

/** Remembers which hooks keep failing, and keeps them from running a while. */
export class CountingBreaker implements Breaker {
  /** A plain field: it is read before and after every run of every hook. */
  isIdle = true
  readonly #troubles = new Map<string, Trouble>()
  readonly #threshold: number
  readonly #pauseMs: number

  constructor(threshold: number, pauseMs: number) {
    this.#threshold = threshold
    this.#pauseMs = pauseMs
  }

  isOpen(hook: string, now: number): boolean {
    const trouble = this.#troubles.get(hook)
    if (trouble === undefined || trouble.until === 0) return false
    if (now < trouble.until) return true
    // The trial is under way: everyone else waits another pause for it.
    trouble.until = now + this.#pauseMs
    return false
  }

  succeeded(hook: string): void {
    this.#troubles.delete(hook)
    this.isIdle = this.#troubles.size === 0
  }

  failed(hook: string, now: number): boolean {
    const trouble = this.#troubles.get(hook) ?? { failures: 0, until: 0 }
    this.#troubles.set(hook, trouble)
    this.isIdle = false
    trouble.failures++
    if (trouble.failures < this.#threshold) return false
    const isNew = trouble.until === 0
    trouble.until = now + this.#pauseMs
    return isNew
  }

  reset(): void {
    this.#troubles.clear()
    this.isIdle = true
  }
}
