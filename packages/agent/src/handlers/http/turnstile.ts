import { HandlerFailure } from '../handler-failure.ts'

const maxWaiting = 1_000

interface Waiter {
  readonly limit: number
  readonly enter: () => void
}

/** Lets so many in at a time; the others wait, as long as they have time. */
export class Turnstile {
  readonly #waiting = new Set<Waiter>()
  #inside = 0

  /** Rejects with the reason of the signal. */
  async enter(limit: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting.size === 0 && this.#inside < limit) {
      this.#inside++
      return
    }
    if (this.#waiting.size >= maxWaiting) {
      const message = `More than ${maxWaiting} requests wait for the endpoint.`
      throw new HandlerFailure('overloaded', message)
    }
    await this.#wait(limit, signal)
  }

  leave(): void {
    this.#inside--
    const [first] = this.#waiting
    if (first === undefined || this.#inside >= first.limit) return
    this.#inside++
    first.enter()
  }

  #wait(limit: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        this.#waiting.delete(waiter)
        signal.removeEventListener('abort', giveUp)
        end()
      }
      // The reason is always one of our failures.
      const giveUp = () => settle(() => reject(signal.reason as HandlerFailure))
      const waiter: Waiter = { limit, enter: () => settle(resolve) }
      this.#waiting.add(waiter)
      signal.addEventListener('abort', giveUp)
      if (signal.aborted) giveUp()
    })
  }
}
