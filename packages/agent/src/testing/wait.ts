import type { Clock, Timer } from 'hookline'

/** Waits, but no longer than somebody wants it. */
export async function waitWhileWanted<T>(
  awaited: PromiseLike<T>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted()
  const gone = Promise.withResolvers<never>()
  const stop = () => gone.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([awaited, gone.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Lets time pass by a clock, which may wake early. */
export async function pause(
  ms: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const due = clock.now() + ms
  let timer: Timer | undefined
  const passed = new Promise<void>((resolve) => {
    const look = () => {
      const left = due - clock.now()
      if (left <= 0) resolve()
      else timer = clock.after(left, look)
    }
    look()
  })
  try {
    await waitWhileWanted(passed, signal)
  } finally {
    timer?.stop()
  }
}
