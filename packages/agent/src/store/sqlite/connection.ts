import { readFileSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SqlValue } from '../database.ts'
import { StoreError } from '../store-error.ts'
import type { SentResult, ThreadData } from './messages.ts'

/** A connection of a thread, and the statements prepared on it. */
export class Connection {
  readonly sqlite: DatabaseSync
  readonly #data: ThreadData
  /** Of the thread: they outlive a connection that had to be made anew. */
  readonly #texts: ReadonlyMap<number, string>
  readonly #prepared = new Map<number | string, Prepared>()
  #nowMs = 0n

  constructor(data: ThreadData, texts: ReadonlyMap<number, string>) {
    this.#data = data
    this.#texts = texts
    const { file, busyMs, role } = data
    const readOnly = role === 'reader'
    this.sqlite = new DatabaseSync(file, { timeout: busyMs, readOnly })
    try {
      this.sqlite.function('hookline_now', () => this.#nowMs)
      if (!readOnly) this.#makeDurable()
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** What `hookline_now()` says until it is called again. */
  readClock(): void {
    this.#nowMs = BigInt(this.#clockFileMs() ?? Date.now())
  }

  run(given: number | string, values: readonly SqlValue[]): SentResult {
    const { statement, columns, isPragma } = this.#prepare(given)
    const bound = values.map(toBound)
    if (isPragma && columns.length === 0) {
      // It does its work in steps, of which `run` would do the first.
      statement.all(...bound)
      return { columns, rows: [], changes: 0 }
    }
    if (columns.length === 0) {
      const { changes } = statement.run(...bound)
      return { columns, rows: [], changes: Number(changes) }
    }
    // With setReturnArrays rows are arrays; the types of Node do not know it.
    const rows = statement.all(...bound) as unknown as SqlValue[][]
    return { columns, rows, changes: rows.length }
  }

  /** A statement of the driver itself, prepared like all others. */
  do(sql: string): void {
    const known = this.#prepared.get(sql) ?? this.#make(sql)
    this.#prepared.set(sql, known)
    known.statement.run()
  }

  close(): void {
    this.#prepared.clear()
    this.sqlite.close()
  }

  #prepare(given: number | string): Prepared {
    if (typeof given === 'string') return this.#make(given)
    const known = this.#prepared.get(given)
    if (known !== undefined) return known
    const sql = this.#texts.get(given)
    if (sql === undefined) throw new Error(`No statement ${given} was sent.`)
    const prepared = this.#make(sql)
    this.#prepared.set(given, prepared)
    return prepared
  }

  #make(sql: string): Prepared {
    const statement = this.sqlite.prepare(sql)
    statement.setReturnArrays(true)
    const columns = statement.columns().map(({ name }) => name)
    return { statement, columns, isPragma: sql.startsWith('PRAGMA') }
  }

  #makeDurable(): void {
    const { synchronous = 'FULL' } = this.#data.sabotage
    const { sqlite } = this
    // Before anything is in it: later it would take a copy of the whole file.
    sqlite.exec('PRAGMA auto_vacuum = INCREMENTAL')
    sqlite.exec('PRAGMA journal_mode = WAL')
    sqlite.exec(`PRAGMA synchronous = ${synchronous}`)
    // Checkpoints are made between commits: one that fails is not the commit's.
    sqlite.exec('PRAGMA wal_autocheckpoint = 0')
    sqlite.exec('PRAGMA trusted_schema = OFF')
    this.#demand('journal_mode', 'wal')
    this.#demand('synchronous', synchronous === 'FULL' ? 2 : 0)
  }

  #demand(setting: string, value: SqlValue): void {
    const row = this.sqlite.prepare(`PRAGMA ${setting}`).get()
    if (row?.[setting] === value) return
    throw new StoreError(
      'unavailable',
      `SQLite keeps ${setting} at ${String(row?.[setting])} for this file, so that nothing would be safe in it. Put it on a local disk.`,
    )
  }

  #clockFileMs(): number | undefined {
    const { clockFile } = this.#data
    if (clockFile === undefined) return undefined
    try {
      const text = readFileSync(clockFile, 'utf8')
      return text === '' ? undefined : Number(text)
    } catch {
      return undefined
    }
  }
}

interface Prepared {
  readonly statement: StatementSync
  readonly columns: readonly string[]
  readonly isPragma: boolean
}

/** Whole numbers are bound as such: as doubles they would divide otherwise. */
function toBound(value: SqlValue): string | number | bigint | null {
  if (typeof value !== 'number') return value
  return Number.isSafeInteger(value) ? BigInt(value) : value
}
