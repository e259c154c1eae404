/** Does one thing after the other; what fails does not hold up what follows. */
export class WorkQueue {
  /** Settles, and never fails, when all that was asked for has been done. */
  #tail: Promise<void> | undefined

  add<T>(work: () => Promise<T>): Promise<T> {
    const result = (this.#tail ?? Promise.resolve()).then(work)
    this.#tail = result.then(ignore, ignore)
    return result
  }

  /** Settles when nothing is done or waits, whatever is added meanwhile. */
  async idle(): Promise<void> {
    for (let seen: unknown; seen !== this.#tail; ) {
      seen = this.#tail
      await seen
    }
  }
}

function ignore(): void {}
