import type { Clock } from 'hookline'
import type { PolicyThread } from './threaded-policy.ts'

export interface RunnerParts {
  readonly clock: Clock
  /** For one evaluation. */
  readonly timeoutMs: number
  readonly start: () => PolicyThread
}

/** Evaluates a policy, without its ever holding up anything else. */
export interface PolicyRunner {
  /** What an input comes to, as JSON. */
  evaluate(input: string, signal: AbortSignal): Promise<string>
}

/** How long a policy may take to open. */
const openMs = 5_000

/** A thread that nobody has asked for so long is not kept. */
const idleMs = 60_000

/**
 * Opens the policy at once; throws where it cannot. Evaluations come one after
 * another, each with all of its time.
 */
export function createRunner({
  clock,
  timeoutMs,
  start,
}: RunnerParts): PolicyRunner {
  let thread = openedNow(start)
  let isOpen = true
  let last: Promise<unknown> = Promise.resolve()
  let idle = clock.after(idleMs, () => thread.end())
  idle.hold(false)

  /** A thread that was too late is still at it: nothing else would end it. */
  const within = async <T>(
    ms: number,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> => {
    const { promise: cut, reject } = Promise.withResolvers<never>()
    const giveUp = () => reject(signal.reason)
    const late = new Error(`The policy took longer than ${ms} ms.`)
    const timer = clock.after(ms, () => reject(late))
    signal.addEventListener('abort', giveUp)
    try {
      return await Promise.race([cut, work()])
    } catch (error) {
      if (error === late || signal.aborted) thread.end()
      throw error
    } finally {
      signal.removeEventListener('abort', giveUp)
      timer.stop()
    }
  }

  const evaluateNext = async (input: string, signal: AbortSignal) => {
    signal.throwIfAborted()
    idle.stop()
    try {
      if (thread.isEnded) {
        thread = start()
        isOpen = false
      }
      if (!isOpen) await within(openMs, signal, () => thread.open())
      isOpen = true
      return await within(timeoutMs, signal, () => thread.evaluate(input))
    } catch (error) {
      if (!isOpen) thread.end()
      throw error
    } finally {
      idle = clock.after(idleMs, () => thread.end())
      idle.hold(false)
    }
  }

  return {
    evaluate(input, signal) {
      const mine = last.then(() => evaluateNext(input, signal))
      last = mine.catch(() => {})
      return mine
    },
  }
}

function openedNow(start: () => PolicyThread): PolicyThread {
  const thread = start()
  try {
    thread.openNow(openMs)
    return thread
  } catch (error) {
    thread.end()
    throw error
  }
}
