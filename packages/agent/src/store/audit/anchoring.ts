import type { Clock, MaybePromise, Timer } from 'hookline'
import { errorText } from '../../data/error-text.ts'
import type { AuditHead } from './audit-record.ts'

export interface AnchoringOptions {
  readonly clock: Clock
  readonly anchor: ((head: AuditHead) => MaybePromise<void>) | undefined
  readonly everyRecords: number
  readonly everyMs: number
  /** Told of the first failure in a row. */
  readonly onFailure: (reason: string) => void
}

/** Sees to it that the end of the chain gets to the second place in time. */
export class Anchoring {
  readonly #options: AnchoringOptions
  #head: AuditHead | undefined
  #records = 0
  #timer: Timer | undefined
  #running: Promise<void> | undefined
  #isFailing = false
  #isClosed = false

  constructor(options: AnchoringOptions) {
    this.#options = options
  }

  appended(head: AuditHead, records: number): void {
    const { anchor, everyRecords } = this.#options
    if (anchor === undefined) return
    this.#head = head
    this.#records += records
    if (this.#records >= everyRecords && !this.#isFailing) void this.#write()
    this.#arm()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer?.stop()
    await this.#running
    await this.#write()
  }

  #arm(): void {
    if (this.#isClosed || this.#timer !== undefined) return
    const { clock, everyMs } = this.#options
    this.#timer = clock.after(everyMs, () => {
      this.#timer = undefined
      void this.#write()
    })
    this.#timer.hold(false)
  }

  #write(): Promise<void> {
    this.#running ??= this.#writeHead().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #writeHead(): Promise<void> {
    const { anchor, onFailure } = this.#options
    const head = this.#head
    if (head === undefined) return
    this.#head = undefined
    this.#records = 0
    try {
      await anchor?.(head)
      this.#isFailing = false
    } catch (error) {
      const isFirst = !this.#isFailing
      this.#isFailing = true
      // A newer head may have come meanwhile; it stands for this one, too.
      this.#head ??= head
      this.#arm()
      if (isFirst) onFailure(errorText(error))
    }
  }
}
