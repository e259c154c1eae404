import type { Clock } from '../engine/index.ts'

/** A clock that stands still until it is told to go on. */
export interface FakeClock extends Clock {
  /** Lets time pass, firing what falls due on the way, in order. */
  advance(ms: number): Promise<void>
  /** Lets everything happen that waits for no timer. */
  settle(): Promise<void>
  /** Moves wall time alone, as an administrator or a time server might. */
  setWall(ms: number): void
  /** How many timers are running. */
  readonly pending: number
}

interface Pending {
  readonly at: number
  readonly callback: () => void
}

// More than any chain of promises in a dispatch is long.
const microtaskRounds = 24

export function createFakeClock(wall = Date.UTC(2026, 0, 1)): FakeClock {
  const timers = new Set<Pending>()
  let now = 0
  let offset = wall

  const settle = async () => {
    for (let round = 0; round < microtaskRounds; round++) {
      await Promise.resolve()
    }
  }

  /** The first set of those that are due first. */
  const nextDue = (until: number) => {
    let due: Pending | undefined
    for (const timer of timers) {
      if (timer.at <= until && (due === undefined || timer.at < due.at)) {
        due = timer
      }
    }
    return due
  }

  return {
    now: () => now,
    wallAt: (ms) => ms + offset,
    after(ms, callback) {
      const timer = { at: now + Math.max(0, ms), callback }
      timers.add(timer)
      return { stop: () => void timers.delete(timer), hold: () => {} }
    },
    async advance(ms) {
      const until = now + ms
      await settle()
      for (let due = nextDue(until); due; due = nextDue(until)) {
        timers.delete(due)
        now = Math.max(now, due.at)
        due.callback()
        await settle()
      }
      now = until
    },
    settle,
    setWall(ms) {
      offset = ms - now
    },
    get pending() {
      return timers.size
    },
  }
}
