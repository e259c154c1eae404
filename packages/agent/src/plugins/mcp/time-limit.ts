import type { Clock, Timer } from 'hookline'

export interface TimeLimitOptions {
  readonly clock: Clock
  readonly limitMs: number
  /** Whoever does not want to wait any more. */
  readonly outer?: AbortSignal | undefined
}

/** A signal that fires when time is up or somebody gives up; end it always. */
export class TimeLimit {
  readonly #controller = new AbortController()
  readonly #options: TimeLimitOptions
  readonly #giveUp = () => this.#controller.abort(this.#options.outer?.reason)
  #timer: Timer | undefined
  #leftMs: number
  #startedAt = 0
  #pauses = 0
  #isExpired = false

  constructor(options: TimeLimitOptions) {
    this.#options = options
    this.#leftMs = options.limitMs
    const { outer } = options
    outer?.addEventListener('abort', this.#giveUp)
    if (outer?.aborted) this.#giveUp()
    this.#run()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get isExpired(): boolean {
    return this.#isExpired
  }

  /** Time that a person takes does not count; pauses may overlap. */
  pause(): void {
    this.#pauses++
    if (this.#pauses > 1) return
    this.#timer?.stop()
    this.#leftMs -= this.#options.clock.now() - this.#startedAt
  }

  resume(): void {
    this.#pauses--
    if (this.#pauses === 0) this.#run()
  }

  /** As if its time were up. */
  expire(): void {
    this.#isExpired = true
    this.#controller.abort(new Error('Its time is up.'))
  }

  /** Whatever still waits on its signal is no longer needed. */
  end(): void {
    this.#timer?.stop()
    this.#pauses = Infinity
    this.#options.outer?.removeEventListener('abort', this.#giveUp)
    this.#controller.abort(new Error('It is over.'))
  }

  #run(): void {
    const { clock } = this.#options
    this.#startedAt = clock.now()
    const leftMs = Math.max(0, this.#leftMs)
    this.#timer = clock.after(leftMs, () => this.expire())
  }
}

/** Waits for a promise as long as anybody wants its value. */
export function heed<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abortReason(signal))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    promise
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function abortReason({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('It was cancelled.')
}
