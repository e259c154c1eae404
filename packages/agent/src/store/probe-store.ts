import type { StoreParts } from './parts.ts'
import { StoreError } from './store-error.ts'

// A millisecond more: what does not change, SQLite does not write.
const sql = `UPDATE workers SET leased_until = leased_until + 1
WHERE id = ? AND leased_until > hookline_now()`

/**
 * Reads and writes what a turn could not do without, and little of it. Throws
 * why not: a full disk, a server that is away, a lease that has run out.
 */
export async function probeStore({
  database,
  worker,
}: Pick<StoreParts, 'database' | 'worker'>): Promise<void> {
  const statements = [{ sql, values: [worker], expects: 1 }]
  const read = database.read({ sql: 'SELECT 1', values: [] })
  try {
    await Promise.all([
      read,
      database.write({ name: 'store.probe', statements }),
    ])
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'conflict') throw error
    const message =
      'The lease of this process has run out, so that others may have its sessions; it is taken again by itself.'
    throw new StoreError('unavailable', message, error)
  }
}
