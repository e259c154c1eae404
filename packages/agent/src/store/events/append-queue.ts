import type { Timer } from 'hookline'
import type { StoreParts } from '../parts.ts'
import { StoreError, type StoreErrorCode } from '../store-error.ts'
import type { EventRow } from './event-row.ts'
import { appendStatements, findAppended } from './statements.ts'

export interface AppendQueueOptions {
  /** How long a database that is away is waited for. */
  readonly patienceMs: number
  readonly appended: () => void
}

interface Chunk {
  readonly rows: readonly EventRow[]
  readonly chars: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const maxRows = 512
const maxChars = 2_000_000
const maxWaitingRows = 100_000
const maxWaitingChars = 100_000_000
const firstRetryMs = 50
const longestRetryMs = 1_000

// What was not written can be written later; with any other error it cannot.
const outages: ReadonlySet<StoreErrorCode> = new Set([
  'unavailable',
  'busy',
  'full',
])

/**
 * Writes rows in the order they came, one batch after the other: what comes
 * while one is written is in the next.
 */
export class AppendQueue {
  readonly #parts: StoreParts
  readonly #options: AppendQueueOptions
  readonly #chunks: Chunk[] = []
  #waitingRows = 0
  #waitingChars = 0
  /** Nothing that this process writes comes before it. */
  #lastPosition = 0
  #writing: Promise<void> | undefined
  #retry: { readonly timer: Timer; readonly go: () => void } | undefined
  #isClosed = false

  constructor(parts: StoreParts, options: AppendQueueOptions) {
    this.#parts = parts
    this.#options = options
  }

  async add(rows: readonly EventRow[]): Promise<void> {
    if (this.#isClosed) {
      throw new StoreError('closed', 'The log of events is closed.')
    }
    const chars = charsOf(rows)
    const isFull =
      this.#waitingRows + rows.length > maxWaitingRows ||
      this.#waitingChars + chars > maxWaitingChars
    if (isFull) {
      const message = `${this.#waitingRows} events wait to be written, which is as many as can; these are not kept.`
      throw new StoreError('unavailable', message)
    }
    const added: Promise<void>[] = []
    for (let from = 0; from < rows.length; from += maxRows) {
      added.push(this.#addChunk(rows.slice(from, from + maxRows)))
    }
    await Promise.all(added)
  }

  /** Settles when all that was added is written, or cannot be. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#retry?.timer.stop()
    this.#retry?.go()
    await this.#writing
  }

  #addChunk(rows: readonly EventRow[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const chars = charsOf(rows)
    this.#chunks.push({ rows, chars, resolve, reject })
    this.#waitingRows += rows.length
    this.#waitingChars += chars
    this.#writing ??= this.#writeAll()
    return promise
  }

  async #writeAll(): Promise<void> {
    // After the tick: what is added in it is written together.
    await Promise.resolve()
    while (this.#chunks.length > 0) {
      const chunks = this.#take()
      const rows = chunks.flatMap((chunk) => chunk.rows)
      try {
        await this.#write(rows)
        for (const { resolve } of chunks) resolve()
        this.#options.appended()
      } catch (error) {
        for (const { reject } of chunks) reject(error)
      }
      this.#waitingRows -= rows.length
      for (const { chars } of chunks) this.#waitingChars -= chars
    }
    this.#writing = undefined
  }

  #take(): readonly Chunk[] {
    let rows = 0
    let chars = 0
    const end = this.#chunks.findIndex((chunk) => {
      rows += chunk.rows.length
      chars += chunk.chars
      return rows > maxRows || chars > maxChars
    })
    return this.#chunks.splice(0, end === -1 ? Infinity : Math.max(1, end))
  }

  async #write(rows: readonly EventRow[]): Promise<void> {
    const { clock } = this.#parts
    const endsAt = clock.now() + this.#options.patienceMs
    let retryMs = firstRetryMs
    for (;;) {
      try {
        await this.#writeOnce(rows)
        return
      } catch (error) {
        const isOutage = error instanceof StoreError && outages.has(error.code)
        const isOver = this.#isClosed || clock.now() + retryMs > endsAt
        if (!isOutage || isOver) throw error
      }
      await this.#pause(retryMs)
      retryMs = Math.min(2 * retryMs, longestRetryMs)
      // It may have been written, only that nobody could say so.
      if (await this.#isThere(rows)) return
    }
  }

  async #writeOnce(rows: readonly EventRow[]): Promise<void> {
    const { database } = this.#parts
    const results = await database.write({
      name: 'event.append',
      statements: appendStatements(rows, database.dialect),
      isAlone: true,
    })
    const taken = results.find((result) => 'position' in (result.rows[0] ?? {}))
    this.#lastPosition = Number(taken?.rows[0]?.['position'] ?? 0)
  }

  async #isThere(rows: readonly EventRow[]): Promise<boolean> {
    const values = [this.#lastPosition, rows.at(-1)?.id ?? '']
    const statement = { sql: findAppended, values }
    const found = await this.#parts.database.read(statement).catch(() => [])
    return found.length > 0
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((go) => {
      this.#retry = { timer: this.#parts.clock.after(ms, go), go }
    })
    this.#retry = undefined
  }
}

function charsOf(rows: readonly EventRow[]): number {
  return rows.reduce((sum, { payload }) => sum + payload.length, 0)
}
