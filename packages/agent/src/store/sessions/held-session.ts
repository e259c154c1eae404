import type { JournalEntry, SessionInfo } from '../../ports/store.ts'

/** A session that this process has taken, and what it is about to write. */
export class HeldSession {
  readonly info: SessionInfo
  readonly fence: number
  /** How often the lease had been lost when it was taken. */
  readonly losses: number
  /** The last entry; undefined while nobody knows what was written last. */
  seq: number | undefined
  /** Entries after the last snapshot. */
  unsaved: number
  #pending: Pending[] = []
  #isWriting = false
  #idle: Promise<void> = Promise.resolve()

  constructor(taken: {
    readonly info: SessionInfo
    readonly fence: number
    readonly losses: number
    readonly seq: number
    readonly unsaved: number
  }) {
    this.info = taken.info
    this.fence = taken.fence
    this.losses = taken.losses
    this.seq = taken.seq
    this.unsaved = taken.unsaved
  }

  /** Settles when all that was to be written has been, or has failed. */
  get idle(): Promise<void> {
    return this.#idle
  }

  /**
   * Writes in the order of the calls. What comes while something is written is
   * then written together.
   */
  async add(
    entries: readonly JournalEntry[],
    write: (entries: readonly JournalEntry[]) => Promise<void>,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#pending.push({ entries, resolve, reject })
    if (!this.#isWriting) this.#idle = this.#writeAll(write)
    return await promise
  }

  async #writeAll(
    write: (entries: readonly JournalEntry[]) => Promise<void>,
  ): Promise<void> {
    this.#isWriting = true
    while (this.#pending.length > 0) {
      const group = this.#pending
      this.#pending = []
      try {
        await write(group.flatMap(({ entries }) => entries))
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    this.#isWriting = false
  }
}

interface Pending {
  readonly entries: readonly JournalEntry[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}
