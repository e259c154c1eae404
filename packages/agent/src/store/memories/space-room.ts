import type { Database } from '../database.ts'
import { tooMany } from './bounds.ts'
import { countMemories } from './statements.ts'

const maxSpaces = 10_000

/**
 * Keeps spaces from growing without end. To count costs, so that it is done
 * again only when half of the room that was left may be taken: several
 * processes at once can go a little beyond.
 */
export class SpaceRoom {
  readonly #database: Database
  readonly #maxEntries: number
  readonly #left = new Map<string, number>()

  constructor(database: Database, maxEntries: number) {
    this.#database = database
    this.#maxEntries = maxEntries
  }

  /** Takes room for one more; throws if there is none. */
  async take(space: string): Promise<void> {
    const left = this.#left.get(space) ?? 0
    if (left > 0) {
      this.#left.set(space, left - 1)
      return
    }
    const sql = countMemories
    const [row] = await this.#database.read({ sql, values: [space] })
    const free = this.#maxEntries - Number(row?.['count'] ?? 0)
    if (free <= 0) throw tooMany(this.#maxEntries)
    if (this.#left.size >= maxSpaces) this.#left.clear()
    this.#left.set(space, Math.floor((free - 1) / 2))
  }
}
