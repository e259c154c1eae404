import type { Clock, Timer } from 'hookline'
import { HandlerFailure } from './handler-failure.ts'

const slackMs = 5

/** When something has to be over, and the signal that says that it is. */
export class Deadline {
  readonly #clock: Clock
  readonly #endMs: number
  /** Whoever asked may have begun to count as long before. */
  readonly #callerEndMs: number
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  #timer: Timer | undefined

  /** The time that is left is asked for here, so that it is known how old it is. */
  constructor(
    clock: Clock,
    leftMs: number | (() => number),
    caller?: AbortSignal,
  ) {
    this.#clock = clock
    const askedMs = clock.now()
    const given = typeof leftMs === 'number' ? leftMs : leftMs()
    const timeoutMs = given > 0 ? given : 0
    this.#callerEndMs = askedMs + timeoutMs
    this.#endMs = clock.now() + timeoutMs
    this.#caller = caller
    if (caller?.aborted) this.#giveUp()
    else caller?.addEventListener('abort', this.#giveUp)
    if (!this.signal.aborted) this.#look()
  }

  /** Aborted with the `HandlerFailure` that says why. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get remainingMs(): number {
    return Math.max(0, this.#endMs - this.#clock.now())
  }

  /** Waits for something as long as there is time. */
  async within<T>(work: PromiseLike<T>): Promise<T> {
    const { signal } = this
    let stop = () => {}
    const over = new Promise<never>((_, reject) => {
      // Its reason is always one of our failures.
      stop = () => reject(signal.reason as HandlerFailure)
      signal.addEventListener('abort', stop)
    })
    if (signal.aborted) stop()
    try {
      return await Promise.race([work, over])
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Lets a while pass, if there is so much time. */
  async pause(ms: number): Promise<void> {
    if (ms <= 0) return
    let timer: Timer | undefined
    const passed = new Promise<void>((resolve) => {
      timer = this.#clock.after(ms, resolve)
    })
    try {
      await this.within(passed)
    } finally {
      timer?.stop()
    }
  }

  /** Ends the wait before its time. */
  cancel(failure: HandlerFailure): void {
    this.end()
    this.#controller.abort(failure)
  }

  /** Lets go of its timer and of whoever asked. */
  end(): void {
    this.#timer?.stop()
    this.#timer = undefined
    this.#caller?.removeEventListener('abort', this.#giveUp)
  }

  readonly #giveUp = () => {
    // Whoever asked has the same deadline, and a timer of its own for it.
    const leftMs = this.#callerEndMs - this.#clock.now()
    if (leftMs < slackMs) this.cancel(tooLate())
    else this.cancel(new HandlerFailure('cancelled', 'Nobody waits any more.'))
  }

  // A timer may fire early, and none is longer than 25 days.
  readonly #look = () => {
    const leftMs = this.#endMs - this.#clock.now()
    if (leftMs > 0) {
      this.#timer = this.#clock.after(leftMs, this.#look)
      return
    }
    this.cancel(tooLate())
  }
}

function tooLate(): HandlerFailure {
  return new HandlerFailure('timed-out', 'There was no answer in time.')
}
