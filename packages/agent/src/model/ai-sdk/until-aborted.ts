import { failureOf } from './failure.ts'

/** What comes first: the end of the promise, or the abort of the signal. */
export function untilAborted<T>(
  promise: PromiseLike<T>,
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(failureOf(signal.reason, signal))
    const stop = () => signal.removeEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    // After an abort nobody hears of it, nor of its failure.
    void Promise.resolve(promise).then(resolve, reject).finally(stop)
  })
}
