import type { Statement } from '../store/database.ts'

/**
 * Work for later, kept until somebody has done it. Whoever takes a job has it
 * on lease; what they say about it counts only while nobody else has taken it.
 */
export interface JobQueue {
  /** Adds jobs; one whose key is known already is not added again. */
  add(jobs: readonly NewJob[], options?: AddOptions): Promise<readonly Added[]>
  /** Takes jobs that are due, for so long. Their attempts are counted by then. */
  claim(options: ClaimOptions): Promise<readonly LeasedJob[]>
  /** Keeps jobs for longer; gives the ids of those that are still ours. */
  renew(leases: readonly Lease[], leaseMs: number): Promise<ReadonlySet<string>>
  complete(lease: Lease): Promise<Settlement>
  /** A job came to nothing: it is tried again if it may be, or is over. */
  fail(lease: Lease, failure: JobFailure): Promise<Settlement>
  /** Gives a job back that was not begun. It does not count as an attempt. */
  release(lease: Lease, options: ReleaseOptions): Promise<Settlement>
  /** Ends jobs that are not over; gives how many. One that runs loses its lease. */
  cancel(selection: JobSelection, reason: string): Promise<number>
  /** Puts a dead job back, to be tried as often again; of several who ask, one does. */
  retryDead(id: string): Promise<RetryAnswer>
  /** Takes jobs from whoever let their lease run out; at most so many. */
  recover(limit: number): Promise<readonly RecoveredJob[]>
  counts(): Promise<JobCounts>
  /** The newest first. */
  list(options?: ListOptions): Promise<JobPage>
  /** Calls back when something may have been added; gives the way out. */
  onAdd(listener: () => void): () => void
  close(): Promise<void>
}

/**
 * `delayed`: not yet due. `failed`: came to nothing, and must not be repeated.
 * `dead`: given up; it can be put back.
 */
export type JobState =
  | 'queued'
  | 'delayed'
  | 'running'
  | 'done'
  | 'failed'
  | 'dead'
  | 'cancelled'

/** How often a job is tried, and how long to wait before it is tried again. */
export type JobRetry =
  | { readonly type: 'none' }
  | {
      readonly type: 'fixed' | 'exponential'
      readonly delayMs: number
      readonly maxAttempts: number
    }

export interface NewJob {
  /** Who is to do it: `hook`, or what `defineJob` was given. */
  readonly kind: string
  /** Jobs of one kind with the same key are one job. */
  readonly key?: string
  /** Lanes take turns: one with many jobs does not hold up the others. */
  readonly lane: string
  readonly sessionId?: string
  readonly payload: unknown
  /** What may be shown of it. */
  readonly about?: Readonly<Record<string, string>>
  /** Doing it twice is as good as once. Without this it is tried once. */
  readonly isIdempotent?: boolean
  readonly retry?: JobRetry
  readonly delayMs?: number
}

export interface AddOptions {
  /** What is written together with the jobs, or not at all. */
  readonly along?: readonly Statement[]
}

export interface Added {
  readonly id: string
  /** False if there was such a job already. */
  readonly isNew: boolean
}

export interface ClaimOptions {
  readonly limit: number
  readonly leaseMs: number
}

/** What whoever has a job must show; the fence tells them from those before. */
export interface Lease {
  readonly id: string
  readonly fence: number
}

export interface LeasedJob extends Lease {
  readonly kind: string
  readonly lane: string
  readonly sessionId: string | undefined
  readonly payload: unknown
  readonly isIdempotent: boolean
  /** How often it has been tried, this time included. */
  readonly attempt: number
  /** How often it may be, with what it had used up when it was put back. */
  readonly maxAttempts: number
  /** Since it was added, or last put back, by the clock of the database. */
  readonly ageMs: number
}

export interface JobFailure {
  /** A code, as `threw`. */
  readonly reason: string
  /** More about it, for people. */
  readonly note?: string
  /** Default: it is tried again, if it may be. */
  readonly becomes?: 'retry' | 'dead' | 'cancelled'
}

export interface ReleaseOptions {
  readonly reason: string
  readonly delayMs?: number
}

/** Where a job stands now; `lost_lease`: it was no longer ours to tell. */
export type Settlement = JobState | 'lost_lease'

/**
 * What came of putting a job back. `must_not_repeat`: it has failed and is not
 * idempotent; `input_changed`: what it was to be given is gone or another.
 */
export type RetryAnswer =
  | 'put_back'
  | 'unknown'
  | 'not_dead'
  | 'must_not_repeat'
  | 'input_changed'

export type JobSelection =
  | { readonly id: string }
  | { readonly sessionId: string }

export interface RecoveredJob {
  readonly id: string
  readonly kind: string
  readonly state: JobState
  /** `lease_expired`, or `unknown_outcome` where it must not be repeated. */
  readonly reason: string
}

/** Those that are done are not counted: there may be millions. */
export type JobCounts = Readonly<Record<Exclude<JobState, 'done'>, number>>

export interface ListOptions {
  readonly state?: JobState
  readonly sessionId?: string
  readonly limit?: number
  /** Where the page before ended. */
  readonly after?: string
}

export interface JobPage {
  readonly jobs: readonly ListedJob[]
  /** For the next page, if there is one. */
  readonly next: string | undefined
}

/** A job as it can be shown: without its payload. Times are in milliseconds. */
export interface ListedJob {
  readonly id: string
  readonly kind: string
  readonly lane: string
  readonly sessionId: string | undefined
  readonly about: Readonly<Record<string, string>>
  readonly state: JobState
  readonly attempt: number
  readonly maxAttempts: number
  readonly isIdempotent: boolean
  readonly createdAt: number
  readonly runAt: number
  readonly endedAt: number | undefined
  readonly worker: string | undefined
  readonly reason: string | undefined
  readonly note: string | undefined
}
