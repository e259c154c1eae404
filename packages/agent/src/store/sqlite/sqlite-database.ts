import type {
  Database,
  Result,
  Row,
  Snapshot,
  Statement,
  Unit,
} from '../database.ts'
import { StoreError } from '../store-error.ts'
import type { ThreadData } from './messages.ts'
import { SqliteSnapshot } from './sqlite-snapshot.ts'
import { Thread } from './thread.ts'
import { toResult } from './to-result.ts'

type CommonData = Omit<ThreadData, 'role'>

/** SQLite on threads of its own: nothing of it holds up the program. */
export class SqliteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly version: string
  readonly #data: CommonData
  readonly #writer: Thread
  #reader: Promise<Thread> | undefined
  #isFlushing = false
  #patientTimer: NodeJS.Timeout | undefined
  #closed: Promise<void> | undefined

  private constructor(data: CommonData, writer: Thread) {
    this.#data = data
    this.#writer = writer
    this.version = `SQLite ${writer.version}`
  }

  static async open(data: CommonData): Promise<SqliteDatabase> {
    const writer = await Thread.start({ ...data, role: 'writer' })
    return new SqliteDatabase(data, writer)
  }

  async write(unit: Unit): Promise<readonly Result[]> {
    this.#demandOpen()
    const results = this.#writer.add(unit)
    const canWait = unit.isPatient === true && this.#writer.size < largeSize
    if (canWait) this.#flushLater()
    else this.#flushSoon()
    return (await results).map(toResult)
  }

  async read(statement: Statement): Promise<readonly Row[]> {
    this.#demandOpen()
    const reader = await this.#startReader()
    const results = reader.add({ name: 'read', statements: [statement] })
    process.nextTick(() => reader.flush())
    const [result] = await results
    return result === undefined ? [] : toResult(result).rows
  }

  async snapshot(): Promise<Snapshot> {
    this.#demandOpen()
    return await SqliteSnapshot.open(this.#data)
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#flush()
    const reader = await this.#reader?.catch(() => undefined)
    await reader?.close()
    await this.#writer.close()
  }

  /** When the first one reads; one that does not start is tried again. */
  #startReader(): Promise<Thread> {
    this.#reader ??= Thread.start({ ...this.#data, role: 'reader' }).catch(
      (error) => {
        this.#reader = undefined
        throw error
      },
    )
    return this.#reader
  }

  #demandOpen(): void {
    if (this.#closed === undefined) return
    throw new StoreError('closed', 'The database was closed; open it again.')
  }

  /** What is asked for in one tick goes over in one message. */
  #flushSoon(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    process.nextTick(() => this.#flush())
  }

  #flushLater(): void {
    this.#patientTimer ??= setTimeout(() => this.#flush(), patientWaitMs)
  }

  #flush(): void {
    this.#isFlushing = false
    clearTimeout(this.#patientTimer)
    this.#patientTimer = undefined
    this.#writer.flush()
  }
}

/** Patient units are with the others on the disk within twice that. */
const patientWaitMs = 10

/** Values that are worth a message of their own. */
const largeSize = 4_096
