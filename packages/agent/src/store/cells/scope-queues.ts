type Scope = readonly [scope: string, id: string]

/**
 * What happens to a scope in this process happens in the order in which it was
 * asked for, so that nobody but other processes gets in between.
 */
export class ScopeQueues {
  readonly #last = new Map<string, Promise<unknown>>()

  add<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(scope)
    const done = this.after(scope, work)
    const settled = done
      .catch(() => {})
      .then(() => {
        if (this.#last.get(key) === settled) this.#last.delete(key)
      })
    this.#last.set(key, settled)
    return done
  }

  /** Whatever comes later does not wait for it. */
  after<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(JSON.stringify(scope))
    return before === undefined ? work() : before.then(work)
  }

  async drain(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values())
  }
}
