import type { Clock } from 'hookline'

export interface EndOptions {
  readonly clock: Clock
  /** How long it may take by itself. */
  readonly graceMs: number
  /** Has it come to its end when the time is up. */
  readonly hurry: () => Promise<unknown>
}

/** Work that comes to its end, by itself or because it is made to. */
export async function endInTime(
  work: Promise<unknown>,
  { clock, graceMs, hurry }: EndOptions,
): Promise<void> {
  const late = Promise.withResolvers<'late'>()
  const timer = clock.after(graceMs, () => late.resolve('late'))
  try {
    if ((await Promise.race([work, late.promise])) === 'late') await hurry()
  } finally {
    timer.stop()
  }
  await work
}
