import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { forEachQueue } from './fixtures/queue-worlds.ts'
import type { JobQueue, NewJob, RecoveredJob } from './job-queue.ts'
import { createRecovery } from './recovery.ts'

const leaseMs = 1_000

const jobs = (count: number, more: Partial<NewJob> = {}): NewJob[] =>
  Array.from({ length: count }, (_, payload) => ({
    kind: 'letter',
    lane: `lane-${payload % 3}`,
    payload,
    ...more,
  }))

const repeatable = {
  isIdempotent: true,
  retry: { type: 'fixed', delayMs: 0, maxAttempts: 2 },
} as const

async function claimAll(queue: JobQueue): Promise<void> {
  while ((await queue.claim({ limit: 500, leaseMs })).length > 0) {
    // Whoever claims them here is never heard of again.
  }
}

forEachQueue((open) => {
  test('F145 what a dead process left behind is told with its reason: repeated, or not', async () => {
    const { queue, another, advance } = await open()
    const [once] = await queue.add(jobs(1))
    const [again] = await queue.add(jobs(1, repeatable))
    await claimAll(queue)
    await advance(leaseMs + 1)
    const recovered: RecoveredJob[] = []
    const recovery = createRecovery({
      queue: await another(),
      onRecovered: (job) => recovered.push(job),
    })
    await recovery.started
    await recovery.stop()
    const told = new Map(recovered.map(({ id, ...rest }) => [id, rest]))
    expect(told.size).toBe(2)
    expect(told.get(once?.id ?? '')).toEqual({
      kind: 'letter',
      state: 'failed',
      reason: 'unknown_outcome',
    })
    expect(told.get(again?.id ?? '')).toMatchObject({
      state: 'delayed',
      reason: 'lease_expired',
    })
  })

  test('it works in small batches until nothing is left, and sweeps the rest as well', async () => {
    const { queue, advance } = await open()
    await queue.add(jobs(23, repeatable))
    await claimAll(queue)
    await advance(leaseMs + 1)
    const limits: number[] = []
    let runs = 12
    const recovery = createRecovery({
      queue: {
        recover(limit) {
          limits.push(limit)
          return queue.recover(limit)
        },
      },
      batch: 5,
      sweeps: [
        async (limit) => {
          const count = Math.min(limit, runs)
          runs -= count
          return count
        },
      ],
    })
    await recovery.started
    await recovery.stop()
    expect(limits).toEqual([5, 5, 5, 5, 5])
    expect(runs).toBe(0)
    expect(await queue.counts()).toMatchObject({ running: 0, delayed: 23 })
  })

  test('it looks again and again, until it is stopped', async () => {
    const { queue, advance } = await open()
    const clock = createFakeClock()
    let looked = Promise.withResolvers<number>()
    const recovery = createRecovery({
      queue: {
        async recover(limit) {
          const found = await queue.recover(limit)
          looked.resolve(found.length)
          return found
        },
      },
      clock,
      everyMs: 2_000,
    })
    await recovery.started
    await queue.add(jobs(1))
    await claimAll(queue)
    await advance(leaseMs + 1)
    looked = Promise.withResolvers()
    await clock.advance(2_000)
    expect(await looked.promise).toBe(1)
    await recovery.stop()
    expect(clock.pending).toBe(0)
  })

  test('a database that is away is told of, and looked at again', async () => {
    const { queue, advance } = await open()
    await queue.add(jobs(1))
    await claimAll(queue)
    await advance(leaseMs + 1)
    const errors: unknown[] = []
    let isAway = true
    const recovery = createRecovery({
      queue: {
        recover: (limit) =>
          isAway ? Promise.reject(new Error('Away.')) : queue.recover(limit),
      },
      onError: (error) => errors.push(error),
    })
    await recovery.started
    expect(errors).toHaveLength(1)
    isAway = false
    await recovery.run()
    expect(await queue.counts()).toMatchObject({ running: 0, failed: 1 })
    await recovery.stop()
  })

  test('F162 ten thousand jobs left behind do not hold up whoever waits, and all are dealt with', async () => {
    const { queue, database, another, advance } = await open()
    await queue.add(jobs(10_000, repeatable))
    await claimAll(queue)
    expect(await queue.counts()).toMatchObject({ running: 10_000 })
    await advance(leaseMs + 1)
    const startedMs = performance.now()
    const recovery = createRecovery({ queue: await another() })
    const gate = { sql: 'SELECT hookline_now() AS now', values: [] }
    const waits: number[] = []
    let isOver = false
    const over = recovery.started.then(() => {
      isOver = true
    })
    while (!isOver) {
      const askedMs = performance.now()
      await database.write({ name: 'test.gate', statements: [gate] })
      waits.push(performance.now() - askedMs)
    }
    await over
    await recovery.stop()
    // 60 where nothing else runs; whoever stands still meanwhile waits longer.
    expect(Math.max(...waits)).toBeLessThan(10_000)
    expect(performance.now() - startedMs).toBeLessThan(60_000)
    expect(await queue.counts()).toMatchObject({ running: 0, delayed: 10_000 })
  }, 120_000)
})
