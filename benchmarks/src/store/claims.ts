import {
  createJobQueue,
  type JobQueue,
  openStore,
  type Store,
  type StoreOptions,
} from '@hookline/agent/durable'
import { median } from '../summary.ts'

type Database = StoreOptions['database']

const claims = 200

/** How much longer it takes to get a job when there are many than with few. */
export async function claimGrowth(
  name: string,
  [few, more]: readonly [Database, Database],
  many: number,
): Promise<number> {
  const fewMs = await claimMs(few, 1_000)
  const moreMs = await claimMs(more, many)
  console.log(
    `${name.padEnd(9)} claim of a job: ${fewMs.toFixed(2)} ms among 1,000, ${moreMs.toFixed(2)} ms among ${many.toLocaleString('en')}`,
  )
  return moreMs / fewMs
}

async function claimMs(database: Database, jobs: number): Promise<number> {
  const store = await openStore({ database })
  try {
    const queue = createJobQueue(store)
    await fill(store, queue, jobs)
    const times: number[] = []
    for (let claim = 0; claim < claims; claim++) {
      const begun = performance.now()
      const [job] = await queue.claim({ limit: 1, leaseMs: 60_000 })
      times.push(performance.now() - begun)
      if (job === undefined) throw new Error('There was no job to claim.')
      await queue.complete(job)
    }
    return median(times)
  } finally {
    await store.close()
  }
}

/** One job as the queue writes it, and as many like it, most of them done. */
async function fill(
  { parts }: Store,
  queue: JobQueue,
  jobs: number,
): Promise<void> {
  await queue.add([{ kind: 'bench', lane: 'lane', payload: {} }])
  const read = { sql: 'SELECT * FROM jobs LIMIT 1', values: [] }
  const [row] = await parts.database.read(read)
  const columns = Object.keys(row ?? {})
  const value = (column: string) => {
    if (column === 'id') return `'many-' || n`
    if (column === 'lane') return `'lane-' || (n % 100)`
    if (column === 'state') {
      return `CASE WHEN n % 2 = 0 THEN state ELSE 'done' END`
    }
    return column
  }
  for (let from = 0; from < jobs; from += 500_000) {
    const to = Math.min(jobs, from + 500_000)
    const sql = `WITH RECURSIVE numbers (n) AS (
        SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${to})
      INSERT INTO jobs (${columns.join(', ')})
      SELECT ${columns.map(value).join(', ')}
      FROM numbers, (SELECT * FROM jobs WHERE id NOT LIKE 'many-%' LIMIT 1)`
    const statements = [{ sql, values: [] }]
    await parts.database.write({ name: 'bench.fill', statements })
  }
}
