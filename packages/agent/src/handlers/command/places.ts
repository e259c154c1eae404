import { HandlerFailure } from '../handler-failure.ts'
import { longestTimerMs } from './timer-limit.ts'

export interface PlaceRequest {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** How much the latest stay counts for how long one takes. */
const newest = 0.2

/**
 * So many at a time; others wait in order, within their own time. Who by all
 * experience would wait in vain is told so at once: that is better than to
 * have all of them fail a little later, when their time is up.
 */
export class Places {
  readonly #waiting = new Set<Waiting>()
  readonly #maxWaiting: number
  readonly #places: number
  /** How long a place is taken, about; 0: not known yet. */
  #stayMs = 0
  #free: number
  #isClosed = false

  constructor({ places, maxWaiting }: { places: number; maxWaiting: number }) {
    this.#places = places
    this.#free = places
    this.#maxWaiting = maxWaiting
  }

  /** Settles when there is a place, which is free again once `leave` is called. */
  async enter({ timeoutMs, signal }: PlaceRequest): Promise<() => void> {
    if (this.#isClosed) throw closed()
    if (signal?.aborted) throw cancelled()
    if (timeoutMs <= 0) throw overloaded()
    if (this.#free > 0) {
      this.#free -= 1
      return this.#leaver()
    }
    if (this.#waiting.size >= this.#maxWaiting) throw overloaded()
    const waitMs = (this.#stayMs * (this.#waiting.size + 1)) / this.#places
    if (waitMs > timeoutMs) throw hopeless(waitMs)
    await this.#wait({ timeoutMs, signal })
    return this.#leaver()
  }

  close(): void {
    this.#isClosed = true
    for (const { fail } of [...this.#waiting]) fail(closed())
  }

  async #wait({ timeoutMs, signal }: PlaceRequest): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const clear = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
        this.#waiting.delete(waiting)
      }
      const fail = (failure: HandlerFailure) => {
        clear()
        reject(failure)
      }
      const waiting = {
        until: performance.now() + timeoutMs,
        go: () => {
          clear()
          resolve()
        },
        fail,
      }
      const stop = () => fail(cancelled())
      const ms = Math.min(timeoutMs, longestTimerMs)
      const timer = setTimeout(() => fail(overloaded()), ms)
      signal?.addEventListener('abort', stop)
      this.#waiting.add(waiting)
    })
  }

  #learn(stayMs: number): void {
    const known = this.#stayMs || stayMs
    this.#stayMs = known + newest * (stayMs - known)
  }

  /** The place goes to the first who still has time for it. */
  #pass(): void {
    for (const next of this.#waiting) {
      if (performance.now() < next.until) {
        next.go()
        return
      }
      next.fail(overloaded())
    }
    this.#free += 1
  }

  #leaver(): () => void {
    const since = performance.now()
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      this.#learn(performance.now() - since)
      this.#pass()
    }
  }
}

function hopeless(waitMs: number): HandlerFailure {
  return new HandlerFailure(
    'overloaded',
    `Too many commands wait already: this one would not have begun in its time (there are about ${Math.round(waitMs)} ms to wait); raise the concurrency, or use fewer or resident commands.`,
  )
}

interface Waiting {
  readonly until: number
  readonly go: () => void
  readonly fail: (failure: HandlerFailure) => void
}

function overloaded(): HandlerFailure {
  return new HandlerFailure(
    'overloaded',
    'Too many commands run at the same time, and there was no place for this one in its time; raise the concurrency, or use fewer or resident commands.',
  )
}

function cancelled(): HandlerFailure {
  return new HandlerFailure('cancelled', 'The command is no longer wanted.')
}

export function closed(): HandlerFailure {
  return new HandlerFailure('cancelled', 'Commands are no longer run: closed.')
}
