import type { Turn } from './turn.ts'
import { asError, wakeAfter } from './wait.ts'

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
  return new Promise((resolve, reject) => {
    let stopWaiting = () => {}
    const listener = {
      handleEvent: () => {
        const message = `${who} did not answer within ${graceMs} ms of the cancellation.`
        const giveUp = () => reject(new Error(message))
        stopWaiting = wakeAfter(clock, graceMs, giveUp)
      },
    }
    const settle = () => {
      stopWaiting()
      signal.removeEventListener('abort', listener)
    }
    work.then(
      (value) => {
        settle()
        resolve(value)
      },
      (error: unknown) => {
        settle()
        reject(asError(error))
      },
    )
    if (signal.aborted) listener.handleEvent()
    else signal.addEventListener('abort', listener)
  })
}
