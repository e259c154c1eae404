import type { Database } from '../database.ts'
import type { Place, Removed } from './remove-rows.ts'

export interface WalkOptions {
  readonly database: Database
  /**
   * By what the place is kept that the next walk begins at. Absent: it begins at
   * the beginning, as what was removed is not met again.
   */
  readonly cursor?: string
  readonly signal: AbortSignal | undefined
}

/** Of the keys where cursors are kept. */
export const cursorPrefix = 'retention.'

const beginning: Place = { time: -1, id: '' }

/** Removes batch after batch, from the oldest on; gives how many rows. */
export async function walk(
  { database, cursor, signal }: WalkOptions,
  remove: (from: Place) => Promise<Removed>,
): Promise<number> {
  let from =
    cursor === undefined
      ? beginning
      : await load(database, cursorPrefix + cursor)
  let total = 0
  let isClean = true
  let done = from
  for (;;) {
    signal?.throwIfAborted()
    const removed = await remove(from)
    total += removed.rows
    isClean &&= removed.isClean
    if (removed.next === undefined) break
    from = removed.next
    if (isClean) done = from
  }
  if (cursor !== undefined) await save(database, cursorPrefix + cursor, done)
  return total
}

const read = 'SELECT value FROM meta WHERE key = ?'
const write = `INSERT INTO meta (key, value) VALUES (?, ?)
ON CONFLICT (key) DO UPDATE SET value = excluded.value`

async function load(database: Database, cursor: string): Promise<Place> {
  const [row] = await database.read({ sql: read, values: [cursor] })
  if (row === undefined) return beginning
  // Only `save` writes there.
  return JSON.parse(String(row['value'])) as Place
}

async function save(
  database: Database,
  cursor: string,
  { time, id }: Place,
): Promise<void> {
  const values = [cursor, JSON.stringify({ time, id })]
  const statements = [{ sql: write, values }]
  await database.write({ name: 'retention.move', statements, isPatient: true })
}
