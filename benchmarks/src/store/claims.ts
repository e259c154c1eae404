import { join } from 'node:path'
import {
  createJobQueue,
  type JobQueue,
  openStore,
  type Store,
} from '@hookline/agent/durable'
import { median } from '../summary.ts'

const claims = 200

/** How much longer it takes to get a job when there are many than with few. */
export async function claimGrowth(
  folder: string,
  many: number,
): Promise<number> {
  const few = await claimMs(join(folder, 'few.db'), 1_000)
  const more = await claimMs(join(folder, 'many.db'), many)
  console.log(
    `\nclaim of a job: ${few.toFixed(2)} ms among 1,000, ${more.toFixed(2)} ms among ${many.toLocaleString('en')}`,
  )
  return more / few
}

async function claimMs(file: string, jobs: number): Promise<number> {
  const store = await openStore({ database: { file } })
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
