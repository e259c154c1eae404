/** Time as a port: durations never go backwards, wall time is for people. */
export interface Clock {
  /** Monotonic milliseconds since some fixed moment. */
  now(): number
  /** Milliseconds since 1970, UTC. */
  wall(): number
  /** Calls back once, not before `ms` have passed. */
  after(ms: number, callback: () => void): Timer
}

export interface Timer {
  stop(): void
  /** Whether the process must stay alive for it; at first it must. */
  hold(isHeld: boolean): void
}

// Longer timers overflow and fire at once. Whoever waits looks at the clock
// when woken and waits on, so waking early is harmless.
const longestTimerMs = 2_147_483_647

/** Where timers are objects, they can let the process end. */
interface HeldTimer {
  ref?(): void
  unref?(): void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, callback) {
    const id = setTimeout(callback, Math.min(ms, longestTimerMs))
    const timer: HeldTimer = Object(id)
    return {
      stop: () => clearTimeout(id),
      hold: (isHeld) => (isHeld ? timer.ref?.() : timer.unref?.()),
    }
  },
}
