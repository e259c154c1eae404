import type { Hook } from './hook.ts'

interface Trouble {
  failures: number
  /** Until when the hook is not run; 0 while it still is. */
  until: number
}

/** Remembers which hooks keep failing, and keeps them from running a while. */
export class Breaker {
  readonly #troubles = new Map<Hook, Trouble>()
  readonly #threshold: number
  readonly #pauseMs: number

  constructor(threshold: number, pauseMs: number) {
    this.#threshold = threshold
    this.#pauseMs = pauseMs
  }

  /** True while no hook is in trouble, so that nothing has to be looked up. */
  get isIdle(): boolean {
    return this.#troubles.size === 0
  }

  /** Whether a hook must not run now. After a pause one run may try again. */
  isOpen(hook: Hook, now: number): boolean {
    const trouble = this.#troubles.get(hook)
    if (trouble === undefined || trouble.until === 0) return false
    if (now < trouble.until) return true
    // The trial is under way: everyone else waits another pause for it.
    trouble.until = now + this.#pauseMs
    return false
  }

  succeeded(hook: Hook): void {
    this.#troubles.delete(hook)
  }

  /** Counts a failure; true when this one put the hook into quarantine. */
  failed(hook: Hook, now: number): boolean {
    const trouble = this.#troubles.get(hook) ?? { failures: 0, until: 0 }
    this.#troubles.set(hook, trouble)
    trouble.failures++
    if (trouble.failures < this.#threshold) return false
    trouble.until = now + this.#pauseMs
    return true
  }

  /** A new table starts with a clean slate. */
  reset(): void {
    this.#troubles.clear()
  }
}
