import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { StoreParts } from './parts.ts'

/**
 * Where a process is, so that others on the same machine can tell whether it
 * still lives, and whoever starts again need not wait for a lease to run out.
 */
export function processName(pid: number = process.pid): string {
  return `${hostname()} ${processesOf()} ${pid}`
}

/** The processes that this one can see; in a container they are others. */
function processesOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return process.platform
  }
}

const listWorkers = 'SELECT id, name FROM workers'
const dropWorker = 'DELETE FROM workers WHERE id = ? AND name = ?'

/** Takes back the leases of processes of this machine that are gone. */
export async function dropDeadWorkers({
  database,
}: Pick<StoreParts, 'database'>): Promise<number> {
  const rows = await database.read({ sql: listWorkers, values: [] })
  const dead = rows.filter(({ name }) => isGone(String(name)))
  if (dead.length === 0) return 0
  const statements = dead.map(({ id = null, name = null }) => {
    return { sql: dropWorker, values: [id, name] }
  })
  await database.write({ name: 'worker.drop', statements })
  return dead.length
}

function isGone(name: string): boolean {
  const pid = Number(name.slice(name.lastIndexOf(' ') + 1))
  if (!Number.isSafeInteger(pid) || name !== processName(pid)) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    // One that belongs to somebody else is there, too.
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
