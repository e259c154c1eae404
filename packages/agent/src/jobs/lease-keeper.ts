import type { Clock, Timer } from 'hookline'
import type { JobQueue, LeasedJob } from './job-queue.ts'

/**
 * Why a job is to stop: somebody else has it, its lease could not be kept, or
 * the worker is stopping.
 */
type AbortCause = 'lost_lease' | 'lease_expired' | 'stopped'

/** A job that this process has on lease. */
export interface HeldJob {
  readonly job: LeasedJob
  readonly signal: AbortSignal
  readonly cause: AbortCause | undefined
  abort(cause: AbortCause): void
}

export interface LeaseKeeperOptions {
  readonly queue: Pick<JobQueue, 'renew'>
  readonly clock: Clock
  readonly leaseMs: number
  /** How long before its end a lease no longer counts. */
  readonly marginMs: number
  readonly onError: (error: unknown) => void
}

/**
 * Keeps leases while their jobs run. One that cannot be kept is given up before
 * it ends, by the clock of this process: from then on others may have the job.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions
  readonly #held = new Map<HeldJob, Held>()
  #timer: Timer | undefined
  #renewAtMs = Infinity
  #isRenewing = false

  constructor(options: LeaseKeeperOptions) {
    this.#options = options
  }

  get all(): readonly HeldJob[] {
    return [...this.#held.keys()]
  }

  /** Takes care of jobs; their leases began at that time, or later. */
  hold(jobs: readonly LeasedJob[], sinceMs: number): readonly HeldJob[] {
    const { leaseMs } = this.#options
    const held = jobs.map((job) => new Held(job))
    for (const one of held) this.#extend(one, sinceMs)
    if (this.#held.size === 0) this.#renewAtMs = sinceMs + leaseMs / 3
    for (const one of held) this.#held.set(one, one)
    this.#arm()
    return held
  }

  drop(held: HeldJob): void {
    this.#held.delete(held)
    this.#arm()
  }

  #extend(held: Held, sinceMs: number): void {
    const { leaseMs, marginMs } = this.#options
    held.untilMs = sinceMs + leaseMs - marginMs
  }

  #arm(): void {
    this.#timer?.stop()
    this.#timer = undefined
    if (this.#held.size === 0) return
    const { clock } = this.#options
    const ends = [...this.#held.values()]
      .filter(({ cause }) => cause === undefined)
      .map(({ untilMs }) => untilMs)
    const wakeAtMs = Math.min(
      this.#isRenewing ? Infinity : this.#renewAtMs,
      ...ends,
    )
    if (wakeAtMs === Infinity) return
    const waitMs = Math.max(0, wakeAtMs - clock.now())
    this.#timer = clock.after(waitMs, () => this.#look())
  }

  #look(): void {
    const now = this.#options.clock.now()
    for (const held of this.#held.values()) {
      if (held.untilMs <= now) held.abort('lease_expired')
    }
    if (this.#renewAtMs <= now && !this.#isRenewing) void this.#renew()
    this.#arm()
  }

  /** All at once; those that are not ours any more end. */
  async #renew(): Promise<void> {
    const { queue, clock, leaseMs, onError } = this.#options
    const held = [...this.#held.values()].filter(
      ({ cause }) => cause === undefined,
    )
    const sinceMs = clock.now()
    this.#renewAtMs = sinceMs + leaseMs / 3
    if (held.length === 0) return
    this.#isRenewing = true
    try {
      const jobs = held.map(({ job }) => job)
      const ours = await queue.renew(jobs, leaseMs)
      for (const one of held) {
        if (ours.has(one.job.id)) this.#extend(one, sinceMs)
        else if (this.#held.has(one)) one.abort('lost_lease')
      }
    } catch (error) {
      onError(error)
      this.#renewAtMs = clock.now() + leaseMs / 12
    } finally {
      this.#isRenewing = false
      this.#arm()
    }
  }
}

class Held implements HeldJob {
  readonly job: LeasedJob
  readonly #controller = new AbortController()
  untilMs = Infinity
  cause: AbortCause | undefined

  constructor(job: LeasedJob) {
    this.job = job
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  abort(cause: AbortCause): void {
    if (this.cause !== undefined) return
    this.cause = cause
    this.#controller.abort(cause)
  }
}
