import type { Clock } from '../engine/index.ts'

// Longer timers overflow and fire at once. Whoever waits looks at the clock
// when woken and waits on, so waking early is harmless.
const longestTimerMs = 2_147_483_647

// Held on to: a hook may replace what is global.
const { now: wallNow } = Date
const startTimer = setTimeout
const stopTimer = clearTimeout

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

/** Where timers are objects, they can let the process end. */
interface HeldTimer {
  ref?(): void
  unref?(): void
}

export const systemClock: Clock = {
  // Bound, not wrapped: it is called once for every run of a hook.
  now: performance.now.bind(performance),
  wallAt,
  after(ms, callback) {
    const id = startTimer(callback, Math.min(ms, longestTimerMs))
    const timer: HeldTimer = Object(id)
    return {
      stop: () => stopTimer(id),
      hold: (isHeld) => (isHeld ? timer.ref?.() : timer.unref?.()),
    }
  },
}
