import type { Clock } from '../engine/index.ts'

// Longer timers overflow and fire at once. Whoever waits looks at the clock
// when woken and waits on, so waking early is harmless.
const longestTimerMs = 2_147_483_647

// Held on to: a hook may replace what is global.
const { now: wallNow } = Date
const startTimer = setTimeout
const stopTimer = clearTimeout
const { setImmediate: soon = (callback) => callback() }: Soon =
  Object(globalThis)

let wallOffset = 0
let wallUntil = -Infinity

/** Looks at the wall clock at most once a second: it costs, and rarely jumps. */
function wallAt(ms: number): number {
  if (ms >= wallUntil) {
    const now = performance.now()
    wallOffset = wallNow() - now
    wallUntil = now + 1_000
  }
  return ms + wallOffset
}

/** Only some platforms have it; those whose timers can be held do. */
interface Soon {
  readonly setImmediate?: (callback: () => void) => void
}

/** Where timers are objects, they can let the process end. */
interface HeldTimer {
  ref?(): void
  unref?(): void
}

/**
 * Holds the process, and lets go of it when nobody has held it again by the
 * end of what is being done: to tell the platform of every change costs more
 * than a hook does.
 */
function holder(timer: HeldTimer): (isHeld: boolean) => void {
  let isHolding = true
  let isWanted = true
  let isLooking = false
  const look = () => {
    isLooking = false
    if (isWanted || !isHolding) return
    isHolding = false
    timer.unref?.()
  }
  return (isHeld) => {
    isWanted = isHeld
    if (isHeld) {
      if (!isHolding) timer.ref?.()
      isHolding = true
    } else if (!isLooking) {
      isLooking = true
      soon(look)
    }
  }
}

export const systemClock: Clock = {
  // Bound, not wrapped: it is called once for every run of a hook.
  now: performance.now.bind(performance),
  wallAt,
  after(ms, callback) {
    const id = startTimer(callback, Math.min(ms, longestTimerMs))
    return { stop: () => stopTimer(id), hold: holder(Object(id)) }
  },
}
