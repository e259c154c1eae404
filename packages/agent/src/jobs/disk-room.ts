import { statfsSync } from 'node:fs'
import type { Clock } from 'hookline'

export interface DiskLimit {
  /** Any folder of the disk. */
  readonly folder: string
  readonly minFreeBytes: number
}

const everyMs = 1_000

/** Whether a disk has room for what can wait; the last of it is for gates. */
export class DiskRoom {
  readonly #limit: DiskLimit
  readonly #clock: Clock
  readonly #onLow: (error: Error) => void
  #lookedAt = Number.NEGATIVE_INFINITY
  #isLow = false

  constructor(
    limit: DiskLimit,
    { clock, onLow }: { clock: Clock; onLow: (error: Error) => void },
  ) {
    this.#limit = limit
    this.#clock = clock
    this.#onLow = onLow
  }

  /** Says so once, when it has become low. */
  get isLow(): boolean {
    const now = this.#clock.now()
    if (now - this.#lookedAt < everyMs) return this.#isLow
    this.#lookedAt = now
    const wasLow = this.#isLow
    this.#isLow = this.#look()
    if (this.#isLow && !wasLow) this.#onLow(tooFull(this.#limit))
    return this.#isLow
  }

  #look(): boolean {
    const { folder, minFreeBytes } = this.#limit
    try {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize < minFreeBytes
    } catch {
      // What cannot be told is no reason to wait.
      return false
    }
  }
}

function tooFull({ folder, minFreeBytes }: DiskLimit): Error {
  const room = Math.ceil(minFreeBytes / 1_048_576)
  return new Error(
    `The disk of "${folder}" has less than ${room} MB left: no background job is begun until there is more.`,
  )
}
