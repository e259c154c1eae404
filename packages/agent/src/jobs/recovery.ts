import { type Clock, systemClock, type Timer } from 'hookline'
import type { JobQueue, RecoveredJob } from './job-queue.ts'

export interface RecoveryOptions {
  readonly queue: Pick<JobQueue, 'recover'>
  /**
   * What else is to be swept after a crash, so many at a time. Each gives how
   * many it found; it is called again until it finds fewer.
   */
  readonly sweeps?: readonly Sweep[]
  readonly clock?: Clock
  /** How often it looks; default 2 s. */
  readonly everyMs?: number
  /** How many are looked after at a time; default 100. */
  readonly batch?: number
  /** Hears what became of a job that was left behind, and why. */
  readonly onRecovered?: (job: RecoveredJob) => void
  readonly onError?: (error: unknown) => void
}

type Sweep = (limit: number) => Promise<number>

export interface Recovery {
  /** Settles when what was found at the start has been dealt with. */
  readonly started: Promise<void>
  /** Looks now; settles when nothing is left to do. */
  run(): Promise<void>
  stop(): Promise<void>
}

/**
 * Finds what a process left behind that is not there any more. Works in small
 * batches, one after the other, so that whoever waits for a gate comes between.
 */
export function createRecovery(options: RecoveryOptions): Recovery {
  const { queue, sweeps = [], clock = systemClock } = options
  const { everyMs = 2_000, batch = 100 } = options
  const { onRecovered = () => {}, onError = () => {} } = options
  let timer: Timer | undefined
  let running: Promise<void> | undefined
  let isStopped = false

  const sweepJobs: Sweep = async (limit) => {
    const jobs = await queue.recover(limit)
    for (const job of jobs) onRecovered(job)
    return jobs.length
  }

  const sweepAll = async () => {
    for (const sweep of [sweepJobs, ...sweeps]) {
      try {
        while (!isStopped && (await sweep(batch)) >= batch) {
          // There is more where that came from.
        }
      } catch (error) {
        onError(error)
      }
    }
  }

  const run = () => {
    timer?.stop()
    running ??= sweepAll().finally(() => {
      running = undefined
      if (!isStopped) timer = clock.after(everyMs, () => void run())
    })
    return running
  }

  return {
    started: run(),
    run,
    async stop() {
      isStopped = true
      timer?.stop()
      await running
    },
  }
}
