import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { forEachQueue } from './fixtures/queue-worlds.ts'
import type { JobQueue, LeasedJob, NewJob } from './job-queue.ts'

const leaseMs = 1_000

const letter = (more: Partial<NewJob> = {}): NewJob => ({
  kind: 'letter',
  lane: 'ada',
  payload: { to: 'Ada' },
  ...more,
})

const repeatable = (more: Partial<NewJob> = {}): NewJob =>
  letter({
    isIdempotent: true,
    retry: { type: 'fixed', delayMs: 0, maxAttempts: 3 },
    ...more,
  })

async function claimOne(queue: JobQueue): Promise<LeasedJob> {
  const [job] = await queue.claim({ limit: 1, leaseMs })
  if (job === undefined) throw new Error('There was nothing to claim.')
  return job
}

forEachQueue((open) => {
  test('a job comes back as it was added, is counted as tried, and is over when it is done', async () => {
    const { queue } = await open()
    const payload = { to: 'Ada', lines: ['grüß\u0000 "Gott"', 1.5, null] }
    const [added] = await queue.add([letter({ payload, sessionId: 's-1' })])
    const [job, ...more] = await queue.claim({ limit: 5, leaseMs })
    expect(more).toEqual([])
    expect(job).toEqual({
      id: added?.id,
      fence: 1,
      kind: 'letter',
      lane: 'ada',
      sessionId: 's-1',
      payload,
      isIdempotent: false,
      attempt: 1,
      maxAttempts: 1,
      ageMs: 0,
    })
    if (job === undefined) return
    expect(await queue.counts()).toMatchObject({ queued: 0, running: 1 })
    expect(await queue.complete(job)).toBe('done')
    expect(await queue.counts()).toMatchObject({ queued: 0, running: 0 })
    expect(await queue.claim({ limit: 5, leaseMs })).toEqual([])
  })

  test('F164 processes that claim at the same time get every job once', async () => {
    const { queue, another } = await open()
    const queues = [queue, await another(), await another()]
    const jobs = Array.from({ length: 60 }, (_, number) =>
      letter({ key: `${number}`, lane: `lane-${number % 3}` }),
    )
    await queue.add(jobs)
    const claimed: string[] = []
    while (claimed.length < jobs.length) {
      const batches = await Promise.all(
        queues.map((one) => one.claim({ limit: 7, leaseMs })),
      )
      const ids = batches.flat().map(({ id }) => id)
      expect(ids.length).toBeGreaterThan(0)
      claimed.push(...ids)
    }
    expect(new Set(claimed).size).toBe(jobs.length)
    expect(claimed.length).toBe(jobs.length)
  })

  test('F165 T51 a worker that stalled beyond its lease changes nothing any more', async () => {
    const { queue, another, advance } = await open()
    const other = await another()
    await queue.add([repeatable()])
    const stalled = await claimOne(queue)
    await advance(leaseMs + 1)
    expect(await other.recover(10)).toEqual([
      {
        id: stalled.id,
        kind: 'letter',
        state: 'delayed',
        reason: 'lease_expired',
      },
    ])
    expect(await queue.complete(stalled)).toBe('lost_lease')
    const taken = await claimOne(other)
    expect(taken).toMatchObject({ id: stalled.id, attempt: 2 })
    expect(taken.fence).toBeGreaterThan(stalled.fence)
    expect(await queue.renew([stalled], leaseMs)).toEqual(new Set())
    expect(await queue.complete(stalled)).toBe('lost_lease')
    expect(await queue.fail(stalled, { reason: 'threw' })).toBe('lost_lease')
    expect(await queue.release(stalled, { reason: 'stopped' })).toBe(
      'lost_lease',
    )
    expect(await other.counts()).toMatchObject({ running: 1 })
    expect(await other.complete(taken)).toBe('done')
    expect(await queue.complete(stalled)).toBe('lost_lease')
  })

  test('a lease that has run out still counts until somebody takes the job', async () => {
    const { queue, advance } = await open()
    await queue.add([letter()])
    const job = await claimOne(queue)
    await advance(leaseMs * 5)
    expect(await queue.complete(job)).toBe('done')
    expect(await queue.recover(10)).toEqual([])
  })

  test('whoever did not hear that it was heard may say the same again', async () => {
    const { queue } = await open()
    await queue.add([letter(), repeatable({ lane: 'bob' })])
    const [first, second] = await queue.claim({ limit: 2, leaseMs })
    if (first === undefined || second === undefined) throw new Error('No jobs.')
    expect(await queue.complete(first)).toBe('done')
    expect(await queue.complete(first)).toBe('done')
    expect(await queue.fail(second, { reason: 'threw' })).toBe('delayed')
    expect(await queue.fail(second, { reason: 'threw' })).toBe('delayed')
    expect(await claimOne(queue)).toMatchObject({ attempt: 2 })
  })

  test('a lease that is renewed in time is not taken', async () => {
    const { queue, advance } = await open()
    await queue.add([repeatable(), repeatable({ lane: 'bob' })])
    const [kept, left] = await queue.claim({ limit: 2, leaseMs })
    if (kept === undefined || left === undefined) throw new Error('No jobs.')
    await advance(leaseMs / 2)
    expect(await queue.renew([kept], leaseMs)).toEqual(new Set([kept.id]))
    await advance(leaseMs / 2 + 1)
    expect(await queue.recover(10)).toMatchObject([{ id: left.id }])
    expect(await queue.complete(kept)).toBe('done')
  })

  test('F166 a job whose worker is gone is tried again when its lease is over, and counts as tried', async () => {
    const { queue, another, advance } = await open()
    await queue.add([repeatable()])
    await claimOne(queue)
    const other = await another()
    await advance(leaseMs)
    expect(await other.recover(10)).toEqual([])
    await advance(1)
    expect(await other.recover(10)).toHaveLength(1)
    expect(await claimOne(other)).toMatchObject({ attempt: 2 })
  })

  test('F168 a job that takes every worker with it is given up after so many', async () => {
    const { queue, advance } = await open()
    const [added] = await queue.add([repeatable()])
    for (const attempt of [1, 2, 3]) {
      expect(await claimOne(queue)).toMatchObject({ attempt })
      await advance(leaseMs + 1)
      await queue.recover(10)
    }
    expect(await queue.claim({ limit: 1, leaseMs })).toEqual([])
    const { jobs } = await queue.list({ state: 'dead' })
    expect(jobs).toMatchObject([
      { id: added?.id, attempt: 3, reason: 'lease_expired' },
    ])
  })

  test('what must not be repeated is not, when nobody knows how it ended', async () => {
    const { queue, advance } = await open()
    await queue.add([letter()])
    const job = await claimOne(queue)
    await advance(leaseMs + 1)
    expect(await queue.recover(10)).toEqual([
      {
        id: job.id,
        kind: 'letter',
        state: 'failed',
        reason: 'unknown_outcome',
      },
    ])
    await advance(24 * 3_600_000)
    expect(await queue.claim({ limit: 1, leaseMs })).toEqual([])
    expect(await queue.complete(job)).toBe('lost_lease')
  })

  test.each([2, -2])(
    'F169 a process whose clock is %i hours off neither loses its lease nor takes one',
    async (hours) => {
      const { queue, another, advance } = await open()
      const wallMs = Date.UTC(2026, 0, 1) + hours * 3_600_000
      const skewed = await another({ clock: createFakeClock(wallMs) })
      await queue.add([repeatable(), repeatable({ lane: 'bob' })])
      const ours = await claimOne(queue)
      const theirs = await claimOne(skewed)
      await advance(leaseMs)
      expect(await skewed.recover(10)).toEqual([])
      expect(await queue.recover(10)).toEqual([])
      expect(await queue.complete(ours)).toBe('done')
      expect(await skewed.complete(theirs)).toBe('done')
    },
  )

  test('recovery takes so many at a time, those whose leases ended first', async () => {
    const { queue, advance } = await open()
    for (const lane of ['a', 'b', 'c']) {
      await queue.add([repeatable({ lane, key: lane })])
      await claimOne(queue)
      await advance(10)
    }
    await advance(leaseMs)
    expect(await queue.recover(2)).toHaveLength(2)
    expect(await queue.recover(2)).toHaveLength(1)
    expect(await queue.recover(2)).toHaveLength(0)
  })
})
