import type { Store } from '@hookline/agent/durable'
import type { BareRows } from './bare.ts'
import { endedRun, startedRun } from './rows.ts'

const batch = 256

/** Runs recorded per second: started, then completed, each on the disk. */
export async function recordRuns(
  { records }: Store,
  name: string,
  count: number,
): Promise<number> {
  const begun = performance.now()
  for (let from = 0; from < count; from += batch) {
    const to = Math.min(count, from + batch)
    for (let at = from; at < to; at++) {
      records.start(startedRun(`${name}-${at}`, at))
    }
    await records.flush()
    for (let at = from; at < to; at++)
      records.end(endedRun(`${name}-${at}`, at))
    await records.flush()
  }
  return (count / (performance.now() - begun)) * 1_000
}

/** Those rows as they were when the runs had begun, with ids of their own. */
export async function bareRowsOf(
  { parts }: Store,
  { name, round }: { readonly name: string; readonly round: number },
): Promise<BareRows> {
  const sql = 'SELECT * FROM runs WHERE dispatch LIKE ? ORDER BY id'
  const rows = await parts.database.read({ sql, values: [`${name}-%`] })
  const columns = Object.keys(rows[0] ?? {})
  const started = rows.map((row) => {
    const begun = { ...row, state: 'started', latency_ms: null, answer: null }
    const values: Record<string, string | number | null> = {
      ...begun,
      id: `bare-${round}-${row['id']}`,
    }
    return columns.map((column) => values[column] ?? null)
  })
  const ids = rows.map((row) => `bare-${round}-${row['id']}`)
  return { columns, started, ids }
}
