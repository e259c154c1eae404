import type { Clock } from '../src/engine/index.ts'
import { createFakeClock } from '../src/testing/fake-clock.ts'

/** A fake clock whose time can also pass while the event loop stands still. */
export interface BlockableClock extends Clock {
  /** Time passes and no timer fires, as in a busy loop. */
  block(ms: number): void
  /** Time passes and timers fire, those first that a block held up. */
  pass(ms: number): Promise<void>
  settle(): Promise<void>
  readonly pending: number
}

// Many times more than any example needs.
const mostTimers = 10_000

export function createBlockableClock(): BlockableClock {
  const inner = createFakeClock()
  let earliest = 0
  let fired = 0
  const now = () => Math.max(earliest, inner.now())
  const behindMs = () => now() - inner.now()
  return {
    now,
    wallAt: (ms) => inner.wallAt(ms),
    after: (ms, callback) =>
      inner.after(ms + behindMs(), () => {
        // Otherwise what never comes to rest would never fail.
        if (++fired > mostTimers) throw new Error('It goes on for ever.')
        callback()
      }),
    block(ms) {
      earliest = now() + ms
    },
    pass: (ms) => inner.advance(ms + behindMs()),
    settle: () => inner.settle(),
    get pending() {
      return inner.pending
    },
  }
}
