import type { Timer } from 'hookline'
import type { StoreParts } from './parts.ts'
import { StoreError } from './store-error.ts'

export interface WorkerLeaseOptions {
  /** For people who look at the table. */
  readonly name?: string
  /** How long others wait for a process that is gone. Default: 15 s. */
  readonly leaseMs?: number
  /**
   * How much earlier than others this process takes its lease for lost.
   * Default: a fifth of the lease.
   */
  readonly marginMs?: number
  /** Told when the lease could not be renewed, once for each failure. */
  readonly onError?: (error: unknown) => void
}

/** The word of this process that it lives, and so keeps what it has taken. */
export interface WorkerLease {
  /** While it is false, others may have taken over what this process had. */
  readonly isHeld: boolean
  /** How often it was lost. What was taken before a loss is not ours any more. */
  readonly losses: number
  /** Takes the lease, or takes it for longer. */
  renew(): Promise<void>
  /** Calls back whenever the lease is lost; returns what ends that. */
  onLoss(listener: () => void): () => void
  /** Gives it back, so that nobody has to wait for it to run out. */
  stop(): Promise<void>
}

const take = `
INSERT INTO workers (id, name, started_at, leased_until)
VALUES (?, ?, hookline_now(), hookline_now() + ?)
ON CONFLICT (id) DO UPDATE SET leased_until = excluded.leased_until`
const giveBack = 'DELETE FROM workers WHERE id = ?'
const sweep = 'DELETE FROM workers WHERE leased_until < hookline_now() - ?'

const heartbeats = 3
const dayMs = 86_400_000

/** Takes the lease of this process, and renews it until it is stopped. */
export async function startWorkerLease(
  parts: StoreParts,
  options: WorkerLeaseOptions = {},
): Promise<WorkerLease> {
  const lease = new RenewedLease(parts, options)
  await lease.start()
  return lease
}

/**
 * Others go by the time of the database, this process by its own clock from
 * before it asked: so it never takes for its own what others may have.
 */
class RenewedLease implements WorkerLease {
  readonly #parts: StoreParts
  readonly #name: string
  readonly #leaseMs: number
  readonly #marginMs: number
  readonly #onError: (error: unknown) => void
  readonly #listeners = new Set<() => void>()
  /** By the monotonic clock; undefined while it is lost or not yet taken. */
  #heldUntil: number | undefined
  #losses = 0
  #isStopped = false
  #renewing: Promise<void> | undefined
  #heartbeat: Timer | undefined
  #end: Timer | undefined

  constructor(parts: StoreParts, options: WorkerLeaseOptions) {
    const { name = parts.worker, leaseMs = 15_000 } = options
    const { marginMs = leaseMs / 5, onError = () => {} } = options
    if (!(marginMs >= 0 && leaseMs > marginMs && leaseMs < Infinity)) {
      const message =
        'The lease of a worker is not longer than its margin; give `leaseMs` and `marginMs` in milliseconds.'
      throw new StoreError('invalid-options', message)
    }
    this.#parts = parts
    this.#name = parts.redactor.text(name)
    this.#leaseMs = Math.floor(leaseMs)
    this.#marginMs = marginMs
    this.#onError = onError
  }

  get isHeld(): boolean {
    this.#notice()
    return this.#heldUntil !== undefined
  }

  get losses(): number {
    this.#notice()
    return this.#losses
  }

  async start(): Promise<void> {
    const values = [dayMs]
    await this.#parts.database.write({
      name: 'worker.sweep',
      statements: [{ sql: sweep, values }],
      isPatient: true,
    })
    await this.renew()
    this.#beatAfter(this.#leaseMs / heartbeats)
  }

  async renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined
    })
    return await this.#renewing
  }

  onLoss(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#heartbeat?.stop()
    await this.#renewing?.catch(() => {})
    this.#end?.stop()
    this.#heldUntil = undefined
    const { database, worker } = this.#parts
    const statements = [{ sql: giveBack, values: [worker] }]
    await database.write({ name: 'worker.stop', statements })
  }

  async #renew(): Promise<void> {
    if (this.#isStopped) {
      throw new StoreError('closed', 'The lease of this worker was stopped.')
    }
    const { database, worker, clock } = this.#parts
    const askedAt = clock.now()
    const values = [worker, this.#name, this.#leaseMs]
    const statements = [{ sql: take, values }]
    await database.write({ name: 'worker.renew', statements })
    this.#notice()
    const heldUntil = askedAt + this.#leaseMs - this.#marginMs
    if (clock.now() >= heldUntil) return
    this.#heldUntil = heldUntil
    this.#end?.stop()
    this.#watchEnd()
  }

  #watchEnd(): void {
    this.#notice()
    if (this.#heldUntil === undefined) return
    const { clock } = this.#parts
    // A timer may come a little early.
    const ms = this.#heldUntil - clock.now()
    this.#end = clock.after(ms, () => this.#watchEnd())
    this.#end.hold(false)
  }

  #beatAfter(ms: number): void {
    if (this.#isStopped) return
    this.#heartbeat = this.#parts.clock.after(ms, () => void this.#beat())
    this.#heartbeat.hold(false)
  }

  async #beat(): Promise<void> {
    const everyMs = this.#leaseMs / heartbeats
    try {
      await this.renew()
      this.#beatAfter(everyMs)
    } catch (error) {
      this.#onError(error)
      this.#beatAfter(everyMs / 5)
    }
  }

  /** The timer can be late: whoever asks looks at the clock as well. */
  #notice(): void {
    if (this.#heldUntil === undefined) return
    if (this.#parts.clock.now() < this.#heldUntil) return
    this.#heldUntil = undefined
    this.#losses++
    this.#end?.stop()
    for (const listener of [...this.#listeners]) listener()
  }
}
