import { Worker } from 'node:worker_threads'
import type { SqlValue, Statement, Unit } from '../database.ts'
import { StoreError } from '../store-error.ts'
import { toStoredText } from '../stored-text.ts'
import type {
  Failure,
  FromThread,
  SentResult,
  SentStatement,
  ThreadData,
} from './messages.ts'
import { packUnit, unpackOutcomes } from './pack.ts'

/** A thread that works on the database, as seen from the program. */
export class Thread {
  readonly version: string
  readonly #worker: Worker
  readonly #asks: 'write' | 'read'
  readonly #waiting = new Map<number, Waiting>()
  readonly #numbers = new Map<string, number>()
  #texts: [number, string][] = []
  #packed: SqlValue[] = []
  #lastId = 0
  #closed: Promise<void> | undefined
  #lost: StoreError | undefined

  private constructor(
    worker: Worker,
    { version, role }: { version: string; role: ThreadData['role'] },
  ) {
    this.#worker = worker
    this.version = version
    this.#asks = role === 'writer' ? 'write' : 'read'
  }

  static async start(data: ThreadData): Promise<Thread> {
    const worker = new Worker(threadUrl(), { workerData: data })
    const version = await opened(worker)
    const thread = new Thread(worker, { version, role: data.role })
    worker.on('message', (message: FromThread) => thread.#receive(message))
    worker.on('error', (error) => thread.#lose(error))
    worker.on('exit', () => thread.#lose(undefined))
    worker.unref()
    return thread
  }

  /** Takes a unit along with the next message. */
  add({
    name,
    statements,
    isPatient = false,
    isClosing = false,
  }: Unit): Promise<readonly SentResult[]> {
    const sent = statements.map((statement) => this.#toSent(statement))
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) {
        reject(this.#lost)
        return
      }
      const unit = { id, name, isPatient, isClosing, statements: sent }
      packUnit(unit, this.#packed)
      if (this.#waiting.size === 0) this.#worker.ref()
      this.#waiting.set(id, { resolve, reject })
    })
  }

  /** How many values go with the next message. */
  get size(): number {
    return this.#packed.length
  }

  /** Sends what was added, in one message. */
  flush(): void {
    if (this.#packed.length === 0) return
    const texts = this.#texts
    const packed = this.#packed
    this.#texts = []
    this.#packed = []
    const body =
      this.#asks === 'write'
        ? { type: 'write', texts, units: packed }
        : { type: 'read', texts, reads: packed }
    this.#worker.postMessage(body)
  }

  /** Settles when all that was added is done and the thread has ended. */
  close(): Promise<void> {
    this.#closed ??= new Promise((done) => {
      if (this.#lost !== undefined) {
        done()
        return
      }
      this.flush()
      this.#worker.ref()
      this.#worker.once('exit', () => done())
      this.#worker.postMessage({ type: 'close' })
    })
    return this.#closed
  }

  /** The text of a statement goes over once; then its number stands for it. */
  #toSent({ sql, values, expects }: Statement): SentStatement {
    return { statement: this.#nameOf(sql), values: values.map(toSent), expects }
  }

  #nameOf(sql: string): number | string {
    const known = this.#numbers.get(sql)
    if (known !== undefined) return known
    if (this.#numbers.size >= maxRemembered) return sql
    const number = this.#numbers.size + 1
    this.#numbers.set(sql, number)
    this.#texts.push([number, sql])
    return number
  }

  #receive(message: FromThread): void {
    if (message.type !== 'done') return
    for (const outcome of unpackOutcomes(message.outcomes)) {
      const waiting = this.#waiting.get(outcome.id)
      this.#waiting.delete(outcome.id)
      if ('results' in outcome) waiting?.resolve(outcome.results)
      else waiting?.reject(toError(outcome.failure))
    }
    const isIdle = this.#waiting.size === 0 && this.#closed === undefined
    if (isIdle) this.#worker.unref()
  }

  #lose(error: Error | undefined): void {
    this.#lost ??= new StoreError(
      'unavailable',
      'The thread of the database has ended; what was to be written may or may not be there. Open it again.',
      error,
    )
    for (const { reject } of this.#waiting.values()) reject(this.#lost)
    this.#waiting.clear()
  }
}

interface Waiting {
  readonly resolve: (results: readonly SentResult[]) => void
  readonly reject: (error: StoreError) => void
}

/** A program has a few hundred statements; who makes them up is not helped. */
const maxRemembered = 1_000

async function opened(worker: Worker): Promise<string> {
  return await new Promise<string>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (message: FromThread) => {
      worker.off('error', reject)
      if (message.type === 'open') resolve(message.version)
      if (message.type === 'failed') reject(toError(message.failure))
    })
  })
}

function toError({ code, message }: Failure): StoreError {
  return new StoreError(code, message)
}

function toSent(value: SqlValue): SqlValue {
  if (typeof value === 'string') return toStoredText(value)
  if (value === null || Number.isFinite(value)) return value
  throw new StoreError('invalid-statement', `${value} cannot be stored.`)
}

/** Beside this file in the sources, an entry of its own in the built package. */
function threadUrl(): URL {
  const here = import.meta.url
  if (here.endsWith('.ts')) return new URL('./sqlite-thread.ts', here)
  const built = here.slice(0, here.lastIndexOf('/dist/'))
  return new URL(`${built}/dist/store/sqlite/sqlite-thread.js`)
}
