import type { Clock, Timer } from 'hookline'

interface CoalesceOptions {
  readonly clock: Clock
  /** How long changes are waited for that belong together. */
  readonly quietMs: number
  /** From the start of one run to that of the next. */
  readonly minGapMs: number
}

/** Makes one run of many requests. */
interface Coalescer {
  request(): void
  close(): void
}

/** Runs soon after it was asked to, but not more often than allowed. */
export function coalesce(
  run: () => Promise<void>,
  { clock, quietMs, minGapMs }: CoalesceOptions,
): Coalescer {
  let timer: Timer | undefined
  let lastStart = Number.NEGATIVE_INFINITY
  let isRunning = false
  let isAsked = false
  let isClosed = false

  const schedule = () => {
    const now = clock.now()
    const at = Math.max(now + quietMs, lastStart + minGapMs)
    timer = clock.after(at - now, start)
  }

  const start = () => {
    timer = undefined
    if (isClosed) return
    lastStart = clock.now()
    isRunning = true
    void run().finally(() => {
      isRunning = false
      if (!isAsked || isClosed) return
      isAsked = false
      schedule()
    })
  }

  return {
    request() {
      if (isClosed || timer !== undefined) return
      if (isRunning) isAsked = true
      else schedule()
    },
    close() {
      isClosed = true
      timer?.stop()
    },
  }
}
