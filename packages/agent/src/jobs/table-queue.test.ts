import { expect, test } from 'vitest'
import type { Database, Statement } from '../store/database.ts'
import { type HistoryLine, judgeHistory } from './fixtures/history.ts'
import { queueParts } from './fixtures/queue-parts.ts'
import { forEachQueue, type QueueWorld } from './fixtures/queue-worlds.ts'
import { withoutFence } from './fixtures/without-fence.ts'
import type { JobQueue, LeasedJob, NewJob } from './job-queue.ts'
import { jobStatements } from './job-statements.ts'
import { TableQueue } from './table-queue.ts'

const leaseMs = 1_000

const letters = (lane: string, count: number): NewJob[] =>
  Array.from({ length: count }, () => ({ kind: 'letter', lane, payload: 1 }))

async function claimLanes(queue: JobQueue, limit: number): Promise<string[]> {
  const jobs = await queue.claim({ limit, leaseMs })
  return jobs.map(({ lane }) => lane)
}

const isOf = (lane: string) => (one: string) => one === lane

const record = (id: string, expects?: number): Statement => ({
  sql: `INSERT INTO runs (id, dispatch, point, hook, attempt, state, started_at)
    VALUES (?, 'd', 'turn.post_turn', 'mail', 1, 'backgrounded', 0)`,
  values: [id],
  ...(expects !== undefined && { expects }),
})

async function countRuns(database: Database): Promise<unknown> {
  const sql = 'SELECT COUNT(*) AS amount FROM runs'
  const [row] = await database.read({ sql, values: [] })
  return row?.['amount']
}

forEachQueue((open) => {
  test('F174 a lane with very many jobs does not hold up the others', async () => {
    const { queue, advance } = await open()
    await queue.add(letters('flood', 300))
    await advance(5)
    await queue.add(letters('ada', 1))
    expect(await claimLanes(queue, 2)).toEqual(['flood', 'ada'])
  })

  test('F174 lanes with much to do take turns', async () => {
    const { queue } = await open()
    await queue.add([
      ...letters('a', 30),
      ...letters('b', 30),
      ...letters('c', 5),
    ])
    const lanes = await claimLanes(queue, 25)
    expect(lanes.filter(isOf('a'))).toHaveLength(10)
    expect(lanes.filter(isOf('b'))).toHaveLength(10)
    expect(lanes.filter(isOf('c'))).toHaveLength(5)
  })

  test('F174 jobs that fall due together take turns, too', async () => {
    const { queue, advance } = await open()
    const later = (job: NewJob) => ({ ...job, delayMs: 100 })
    await queue.add([...letters('a', 10), ...letters('b', 2)].map(later))
    await advance(100)
    const lanes = await claimLanes(queue, 4)
    expect(lanes.filter(isOf('b'))).toHaveLength(2)
  })

  test('F174 nor do others hold up a lane with many jobs for ever', async () => {
    const { queue, advance } = await open()
    await queue.add(letters('flood', 20))
    const served: string[] = []
    for (let step = 0; step < 60; step++) {
      await queue.add(letters(`new-${step}`, 1))
      served.push(...(await claimLanes(queue, 1)))
      await advance(100)
    }
    expect(served.filter(isOf('flood')).length).toBeGreaterThan(15)
  })

  test('jobs of one lane are claimed in the order they were added in', async () => {
    const { queue } = await open()
    const jobs = letters('a', 12).map((job, payload) => ({ ...job, payload }))
    await queue.add(jobs.slice(0, 6))
    await queue.add(jobs.slice(6))
    const claimed = await queue.claim({ limit: 12, leaseMs })
    expect(claimed.map(({ payload }) => payload)).toEqual(
      jobs.map((_, index) => index),
    )
  })

  test('F144 a job and what is written along with it are both there, or neither', async () => {
    const { queue, database } = await open()
    await queue.add(letters('a', 1), { along: [record('one')] })
    expect(await queue.counts()).toMatchObject({ queued: 1 })
    expect(await countRuns(database)).toBe(1)
    const refused = queue.add(letters('a', 1), { along: [record('two', 5)] })
    await expect(refused).rejects.toMatchObject({ code: 'conflict' })
    expect(await queue.counts()).toMatchObject({ queued: 1 })
    expect(await countRuns(database)).toBe(1)
  })

  test('whoever listens in this process hears of jobs that were added, until it stops', async () => {
    const { queue } = await open()
    let heard = 0
    const stop = queue.onAdd(() => heard++)
    await queue.add(letters('a', 1))
    expect(heard).toBe(1)
    stop()
    await queue.add(letters('a', 1))
    expect(heard).toBe(1)
  })

  test('F161 no statement that is used again and again reads all of a big table', async () => {
    const { database } = await open()
    await fill(database)
    const { add, promote, claim, renew, recover, settled, list, counts } =
      jobStatements(database.dialect)
    for (const sql of [
      add,
      promote,
      claim,
      renew,
      recover,
      settled,
      list.state,
      counts,
    ]) {
      const plan = await planOf(database, sql)
      expect(plan).not.toMatch(
        /Seq Scan on jobs|SCAN jobs(?! USING)|SCAN waiting(?! USING)/,
      )
    }
    expect(await planOf(database, claim)).toContain('jobs_due')
    expect(await planOf(database, promote)).toContain('jobs_delayed')
    expect(await planOf(database, add)).toContain('jobs_by_lane')
    expect(await planOf(database, recover)).toContain('jobs_leased')
  })

  test('T51 without the fence, a worker that wakes up completes what another has done: the check notices', async () => {
    const fenced = await stallAndWake(await open(), (database) => database)
    expect(fenced).toMatchObject({ duplicated: 0, lost: 0 })
    const unfenced = await stallAndWake(await open(), withoutFence)
    expect(unfenced).toMatchObject({ duplicated: 1 })
  })
})

/** One stalls, another takes over and is done, the first one wakes up. */
async function stallAndWake(
  { database, another, advance }: QueueWorld,
  through: (database: Database) => Database,
) {
  const queue = new TableQueue(queueParts(through(database), 'stalled'))
  const other = await another()
  const retry = { type: 'fixed', delayMs: 0, maxAttempts: 3 } as const
  const job = {
    kind: 'letter',
    lane: 'a',
    payload: 1,
    isIdempotent: true,
    retry,
  }
  const added = new Set((await queue.add([job])).map(({ id }) => id))
  const history: HistoryLine[] = []
  const claim = async (by: JobQueue, worker: string) => {
    const [lease] = await by.claim({ limit: 1, leaseMs })
    if (lease === undefined) throw new Error('There was nothing to claim.')
    history.push({ type: 'begin', job: lease.id, fence: lease.fence, worker })
    return lease
  }
  const complete = async (by: JobQueue, { id, fence }: LeasedJob) => {
    const settlement = await by.complete({ id, fence })
    history.push({ type: 'end', job: id, fence, worker: '', settlement })
  }
  const first = await claim(queue, 'stalled')
  await advance(leaseMs + 1)
  await other.recover(10)
  const second = await claim(other, 'other')
  await complete(other, second)
  await complete(queue, first)
  const { jobs } = await other.list()
  return judgeHistory({ history, added, jobs })
}

/** Twenty thousand jobs, nearly all of them over. */
async function fill(database: Database): Promise<void> {
  const sql = `INSERT INTO jobs (id, kind, lane, about, state, max_attempts,
      is_idempotent, backoff, backoff_ms, run_at, order_at, created_at,
      leased_until, payload)
    WITH RECURSIVE numbers (number) AS (
      SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 20000
    )
    SELECT 'fill-' || number, 'k', 'lane-' || (number % 50), '{}',
      CASE WHEN number % 100 = 0 THEN 'queued' WHEN number % 100 = 1 THEN 'delayed'
        WHEN number % 100 = 2 THEN 'running' WHEN number % 100 = 3 THEN 'dead'
        ELSE 'done' END,
      1, 0, 'none', 0, number, number, number, number, '1'
    FROM numbers`
  const statements = [
    { sql, values: [] },
    { sql: 'ANALYZE', values: [] },
  ]
  await database.write({ name: 'test.fill', statements })
}

async function planOf(database: Database, sql: string): Promise<string> {
  const isSqlite = database.dialect === 'sqlite'
  const explain = isSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
  const values = [...sql.matchAll(/\?/g)].map(() => (isSqlite ? 1 : '1'))
  const rows = await database.read({ sql: `${explain} ${sql}`, values })
  return rows.map((row) => Object.values(row).join(' ')).join('\n')
}
