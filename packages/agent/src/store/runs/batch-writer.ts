import type { Clock, Timer } from 'hookline'
import { StoreError, type StoreErrorCode } from '../store-error.ts'

export interface BatchWriterOptions<T> {
  readonly clock: Clock
  /** What the items are, for messages: `run records`. */
  readonly name: string
  /** Writes all of a batch or nothing, and how many were lost before it. */
  readonly write: (batch: Batch<T>) => Promise<void>
  /** How many items wait at most while nothing can be written. */
  readonly maxWaiting: number
  readonly maxBatch: number
  /** How long items may wait for others to be written with. */
  readonly patienceMs: number
}

export interface Batch<T> {
  /** After a failure the very same list again, with the same count of losses. */
  readonly items: readonly T[]
  readonly lost: number
  readonly isPatient: boolean
}

type Taken<T> = Omit<Batch<T>, 'isPatient'>

interface Waiter {
  readonly upTo: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const firstRetryMs = 100
const longestRetryMs = 30_000

// The same rows can be written later; with any other error they cannot.
const outages: ReadonlySet<StoreErrorCode> = new Set([
  'unavailable',
  'busy',
  'full',
  'closed',
  'conflict',
])

/**
 * Writes items in the order they came, many at a time and one batch after
 * the other. While the database is away they wait, up to a bound; beyond it
 * they are lost and counted.
 */
export class BatchWriter<T> {
  readonly #options: BatchWriterOptions<T>
  #queue: T[] = []
  /** Given to `write`, and perhaps not for the first time. */
  #batch: Taken<T> | undefined
  #waiters: Waiter[] = []
  #timer: Timer | undefined
  #isWriting = false
  #isClosed = false
  #retryMs = firstRetryMs
  /** How many are to be written alone: one of them cannot be written. */
  #alone = 0
  #added = 0
  #done = 0
  #lost = 0
  #untold = 0

  constructor(options: BatchWriterOptions<T>) {
    this.#options = options
  }

  get waiting(): number {
    return this.#queue.length + (this.#batch?.items.length ?? 0)
  }

  get isFull(): boolean {
    return this.#isClosed || this.waiting >= this.#options.maxWaiting
  }

  /** False if there is no room: then the item is counted as lost. */
  add(item: T): boolean {
    if (this.isFull) {
      this.lose(1)
      return false
    }
    this.#queue.push(item)
    this.#added++
    this.#wake(this.#options.patienceMs)
    return true
  }

  lose(count: number): void {
    this.#lost += count
    this.#untold += count
  }

  /** Settles when all that was added so far is written; rejects if it cannot be now. */
  async written(): Promise<void> {
    if (this.#done < this.#added || this.#lost > 0) {
      await new Promise<void>((resolve, reject) => {
        this.#waiters.push({ upTo: this.#added, resolve, reject })
        void this.#write()
      })
    }
  }

  /** As `written`; rejects also if something was lost since it was last asked for. */
  async flush(): Promise<void> {
    await this.written()
    if (this.#untold === 0) return
    const message = `${this.#untold} ${this.#options.name} were lost while the database was away.`
    this.#untold = 0
    throw new StoreError('unavailable', message)
  }

  /** Writes what is left; nothing is taken any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    try {
      await this.flush()
    } finally {
      this.#timer?.stop()
    }
  }

  #wake(ms: number): Timer | undefined {
    if (this.#isWriting || this.#timer !== undefined) return this.#timer
    this.#timer = this.#options.clock.after(ms, () => {
      this.#timer = undefined
      void this.#write()
    })
    return this.#timer
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    this.#timer?.stop()
    this.#timer = undefined
    let isGoing = true
    while (isGoing && (this.waiting > 0 || this.#lost > 0)) {
      isGoing = await this.#writeBatch()
    }
    this.#isWriting = false
    if (isGoing) return
    const retryMs = this.#retryMs
    this.#retryMs = Math.min(retryMs * 2, longestRetryMs)
    // A database that never comes back must not keep the process alive.
    this.#wake(retryMs)?.hold(false)
  }

  /** Whether to go on with the next one. */
  async #writeBatch(): Promise<boolean> {
    this.#batch ??= this.#take()
    const batch = this.#batch
    const isPatient = this.#waiters.length === 0
    try {
      await this.#options.write({ ...batch, isPatient })
    } catch (error) {
      return this.#failed(error, batch)
    }
    this.#lost -= batch.lost
    this.#retryMs = firstRetryMs
    this.#written(batch.items.length)
    return true
  }

  #take(): Taken<T> {
    const size = this.#alone > 0 ? 1 : this.#options.maxBatch
    return { items: this.#queue.splice(0, size), lost: this.#lost }
  }

  #written(count: number): void {
    this.#batch = undefined
    this.#done += count
    if (this.#alone > 0) this.#alone -= count
    const isDone = ({ upTo }: Waiter) => upTo <= this.#done
    const settled = this.#waiters.filter(isDone)
    this.#waiters = this.#waiters.filter((waiter) => !isDone(waiter))
    for (const { resolve } of settled) resolve()
  }

  #failed(error: unknown, { items }: Taken<T>): boolean {
    const isOutage = error instanceof StoreError && outages.has(error.code)
    const { length } = items
    if (!isOutage && length > 1) {
      this.#queue = [...items, ...this.#queue]
      this.#batch = undefined
      this.#alone = length
      return true
    }
    if (!isOutage && length === 1) {
      this.lose(1)
      this.#written(1)
      return true
    }
    const waiters = this.#waiters
    this.#waiters = []
    for (const { reject } of waiters) reject(error)
    return false
  }
}
