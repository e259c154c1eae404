import type { Clock } from 'hookline'

/** Waits for a promise, but not when nobody wants its result any more. */
export function untilAborted<T>(
  promise: PromiseLike<T>,
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      // Somebody has to hear of its failure.
      promise.then(undefined, () => {})
      reject(asError(signal.reason))
      return
    }
    const onAbort = () => reject(asError(signal.reason))
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(
      (value) => {
        signal.removeEventListener('abort', onAbort)
        resolve(value)
      },
      (error: unknown) => {
        signal.removeEventListener('abort', onAbort)
        reject(asError(error))
      },
    )
  })
}

/** Waits for a while, or until the signal is aborted, which is thrown. */
export function pause(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
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

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
