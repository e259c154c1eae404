import { countHits, type Hit } from '../failpoints.ts'
import { StoreError } from '../store-error.ts'
import { Ballast } from './ballast.ts'
import { commitGroup, failAll, type GroupResult } from './commit-group.ts'
import { Connection } from './connection.ts'
import type { Outcome, SentUnit, ThreadData } from './messages.ts'
import { migrateSqlite } from './migrate-sqlite.ts'
import { checkAfterCrash, leaveMark, removeMark } from './opener-mark.ts'
import { failureOf, isAboutSize } from './sqlite-failure.ts'

/** The one connection of a process that writes. */
export class Writer {
  readonly #data: ThreadData
  readonly #texts: ReadonlyMap<number, string>
  readonly #hit: Hit | undefined
  readonly #ballast: Ballast
  readonly #mark: string
  #connection: Connection | undefined
  #isFull = false
  #groupsSinceCheckpoint = 0

  constructor(data: ThreadData, texts: ReadonlyMap<number, string>) {
    this.#data = data
    this.#texts = texts
    this.#hit = countHits(data.failpoints)
    this.#ballast = new Ballast(data.file, data.ballastBytes)
    this.#mark = this.#prepare()
    this.#isFull = !this.#ballast.reserve()
  }

  get version(): string {
    const { sqlite } = this.#connect()
    const row = sqlite.prepare('SELECT sqlite_version() AS version').get()
    return String(row?.['version'])
  }

  /** Writes what `next` gives, together. */
  write(next: () => SentUnit | undefined): readonly Outcome[] {
    const isFull = this.#isFull && !this.#ballast.reserve()
    this.#isFull = isFull
    if (isFull) return this.#writeClosing(takeAll(next), fullError)
    const result = this.#commit(next)
    this.#groupsSinceCheckpoint += 1
    if (!this.#isFullError(result.broken)) return result.outcomes
    this.#isFull = true
    this.#ballast.release()
    return this.#writeClosing(result.units, fullError)
  }

  /** Between groups: nobody waits for it but who comes next. */
  checkpoint(): void {
    if (this.#isFull || this.#groupsSinceCheckpoint < groupsPerCheckpoint)
      return
    this.#groupsSinceCheckpoint = 0
    try {
      this.#connect().sqlite.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch {
      // Nothing is lost by it, and the next one tries again.
      this.#disconnect()
    }
  }

  close(): void {
    try {
      const { sqlite } = this.#connect()
      removeMark(sqlite, this.#mark)
    } catch {
      // Then the file is checked when it is opened next.
    }
    this.#disconnect()
  }

  #prepare(): string {
    try {
      return this.#open()
    } catch (error) {
      if (!this.#isFullError(error)) throw error
      this.#disconnect()
      this.#ballast.release()
      return this.#open()
    }
  }

  #open(): string {
    const connection = this.#connect()
    const { sqlite } = connection
    connection.readClock()
    checkAfterCrash(sqlite)
    migrateSqlite(sqlite, { steps: this.#data.steps, hit: this.#hit })
    return leaveMark(sqlite)
  }

  /** On a full disk only what ends something is written. */
  #writeClosing(
    units: readonly SentUnit[],
    error: unknown,
  ): readonly Outcome[] {
    const refused = units.filter(({ isClosing }) => !isClosing)
    const closing = units.filter(({ isClosing }) => isClosing)
    if (closing.length === 0) return failAll(refused, error)
    const line = closing.values()
    const { outcomes } = this.#commit(() => line.next().value)
    return [...failAll(refused, error), ...outcomes]
  }

  #commit(next: () => SentUnit | undefined): GroupResult {
    const withoutSavepoints = this.#data.sabotage.withoutSavepoints === true
    try {
      const connection = this.#connect()
      const parts = { connection, hit: this.#hit, withoutSavepoints }
      const result = commitGroup(next, parts)
      if (isConnectionLost(result.broken)) this.#disconnect()
      return result
    } catch (error) {
      const units = takeAll(next)
      return { units, outcomes: failAll(units, error), broken: error }
    }
  }

  #isFullError(error: unknown): boolean {
    if (error === undefined) return false
    if (isAboutSize(error)) return !this.#ballast.hasRoom
    return failureOf(error, '').code === 'full'
  }

  #connect(): Connection {
    this.#connection ??= new Connection(this.#data, this.#texts)
    return this.#connection
  }

  #disconnect(): void {
    const connection = this.#connection
    this.#connection = undefined
    try {
      connection?.close()
    } catch {
      // It is made anew whatever became of it.
    }
  }
}

const groupsPerCheckpoint = 200

const fullError = new StoreError(
  'full',
  'The disk is full, nothing was written. Free some space; it goes on by itself.',
)

function takeAll(next: () => SentUnit | undefined): SentUnit[] {
  const units: SentUnit[] = []
  for (let unit = next(); unit !== undefined; unit = next()) units.push(unit)
  return units
}

function isConnectionLost(error: unknown): boolean {
  if (error === undefined) return false
  const { code } = failureOf(error, '')
  return code === 'unavailable' || code === 'corrupt'
}
