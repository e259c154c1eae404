import { type Clock, systemClock, type Timer } from 'hookline'
import { errorText } from '../data/error-text.ts'
import { type DiskLimit, DiskRoom } from './disk-room.ts'
import type {
  JobFailure,
  JobQueue,
  LeasedJob,
  ReleaseOptions,
  Settlement,
} from './job-queue.ts'
import { type HeldJob, LeaseKeeper } from './lease-keeper.ts'

/** Does a job. The signal is aborted when it is no longer this process's. */
export type PerformJob = (
  job: LeasedJob,
  signal: AbortSignal,
) => Promise<JobOutcome>

export type JobOutcome =
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly failure: JobFailure }
  /** Not begun: this process cannot do it, another may. */
  | { readonly type: 'released'; readonly release: ReleaseOptions }

export interface JobWorkerOptions {
  readonly queue: JobQueue
  readonly perform: PerformJob
  readonly clock?: Clock
  /** How many jobs run at the same time; default 4. */
  readonly concurrency?: number
  /** How long nobody else takes a job whose worker is not heard of; default 30 s. */
  readonly leaseMs?: number
  /** How long at most until a job is found that nobody told of; default 1 s. */
  readonly pollMs?: number
  /** How long an aborted job may take to end before it is let go; default 5 s. */
  readonly graceMs?: number
  /** No job is begun where the disk has less; default: 64 MB, where we run. */
  readonly disk?: DiskLimit
  /** Hears how every job ended. */
  readonly onEnd?: (job: LeasedJob, settlement: Settlement) => void
  /** Hears of a queue that fails; the worker goes on. */
  readonly onError?: (error: unknown) => void
}

export interface JobWorker {
  /** How many jobs run now. */
  readonly running: number
  /** Takes no more jobs; what is not done by the deadline is given back. */
  stop(options?: { readonly deadlineMs?: number }): Promise<void>
}

/** Takes jobs from a queue and does them, until it is stopped. */
export function createJobWorker(options: JobWorkerOptions): JobWorker {
  const worker = new QueueWorker(options)
  worker.start()
  return worker
}

const firstPollMs = 20
const firstWaitMs = 50
const minFreeBytes = 67_108_864

class QueueWorker implements JobWorker {
  readonly #options: Required<JobWorkerOptions>
  readonly #leases: LeaseKeeper
  readonly #disk: DiskRoom
  readonly #work = new Set<Promise<void>>()
  readonly #stopListening: () => void
  #pollMs = firstPollMs
  #timer: Timer | undefined
  #claiming: Promise<void> | undefined
  /** Somebody called while it was claiming. */
  #isCalled = false
  #isStopping = false

  constructor(options: JobWorkerOptions) {
    this.#options = {
      clock: systemClock,
      concurrency: 4,
      leaseMs: 30_000,
      pollMs: 1_000,
      graceMs: 5_000,
      disk: { folder: process.cwd(), minFreeBytes },
      onEnd: () => {},
      onError: () => {},
      ...options,
    }
    const { queue, clock, leaseMs, onError, disk } = this.#options
    this.#disk = new DiskRoom(disk, { clock, onLow: onError })
    const marginMs = leaseMs / 6
    this.#leases = new LeaseKeeper({ queue, clock, leaseMs, marginMs, onError })
    this.#stopListening = queue.onAdd(() => this.start())
  }

  get running(): number {
    return this.#work.size
  }

  /** Looks for work now. */
  start(): void {
    this.#isCalled = true
    if (this.#isStopping || this.#claiming !== undefined) return
    this.#timer?.stop()
    this.#claiming = this.#claimAll().finally(() => {
      this.#claiming = undefined
      this.#sleep()
    })
  }

  async stop({ deadlineMs = 10_000 } = {}): Promise<void> {
    this.#isStopping = true
    this.#timer?.stop()
    this.#stopListening()
    await this.#within(deadlineMs)
    for (const held of this.#leases.all) held.abort('stopped')
    await this.#settled()
  }

  /** Fills every free place, as long as there is something to do. */
  async #claimAll(): Promise<void> {
    while (this.#isCalled && !this.#isStopping) {
      this.#isCalled = false
      const free = this.#options.concurrency - this.#work.size
      if (free <= 0 || this.#disk.isLow) return
      const count = await this.#claim(free)
      if (count > 0) this.#pollMs = firstPollMs
      if (count === free) this.#isCalled = true
    }
  }

  async #claim(limit: number): Promise<number> {
    const { queue, clock, leaseMs, onError } = this.#options
    const sinceMs = clock.now()
    try {
      const jobs = await queue.claim({ limit, leaseMs })
      for (const held of this.#leases.hold(jobs, sinceMs)) this.#begin(held)
      return jobs.length
    } catch (error) {
      onError(error)
      return 0
    }
  }

  /** Until somebody calls, or it is time to look by itself. */
  #sleep(): void {
    if (this.#isStopping) return
    if (this.#isCalled && this.running < this.#options.concurrency) {
      this.start()
      return
    }
    const { clock, pollMs } = this.#options
    this.#timer = clock.after(Math.min(this.#pollMs, pollMs), () =>
      this.start(),
    )
    this.#pollMs = Math.min(this.#pollMs * 2, pollMs)
  }

  #begin(held: HeldJob): void {
    const work = this.#run(held).finally(() => {
      this.#work.delete(work)
      this.#leases.drop(held)
      this.start()
    })
    this.#work.add(work)
  }

  async #run(held: HeldJob): Promise<void> {
    const { onEnd, onError } = this.#options
    const outcome = this.#isStopping
      ? notBegun
      : await Promise.race([this.#perform(held), this.#letGo(held)])
    const settlement = await this.#tell(held, outcome)
    if (settlement === undefined) return
    try {
      onEnd(held.job, settlement)
    } catch (error) {
      onError(error)
    }
  }

  /** Says how a job ended until it is heard; undefined if it is not. */
  async #tell(
    held: HeldJob,
    outcome: JobOutcome,
  ): Promise<Settlement | undefined> {
    const { clock, leaseMs, onError } = this.#options
    const untilMs = clock.now() + leaseMs
    let waitMs = firstWaitMs
    for (;;) {
      try {
        return await this.#settle(held, outcome)
      } catch (error) {
        onError(error)
      }
      // Whoever finds it when its lease has ended knows what to do.
      if (held.cause !== undefined || clock.now() + waitMs > untilMs) {
        return undefined
      }
      await new Promise<void>((resolve) => void clock.after(waitMs, resolve))
      waitMs = Math.min(waitMs * 2, leaseMs / 6)
    }
  }

  async #perform({ job, signal }: HeldJob): Promise<JobOutcome> {
    try {
      return await this.#options.perform(job, signal)
    } catch (error) {
      const failure = { reason: 'threw', note: errorText(error) }
      return { type: 'failed', failure }
    }
  }

  /** A job that does not heed its signal is not waited for. */
  #letGo({ signal }: HeldJob): Promise<JobOutcome> {
    const { clock, graceMs } = this.#options
    const { promise, resolve } = Promise.withResolvers<JobOutcome>()
    const end = () => clock.after(graceMs, () => resolve(ignoredSignal))
    signal.addEventListener('abort', end, { once: true })
    return promise
  }

  /** What was done is done, if it still is ours to say; the rest was cut short. */
  async #settle(held: HeldJob, outcome: JobOutcome): Promise<Settlement> {
    const { queue } = this.#options
    const { job, cause } = held
    if (outcome.type === 'done') return queue.complete(job)
    if (outcome.type === 'released') return queue.release(job, outcome.release)
    if (cause === undefined) return queue.fail(job, outcome.failure)
    const reason = job.isIdempotent ? cause : 'unknown_outcome'
    return queue.fail(job, { ...outcome.failure, reason, becomes: 'retry' })
  }

  async #settled(): Promise<void> {
    await this.#claiming
    while (this.#work.size > 0) await Promise.all(this.#work)
  }

  /** Waits for what runs, but not for longer than that. */
  async #within(deadlineMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = this.#options.clock.after(deadlineMs, resolve)
    await Promise.race([this.#settled(), promise])
    timer.stop()
  }
}

const notBegun: JobOutcome = {
  type: 'released',
  release: { reason: 'stopped' },
}

const ignoredSignal: JobOutcome = {
  type: 'failed',
  failure: { reason: 'ignored_signal' },
}
