import type { Database } from '../database.ts'

const pagesPerUnit = 200
const unitsPerPass = 100
/** Kept for what is written next: a file that grows again has won nothing. */
const sparePages = 1_000
const spareShare = 0.1

const look = `SELECT freelist_count AS free, page_count AS pages,
  auto_vacuum AS mode
FROM pragma_freelist_count, pragma_page_count, pragma_auto_vacuum`
const incremental = 2

/**
 * Gives pages of a SQLite file back that nothing uses any more, a few at a
 * time and not all in one pass; gives how many. A file from before stays as
 * large as it is, and Postgres looks after itself.
 */
export async function giveBack(
  database: Database,
  signal?: AbortSignal,
): Promise<number> {
  if (database.dialect !== 'sqlite') return 0
  const sql = `PRAGMA incremental_vacuum(${pagesPerUnit})`
  const statements = [{ sql, values: [] }]
  let given = 0
  for (let units = 0; units < unitsPerPass; units++) {
    signal?.throwIfAborted()
    const [row] = await database.read({ sql: look, values: [] })
    const [free, pages] = [Number(row?.['free']), Number(row?.['pages'])]
    const spare = Math.max(sparePages, pages * spareShare)
    if (row?.['mode'] !== incremental || free < spare + pagesPerUnit) break
    const name = 'retention.give-back'
    await database.write({ name, statements, isPatient: true })
    given += pagesPerUnit
  }
  return given
}
