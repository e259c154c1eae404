/** Time as a port: durations never go backwards, wall time is for people. */
export interface Clock {
  /** Monotonic milliseconds since some fixed moment. */
  now(): number
  /** What the wall clock showed then, in milliseconds since 1970, UTC. */
  wallAt(now: number): number
  /** Calls back once, after about `ms`; who is woken looks at the clock. */
  after(ms: number, callback: () => void): Timer
}

/** From that clock to the wall's: the same object until the wall's is set. */
export interface WallOffset {
  readonly ms: number
}

export interface Timer {
  stop(): void
  /** Whether the process must stay alive for it; at first it must. */
  hold(isHeld: boolean): void
}
