import type { CancelSignal, Clock, MaybePromise } from 'hookline'
import { asError } from '../data/as-error.ts'
import { settled } from '../data/promise-like.ts'

/** Waits for a promise, but not when nobody wants its result any more. */
export function untilAborted<T>(
  promise: PromiseLike<T>,
  signal: CancelSignal,
): Promise<T> {
  return withAbort(promise, signal, (reject) => {
    reject(asError(signal.reason))
    return () => {}
  })
}

/** Waits for a promise. An abort begins something that ends with the wait. */
export function withAbort<T>(
  promise: PromiseLike<T>,
  signal: CancelSignal,
  onAbort: (reject: (error: Error) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let stop: (() => void) | undefined
    const listener = {
      handleEvent: () => {
        stop = onAbort(reject)
      },
    }
    const settle = () => {
      stop?.()
      signal.removeEventListener('abort', listener)
    }
    // Also when it comes too late: somebody has to hear of a failure.
    promise.then(
      (value) => {
        settle()
        resolve(value)
      },
      (error: unknown) => {
        settle()
        reject(asError(error))
      },
    )
    if (signal.aborted) listener.handleEvent()
    else signal.addEventListener('abort', listener)
  })
}

/** Waits for a while, or until the signal is aborted, which is thrown. */
export function pause(
  clock: Clock,
  ms: number,
  signal: CancelSignal,
): Promise<void> {
  let stop = () => {}
  const passed = new Promise<void>((resolve) => {
    stop = wakeAfter(clock, ms, resolve)
  })
  return untilAborted(passed, signal).finally(() => stop())
}

/** Calls back after a time of any length; returns how to prevent it. */
export function wakeAfter(
  clock: Clock,
  ms: number,
  callback: () => void,
): () => void {
  const until = clock.now() + ms
  const look = () => {
    const left = until - clock.now()
    if (left > 0) timer = clock.after(left, look)
    else callback()
  }
  let timer = clock.after(ms, look)
  return () => timer.stop()
}

/** What a port gives, as long as anybody waits for it. */
export function heed<T>(
  given: T | PromiseLike<T>,
  signal: CancelSignal,
): MaybePromise<T> {
  const waited = settled(given)
  return waited instanceof Promise ? untilAborted(waited, signal) : waited
}
