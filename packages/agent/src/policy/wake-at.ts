import type { Clock, Timer } from 'hookline'

// Longer timers overflow and fire at once.
const longestTimerMs = 2_147_483_647

/** Calls back once, when the clock shows that time or later; never before. */
export function wakeAt(
  clock: Clock,
  time: number,
  callback: () => void,
): () => void {
  const arm = (): Timer => {
    const leftMs = time - clock.now()
    return clock.after(Math.min(leftMs, longestTimerMs), () => {
      if (clock.now() >= time) callback()
      else timer = arm()
    })
  }
  let timer = arm()
  return () => timer.stop()
}
