import type { Row, Snapshot, Statement } from '../database.ts'
import { StoreError } from '../store-error.ts'
import type { ThreadData } from './messages.ts'
import { Thread } from './thread.ts'
import { toResult } from './to-result.ts'

/**
 * A transaction that reads, on a thread and a connection of its own: beside a
 * write-ahead log it keeps nobody from writing, and nobody keeps it from reading.
 */
export class SqliteSnapshot implements Snapshot {
  readonly #thread: Thread
  /** Then the connection may be another one, which sees what is new. */
  #isOver = false

  private constructor(thread: Thread) {
    this.#thread = thread
  }

  static async open(data: Omit<ThreadData, 'role'>): Promise<SqliteSnapshot> {
    const thread = await Thread.start({ ...data, role: 'reader' })
    const snapshot = new SqliteSnapshot(thread)
    try {
      await snapshot.read({ sql: 'BEGIN', values: [] })
      // Its moment is that of the first read.
      await snapshot.read({ sql: 'SELECT 1 FROM meta LIMIT 1', values: [] })
      return snapshot
    } catch (error) {
      await snapshot.close()
      throw error
    }
  }

  async read(statement: Statement): Promise<readonly Row[]> {
    if (this.#isOver) throw over
    try {
      const unit = { name: 'read', statements: [statement] }
      const reading = this.#thread.add(unit)
      this.#thread.flush()
      const [result] = await reading
      return result === undefined ? [] : toResult(result).rows
    } catch (error) {
      this.#isOver = true
      throw error
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

const over = new StoreError(
  'unavailable',
  'A read has failed, and what others read would be of another moment. Begin again.',
)
