import type { Clock } from 'hookline'

/** Settles with the work, or when the time is up; whether the work was done. */
export async function within(
  clock: Clock,
  ms: number,
  work: Promise<unknown>,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = clock.after(ms, () => resolve(false))
  const done = () => resolve(true)
  work.then(done, done)
  const isDone = await promise
  timer.stop()
  return isDone
}
