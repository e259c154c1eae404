import { LimitReached } from '../loop/ends.ts'
import type { Turn } from '../loop/turn.ts'
import { workedMs } from '../loop/turn-use.ts'
import { wakeAfter } from '../loop/wait.ts'

/** Aborts a turn that takes too long; time spent on people does not count. */
export function limitWallTime(
  turn: Turn,
  abort: (reason: LimitReached) => void,
): () => void {
  const { maxWallMs } = turn.limits
  if (maxWallMs === undefined) return () => {}
  const { clock } = turn.parts
  const look = () => {
    const left = maxWallMs - workedMs(turn)
    if (left > 0) stop = wakeAfter(clock, left, look)
    else
      abort(new LimitReached(`The turn reached its limit of ${maxWallMs} ms.`))
  }
  let stop = wakeAfter(clock, maxWallMs - workedMs(turn), look)
  return () => stop()
}
