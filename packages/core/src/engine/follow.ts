import type { Dispatch } from './dispatch.ts'
import type { HookRun } from './run.ts'

/** How a hook that ran came back. */
export type Settled = 'answered' | 'threw'

// What a subclass makes of `then` does not matter: this is the real one.
// oxlint-disable-next-line typescript/unbound-method -- it is always called on a promise
const promiseThen = Promise.prototype.then

/** What a hook gave if that is a promise, or pretends to be one. */
export function promiseOf(given: unknown): Promise<unknown> | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  if (given instanceof Promise) return given
  const isThenable = 'then' in given && typeof given.then === 'function'
  return isThenable ? Promise.resolve(given) : undefined
}

/**
 * Hears how the promise of a run is settled: once, and never at once. Then it
 * can serve another run: what it hears with is made only once.
 */
export class Follower {
  run: HookRun
  readonly #onAnswer: (answer: unknown) => void
  readonly #onThrow: (cause: unknown) => void

  constructor(home: Dispatch, run: HookRun) {
    this.run = run
    this.#onAnswer = (answer) => home.resume(this, 'answered', answer)
    this.#onThrow = (cause) => home.resume(this, 'threw', cause)
  }

  follow(run: HookRun, promise: Promise<unknown>): void {
    this.run = run
    void promiseThen.call(promise, this.#onAnswer, this.#onThrow)
  }
}
