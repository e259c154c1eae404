import { LimitReached } from '../loop/ends.ts'
import type { Turn } from '../loop/turn.ts'
import { wakeAfter } from '../loop/wait.ts'

/** Aborts a turn that takes too long; time spent on people does not count. */
export function limitWallTime(
  { limits, parts, startedMs, tally }: Turn,
  abort: (reason: LimitReached) => void,
): () => void {
  const { maxWallMs } = limits
  if (maxWallMs === undefined) return () => {}
  const { clock } = parts
  const look = () => {
    const now = clock.now()
    const left = maxWallMs - (now - startedMs - tally.waitedMs(now))
    if (left > 0) stop = wakeAfter(clock, left, look)
    else
      abort(new LimitReached(`The turn reached its limit of ${maxWallMs} ms.`))
  }
  let stop = wakeAfter(clock, maxWallMs, look)
  return () => stop()
}
