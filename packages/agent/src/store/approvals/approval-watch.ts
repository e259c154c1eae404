import type { Timer } from 'hookline'
import type { StoreParts } from '../parts.ts'
import { topics } from '../signals/signals.ts'
import { StoreError } from '../store-error.ts'
import { listStillOpen, watchedAtOnce } from './statements.ts'

/** One question that somebody in this process waits for. */
export interface Watched {
  /** Settles when there may be news; at once if there were since last time. */
  news(): Promise<void>
  tell(): void
  end(): void
}

export interface WatchOptions {
  readonly pollMs: number
  readonly onError: (error: unknown) => void
}

const firstPollMs = 100

/**
 * Tells whoever waits that a question is no longer open. What is answered in
 * this process is told at once, and so are those in others where signals reach
 * them; for all else the database is asked, for many questions at a time, and
 * ever less often up to a limit.
 */
export class ApprovalWatch {
  readonly #watched = new Map<string, Set<Teller>>()
  readonly #parts: StoreParts
  readonly #options: WatchOptions
  #timer: Timer | undefined
  #polling: Promise<void> | undefined
  #delayMs = 0
  #isClosed = false

  constructor(parts: StoreParts, options: WatchOptions) {
    this.#parts = parts
    this.#options = options
  }

  watch(id: string): Watched {
    if (this.#isClosed) throw closedError()
    const teller = new Teller()
    const tellers = this.#watched.get(id) ?? new Set()
    this.#watched.set(id, tellers.add(teller))
    const { signals } = this.#parts
    const told = () => teller.tell()
    const unfollow = signals?.on(topics.approval(id), told, { isPolled: false })
    this.#start()
    return {
      news: async () => {
        await teller.news()
        if (this.#isClosed) throw closedError()
      },
      tell: () => teller.tell(),
      end: () => {
        unfollow?.()
        tellers.delete(teller)
        if (tellers.size === 0) this.#watched.delete(id)
        if (this.#watched.size === 0) this.#stop()
      },
    }
  }

  tell(id: string): void {
    const { signals } = this.#parts
    this.#tellHere(id)
    const { approval, approvals, answers } = topics
    for (const one of [approval(id), approvals, answers]) signals?.tell(one)
  }

  /** Whoever waits is told that nobody will know here any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stop()
    for (const id of [...this.#watched.keys()]) this.#tellHere(id)
    await this.#polling
  }

  #tellHere(id: string): void {
    for (const teller of this.#watched.get(id) ?? []) teller.tell()
  }

  #start(): void {
    if (this.#timer !== undefined || this.#polling !== undefined) return
    this.#delayMs = Math.min(firstPollMs, this.#options.pollMs)
    this.#arm()
  }

  #stop(): void {
    this.#timer?.stop()
    this.#timer = undefined
  }

  #arm(): void {
    this.#timer = this.#parts.clock.after(this.#delayMs, () => {
      this.#timer = undefined
      this.#polling = this.#poll()
    })
  }

  async #poll(): Promise<void> {
    try {
      const ids = [...this.#watched.keys()]
      for (let from = 0; from < ids.length; from += watchedAtOnce) {
        await this.#look(ids.slice(from, from + watchedAtOnce))
      }
    } catch (error) {
      this.#options.onError(error)
    }
    this.#polling = undefined
    if (this.#isClosed || this.#watched.size === 0) return
    this.#delayMs = Math.min(this.#delayMs * 2, this.#options.pollMs)
    this.#arm()
  }

  async #look(ids: readonly string[]): Promise<void> {
    const rows = await this.#parts.database.read(listStillOpen(ids))
    const open = new Set(rows.map(({ id }) => id))
    for (const id of ids) if (!open.has(id)) this.#tellHere(id)
  }
}

class Teller {
  #hasNews = false
  #wake: (() => void) | undefined

  tell(): void {
    this.#hasNews = true
    this.#wake?.()
  }

  async news(): Promise<void> {
    if (!this.#hasNews) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    this.#hasNews = false
    this.#wake = undefined
  }
}

function closedError(): StoreError {
  return new StoreError('closed', 'The approvals are closed.')
}
