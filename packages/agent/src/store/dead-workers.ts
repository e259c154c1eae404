import type { StoreParts } from './parts.ts'
import { hereIn, isGone } from './worker-name.ts'

const listWorkers = 'SELECT id, name FROM workers'
const dropWorker = 'DELETE FROM workers WHERE id = ? AND name = ?'

/** Takes back the leases of processes of this machine that are gone. */
export async function dropDeadWorkers({
  database,
}: Pick<StoreParts, 'database'>): Promise<number> {
  const here = hereIn(database.dialect)
  const rows = await database.read({ sql: listWorkers, values: [] })
  const dead = rows.filter(({ name }) => isGone(String(name), here))
  if (dead.length === 0) return 0
  const statements = dead.map(({ id = null, name = null }) => {
    return { sql: dropWorker, values: [id, name] }
  })
  await database.write({ name: 'worker.drop', statements })
  return dead.length
}
