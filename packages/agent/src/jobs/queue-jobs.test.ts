import { expect, test } from 'vitest'
import { createPayloads } from '../store/content/create-payloads.ts'
import type { Database } from '../store/database.ts'
import { forEachQueue } from './fixtures/queue-worlds.ts'
import type { JobQueue, JobRetry, LeasedJob, NewJob } from './job-queue.ts'

const leaseMs = 1_000

const letter = (more: Partial<NewJob> = {}): NewJob => ({
  kind: 'letter',
  lane: 'ada',
  payload: { to: 'Ada' },
  ...more,
})

const repeatable = (retry: JobRetry, more: Partial<NewJob> = {}): NewJob =>
  letter({ isIdempotent: true, retry, ...more })

async function claimOne(queue: JobQueue): Promise<LeasedJob> {
  const [job] = await queue.claim({ limit: 1, leaseMs })
  if (job === undefined) throw new Error('There was nothing to claim.')
  return job
}

const claimNone = async (queue: JobQueue) =>
  expect(await queue.claim({ limit: 5, leaseMs })).toEqual([])

async function edit(database: Database, sql: string): Promise<void> {
  const statements = [{ sql, values: [], expects: 1 }]
  await database.write({ name: 'test.edit', statements })
}

forEachQueue((open) => {
  test('F172 a job that is added twice is one job, whoever adds it', async () => {
    const { queue, another } = await open()
    const other = await another()
    const job = letter({ key: 'welcome' })
    const [first, second] = await Promise.all([
      queue.add([job]),
      other.add([job]),
    ])
    const fresh = [...first, ...second].filter(({ isNew }) => isNew)
    expect(fresh).toHaveLength(1)
    expect(first[0]?.id).toBe(second[0]?.id)
    expect(await other.counts()).toMatchObject({ queued: 1 })
    await queue.complete(await claimOne(queue))
    expect(await queue.add([job, job])).toMatchObject([
      { isNew: false },
      { isNew: false },
    ])
    await claimNone(queue)
  })

  test('jobs without a key, or of another kind, are different jobs', async () => {
    const { queue } = await open()
    await queue.add([
      letter(),
      letter(),
      letter({ key: 'x' }),
      letter({ key: 'x', kind: 'parcel' }),
    ])
    expect(await queue.counts()).toMatchObject({ queued: 4 })
  })

  test('the id of a job does not tell its key', async () => {
    const { queue } = await open()
    const [added] = await queue.add([letter({ key: 'ada@example.com' })])
    expect(added?.id).toMatch(/^job-[0-9a-f]{40}$/)
  })

  test('a job that is for later is not there before', async () => {
    const { queue, advance } = await open()
    await queue.add([letter({ delayMs: 500 })])
    expect(await queue.counts()).toMatchObject({ delayed: 1, queued: 0 })
    await advance(499)
    await claimNone(queue)
    await advance(1)
    expect(await claimOne(queue)).toMatchObject({ attempt: 1, ageMs: 500 })
  })

  test('a job without a retry that fails has failed', async () => {
    const { queue, advance } = await open()
    await queue.add([letter()])
    const job = await claimOne(queue)
    const failure = { reason: 'threw', note: 'The key is s3cret.' }
    expect(await queue.fail(job, failure)).toBe('failed')
    await advance(3_600_000)
    await claimNone(queue)
    expect((await queue.list({ state: 'failed' })).jobs).toMatchObject([
      { reason: 'threw', note: 'The key is [removed].', attempt: 1 },
    ])
  })

  test.each<[JobRetry, readonly number[]]>([
    [{ type: 'fixed', delayMs: 100, maxAttempts: 4 }, [100, 100, 100]],
    [{ type: 'exponential', delayMs: 100, maxAttempts: 4 }, [100, 200, 400]],
    [
      { type: 'exponential', delayMs: 1_500_000, maxAttempts: 4 },
      [1_500_000, 3_000_000, 3_600_000],
    ],
  ])(
    'a job is tried again as it says (%o), and then given up',
    async (retry, waits) => {
      const { queue, advance } = await open()
      await queue.add([repeatable(retry)])
      for (const ms of waits) {
        expect(
          await queue.fail(await claimOne(queue), { reason: 'threw' }),
        ).toBe('delayed')
        await advance(ms - 1)
        await claimNone(queue)
        await advance(1)
      }
      expect(await queue.fail(await claimOne(queue), { reason: 'threw' })).toBe(
        'dead',
      )
      await advance(24 * 3_600_000)
      await claimNone(queue)
    },
  )

  test('backing off is bounded, also after very many attempts', async () => {
    const { queue, advance } = await open()
    await queue.add([
      repeatable({ type: 'exponential', delayMs: 1, maxAttempts: 25 }),
    ])
    for (let attempt = 1; attempt < 25; attempt++) {
      await queue.fail(await claimOne(queue), { reason: 'threw' })
      await advance(3_600_000)
    }
    expect(await queue.fail(await claimOne(queue), { reason: 'threw' })).toBe(
      'dead',
    )
  }, 60_000)

  test.each([
    [
      'that may not be repeated',
      { type: 'fixed', delayMs: 1, maxAttempts: 2 },
      false,
    ],
    [
      'that is never tried',
      { type: 'fixed', delayMs: 1, maxAttempts: 0 },
      true,
    ],
    [
      'with half an attempt',
      { type: 'fixed', delayMs: 1, maxAttempts: 1.5 },
      true,
    ],
    [
      'that waits for a negative time',
      { type: 'fixed', delayMs: -1, maxAttempts: 2 },
      true,
    ],
  ] as const)(
    'a retried job %s is refused, and nothing is added',
    async (_, retry, isIdempotent) => {
      const { queue } = await open()
      const added = queue.add([letter(), letter({ retry, isIdempotent })])
      await expect(added).rejects.toMatchObject({ code: 'invalid-options' })
      expect(await queue.counts()).toMatchObject({ queued: 0 })
    },
  )

  test('whoever cannot do a job gives it back, and it does not count as tried', async () => {
    const { queue, another, advance } = await open()
    const other = await another()
    await queue.add([letter()])
    const job = await claimOne(queue)
    expect(await queue.release(job, { reason: 'no_agent', delayMs: 100 })).toBe(
      'delayed',
    )
    await claimNone(other)
    await advance(100)
    expect(await claimOne(other)).toMatchObject({ id: job.id, attempt: 1 })
  })

  test('a job that failed for good is dead, whatever its retry says', async () => {
    const { queue } = await open()
    await queue.add([repeatable({ type: 'fixed', delayMs: 0, maxAttempts: 9 })])
    const failure = { reason: 'version_changed', becomes: 'dead' } as const
    expect(await queue.fail(await claimOne(queue), failure)).toBe('dead')
    await claimNone(queue)
  })

  const once = { type: 'fixed', delayMs: 0, maxAttempts: 1 } as const

  test('what was given up can be put back, and counts on', async () => {
    const { queue } = await open()
    await queue.add([repeatable(once)])
    const { id } = await claimOne(queue).then(async (job) => {
      await queue.fail(job, { reason: 'threw' })
      return job
    })
    expect(await queue.retryDead(id)).toBe('put_back')
    expect(await queue.retryDead(id)).toBe('not_dead')
    const again = await claimOne(queue)
    expect(again).toMatchObject({ id, attempt: 2, payload: { to: 'Ada' } })
    await queue.complete(again)
    expect(await queue.retryDead(id)).toBe('not_dead')
    expect(await queue.retryDead('nobody')).toBe('unknown')
  })

  test('of several who put a dead job back at once, one does', async () => {
    const { queue, another } = await open()
    const other = await another()
    await queue.add([repeatable(once)])
    const job = await claimOne(queue)
    await queue.fail(job, { reason: 'threw' })
    const answers = await Promise.all(
      [queue, other, queue, other].map((one) => one.retryDead(job.id)),
    )
    expect(answers.toSorted()).toEqual([
      ...Array(3).fill('not_dead'),
      'put_back',
    ])
    expect(await queue.claim({ limit: 5, leaseMs })).toHaveLength(1)
  })

  test('what must not be repeated is not put back', async () => {
    const { queue } = await open()
    await queue.add([letter()])
    const job = await claimOne(queue)
    await queue.fail(job, { reason: 'threw' })
    expect(await queue.retryDead(job.id)).toBe('must_not_repeat')
    expect(await queue.counts()).toMatchObject({ failed: 1, delayed: 0 })
  })

  test('a dead job whose input was changed is not put back', async () => {
    const { queue, database } = await open()
    await queue.add([repeatable(once)])
    const job = await claimOne(queue)
    await queue.fail(job, { reason: 'threw' })
    await edit(database, `UPDATE jobs SET payload = '{"to":"Eve"}'`)
    expect(await queue.retryDead(job.id)).toBe('input_changed')
    expect(await queue.counts()).toMatchObject({ dead: 1, delayed: 0 })
  })

  test('a cancelled job is not begun; one that runs loses its lease', async () => {
    const { queue } = await open()
    const [running] = await queue.add([letter({ sessionId: 's-1' })])
    const lease = await claimOne(queue)
    await queue.add([
      letter({ sessionId: 's-1', delayMs: 500 }),
      letter({ sessionId: 's-1' }),
      letter({ sessionId: 's-2', key: 'kept' }),
    ])
    expect(await queue.cancel({ sessionId: 's-1' }, 'session_deleted')).toBe(3)
    expect(await queue.renew([lease], leaseMs)).toEqual(new Set())
    expect(await queue.complete(lease)).toBe('lost_lease')
    expect(await queue.cancel({ id: running?.id ?? '' }, 'again')).toBe(0)
    const kept = await claimOne(queue)
    expect(kept).toMatchObject({ sessionId: 's-2' })
    expect(await queue.cancel({ id: kept.id }, 'unwanted')).toBe(1)
    expect(await queue.complete(kept)).toBe('lost_lease')
    await claimNone(queue)
    const { jobs } = await queue.list({ state: 'cancelled', sessionId: 's-1' })
    expect(jobs.map(({ reason }) => reason)).toEqual(
      Array(3).fill('session_deleted'),
    )
  })

  test('F173 whoever ends a job of a session that is deleted meanwhile is told, and nothing breaks', async () => {
    const { queue, database } = await open()
    await queue.add([letter({ sessionId: 's-1' })])
    const job = await claimOne(queue)
    await edit(database, "DELETE FROM jobs WHERE session_id = 's-1'")
    expect(await queue.renew([job], leaseMs)).toEqual(new Set())
    expect(await queue.complete(job)).toBe('lost_lease')
    expect(await queue.fail(job, { reason: 'threw' })).toBe('lost_lease')
    expect(await queue.recover(10)).toEqual([])
  })

  test('a payload that was changed is not done; the others are', async () => {
    const { queue, database } = await open()
    await queue.add([letter({ key: 'a' }), letter({ key: 'b' })])
    await edit(
      database,
      `UPDATE jobs SET payload = '{"to":"Eve"}' WHERE id = (SELECT MIN(id) FROM jobs)`,
    )
    expect(await queue.claim({ limit: 5, leaseMs })).toHaveLength(1)
    expect((await queue.list({ state: 'dead' })).jobs).toMatchObject([
      { reason: 'input_changed' },
    ])
  })

  test('a process without the key leaves a job for those that have it', async () => {
    const { queue, another, advance } = await open()
    const key = { id: 'one', secret: new Uint8Array(32).fill(7) }
    const payloads = createPayloads({ keys: [key] })
    const withKey = await another({ parts: { payloads } })
    await withKey.add([letter()])
    await claimNone(queue)
    expect(await queue.counts()).toMatchObject({ delayed: 1 })
    await advance(60_000)
    expect(await claimOne(withKey)).toMatchObject({
      attempt: 1,
      payload: { to: 'Ada' },
    })
  })

  test('what is shown of a job holds no secret, and not its payload', async () => {
    const { queue, database } = await open()
    const about = { hook: 'mail', url: 'https://s3cret@example.com' }
    await queue.add([letter({ about, payload: { password: 'hidden' } })])
    const { jobs } = await queue.list()
    expect(jobs).toMatchObject([
      { about: { hook: 'mail', url: 'https://[removed]@example.com' } },
    ])
    expect(JSON.stringify(jobs)).not.toContain('hidden')
    const job = await claimOne(queue)
    await queue.complete(job)
    const rows = await database.read({ sql: 'SELECT * FROM jobs', values: [] })
    expect(JSON.stringify(rows)).not.toMatch(/hidden|s3cret/)
  })

  test('jobs are listed page by page, the newest first', async () => {
    const { queue, advance } = await open()
    for (let number = 0; number < 7; number++) {
      const sessionId = number % 2 === 0 ? 'even' : 'odd'
      await queue.add([letter({ about: { number: `${number}` }, sessionId })])
      if (number % 3 === 0) await advance(1)
    }
    const seen: string[] = []
    let after: string | undefined
    do {
      const page = await queue.list({ limit: 2, ...(after && { after }) })
      expect(page.jobs.length).toBeLessThanOrEqual(2)
      seen.push(...page.jobs.map(({ about }) => about['number'] ?? ''))
      after = page.next
    } while (after !== undefined)
    expect(seen).toHaveLength(7)
    expect(new Set(seen).size).toBe(7)
    expect(seen.at(-1)).toBe('0')
    const { jobs } = await queue.list({ sessionId: 'odd', state: 'queued' })
    expect(jobs).toHaveLength(3)
    expect((await queue.list({ state: 'done' })).jobs).toEqual([])
    expect((await queue.list({ after: 'nonsense' })).jobs).toHaveLength(7)
  })
})
