import type { Connection, Submittable } from 'pg'
import type { Result, Row, SqlValue } from '../database.ts'
import { fromWire } from './values.ts'

/** A statement as one connection knows it. */
export interface KnownStatement {
  readonly name: string
  readonly text: string
  isParsed: boolean
  /** Its columns, once it has been described. */
  fields: readonly Field[] | undefined
}

export interface Field {
  readonly name: string
  readonly dataTypeID: number
}

export interface BoundStatement {
  readonly statement: KnownStatement
  readonly values: readonly (string | null)[]
}

/**
 * Statements that go to the server in one message and come back in one: `pg`
 * itself would wait for each before it sends the next.
 */
export class Batch implements Submittable {
  readonly results: Promise<readonly Result[]>
  readonly #bound: readonly BoundStatement[]
  readonly #toParse: KnownStatement[] = []
  readonly #done: Result[] = []
  #rows: Row[] = []
  #resolve: (results: readonly Result[]) => void = () => {}
  #reject: (error: Error) => void = () => {}

  constructor(bound: readonly BoundStatement[]) {
    this.#bound = bound
    this.results = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(given: Connection): void {
    // `pg` calls it with its own connection, whose types it does not give.
    const connection = given as unknown as Wire
    connection.stream.cork()
    connection.on('parseComplete', this.#parseDone)
    for (const { statement, values } of this.#bound) {
      const { name, text, isParsed, fields } = statement
      if (!isParsed && !this.#toParse.includes(statement)) {
        connection.parse({ name, text })
        this.#toParse.push(statement)
      }
      connection.bind({ statement: name, values })
      if (fields === undefined) connection.describe({ type: 'P', name: '' })
      connection.execute({ portal: '', rows: 0 })
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    const current = this.#current
    if (current !== undefined) current.fields = fields
  }

  handleDataRow({
    fields: texts,
  }: {
    fields: readonly (string | null)[]
  }): void {
    const row: Record<string, SqlValue> = {}
    for (const [index, field] of (this.#current?.fields ?? []).entries()) {
      row[field.name] = fromWire(texts[index] ?? null, field.dataTypeID)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const current = this.#current
    if (current !== undefined) current.fields ??= []
    const changes = Number(/\d+$/.exec(text)?.[0] ?? 0)
    this.#done.push({ rows: this.#rows, changes })
    this.#rows = []
  }

  handleReadyForQuery(connection: Wire): void {
    connection.off('parseComplete', this.#parseDone)
    this.#resolve(this.#done)
  }

  handleError(error: Error, connection: Wire): void {
    connection.off('parseComplete', this.#parseDone)
    this.#reject(error)
  }

  handleEmptyQuery(): void {
    this.#done.push({ rows: [], changes: 0 })
  }

  readonly #parseDone = () => {
    const statement = this.#toParse.shift()
    if (statement !== undefined) statement.isParsed = true
  }

  get #current(): KnownStatement | undefined {
    return this.#bound[this.#done.length]?.statement
  }
}

/** The part of `pg`'s connection that a query of one's own may use. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: readonly (string | null)[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
  on(event: 'parseComplete', listener: () => void): void
  off(event: 'parseComplete', listener: () => void): void
}
