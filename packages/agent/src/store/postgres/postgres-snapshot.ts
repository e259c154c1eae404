import type { Row, Snapshot, Statement } from '../database.ts'
import { failureOf } from './postgres-failure.ts'
import type { Session } from './session.ts'

const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'
// Whoever writes down what is read may take its time between two reads.
const settings = `
SELECT set_config('idle_in_transaction_session_timeout', '600000', true)`

/** A transaction that only reads, on a connection of its own. */
export class PostgresSnapshot implements Snapshot {
  readonly #session: Session

  private constructor(session: Session) {
    this.#session = session
  }

  /** The connection is ended with it. */
  static async begin(session: Session): Promise<PostgresSnapshot> {
    try {
      await session.run([
        { sql: begin, values: [] },
        { sql: settings, values: [] },
      ])
      return new PostgresSnapshot(session)
    } catch (error) {
      session.destroy()
      throw error
    }
  }

  async read(statement: Statement): Promise<readonly Row[]> {
    try {
      const [result] = await this.#session.run([statement])
      return result?.rows ?? []
    } catch (error) {
      throw failureOf(error, 'read')
    }
  }

  async close(): Promise<void> {
    if (!this.#session.isBroken) await this.#session.end()
  }
}
