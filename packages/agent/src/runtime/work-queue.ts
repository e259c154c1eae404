import type { MaybePromise } from 'hookline'

/** Does one thing after the other; what fails does not hold up what follows. */
export class WorkQueue {
  /** Settles, and never fails, when all that was asked for has been done. */
  #tail: Promise<void> | undefined

  add<T>(work: () => Promise<T>): Promise<T> {
    const result = doAfter(this.#tail, work)
    const forget = () => {
      if (this.#tail === tail) this.#tail = undefined
    }
    const tail = result.then(forget, forget)
    this.#tail = tail
    return result
  }

  /** Settles when nothing is done or waits, whatever is added meanwhile. */
  idle(): MaybePromise<void> {
    return this.#tail?.then(() => this.idle())
  }
}

async function doAfter<T>(
  before: Promise<void> | undefined,
  work: () => Promise<T>,
): Promise<T> {
  await before
  return await work()
}
