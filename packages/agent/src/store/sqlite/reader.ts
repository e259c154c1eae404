import { Connection } from './connection.ts'
import type { Outcome, SentUnit, ThreadData } from './messages.ts'
import { failureOf } from './sqlite-failure.ts'

/** The connection of a process that reads, beside the one that writes. */
export class Reader {
  readonly #data: ThreadData
  readonly #texts: ReadonlyMap<number, string>
  #connection: Connection | undefined

  constructor(data: ThreadData, texts: ReadonlyMap<number, string>) {
    this.#data = data
    this.#texts = texts
  }

  read({ id, name, statements }: SentUnit): Outcome {
    try {
      this.#connection ??= new Connection(this.#data, this.#texts)
      const connection = this.#connection
      connection.readClock()
      const results = statements.map(({ statement, values }) =>
        connection.run(statement, values),
      )
      return { id, results }
    } catch (error) {
      const failure = failureOf(error, name)
      if (failure.code === 'unavailable') this.close()
      return { id, failure }
    }
  }

  close(): void {
    const connection = this.#connection
    this.#connection = undefined
    try {
      connection?.close()
    } catch {
      // It is made anew whatever became of it.
    }
  }
}
