import type { Hook } from 'hookline'

/**
 * Hooks that stay as long as a table has them: what they know outlives a
 * reload that leaves their use as it is.
 */
export class KeptUses {
  #kept = new Map<string, readonly Hook[]>()
  #next = new Map<string, readonly Hook[]>()

  /** Hooks for the next table: those there are, or new ones. */
  open(key: string, make: () => readonly Hook[]): readonly Hook[] {
    const hooks = this.#next.get(key) ?? this.#kept.get(key) ?? make()
    this.#next.set(key, hooks)
    return hooks
  }

  /** The next table is in place. */
  settle(): void {
    this.#kept = this.#next
    this.#next = new Map()
  }

  /** The next table did not get in: the last one stays. */
  abandon(): void {
    this.#next = new Map()
  }
}
