import type { Turn } from './turn.ts'
import { wakeAfter, withAbort } from './wait.ts'

/**
 * Waits for what has to be known. When the turn is cancelled, that is waited
 * for only so long; then it has failed.
 */
export function withinGrace<T>(
  { parts, signal }: Turn,
  work: Promise<T>,
  who: string,
): Promise<T> {
  const { clock, graceMs } = parts
  const message = `${who} did not answer within ${graceMs} ms of the cancellation.`
  return withAbort(work, signal, (reject) =>
    wakeAfter(clock, graceMs, () => reject(new Error(message))),
  )
}
