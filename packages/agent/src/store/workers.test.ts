import { createFakeClock } from 'hookline/testing'
import { beforeEach, expect, test } from 'vitest'
import { createRedactor } from './content/create-redactor.ts'
import { plainPayloads } from './content/payloads.ts'
import type { Database } from './database.ts'
import { forEachDatabase } from './fixtures/databases.ts'
import type { StoreParts } from './parts.ts'
import { startWorkerLease } from './workers.ts'

const started = Date.UTC(2030, 0, 1)

forEachDatabase((kit) => {
  let database: Database
  beforeEach(async () => {
    database = await kit.open()
    await kit.setNow(database, started)
  })

  function makeParts(given: Partial<StoreParts> = {}) {
    const clock = createFakeClock()
    const parts: StoreParts = {
      database,
      payloads: plainPayloads,
      redactor: createRedactor(),
      nextId: () => 'id',
      clock,
      worker: 'w1',
      ...given,
    }
    return { parts, clock }
  }

  const leases = async () =>
    database.read({ sql: 'SELECT id, leased_until FROM workers', values: [] })

  test('F169 a lease is given in the time of the database', async () => {
    const { parts, clock } = makeParts()
    clock.setWall(started + 7_200_000)
    const lease = await startWorkerLease(parts)
    expect(lease.isHeld).toBe(true)
    expect(await leases()).toEqual([
      { id: 'w1', leased_until: started + 15_000 },
    ])
  })

  test('it is renewed after a third of its time', async () => {
    const { parts, clock } = makeParts()
    const lease = await startWorkerLease(parts)
    for (let beat = 1; beat <= 10; beat++) {
      await kit.advance(database, 5_000)
      await clock.advance(5_000)
      // Both timers run again: the answer has come.
      await expect.poll(() => clock.pending).toBe(2)
      const until = started + beat * 5_000 + 15_000
      expect(await leases()).toEqual([{ id: 'w1', leased_until: until }])
    }
    expect([lease.isHeld, lease.losses]).toEqual([true, 0])
  })

  test('F167 it is lost a margin before its end by the monotonic clock', async () => {
    const broken = await kit.reopen(database)
    const errors: unknown[] = []
    const { parts, clock } = makeParts({ database: broken })
    const onError = (error: unknown) => void errors.push(error)
    const lease = await startWorkerLease(parts, { onError })
    let losses = 0
    lease.onLoss(() => void losses++)
    await broken.close()
    await clock.advance(11_999)
    expect([lease.isHeld, losses]).toEqual([true, 0])
    clock.setWall(0)
    await clock.advance(1)
    expect([lease.isHeld, losses, lease.losses]).toEqual([false, 1, 1])
    await clock.advance(60_000)
    expect(losses).toBe(1)
    await expect.poll(() => errors.length).toBeGreaterThan(3)
  })

  test('F167 it is lost for whoever looks, even if no timer could fire', async () => {
    const { parts, clock } = makeParts()
    // A loop that was blocked: the time is over, and nothing has run.
    let blockedMs = 0
    const now = () => clock.now() + blockedMs
    const lease = await startWorkerLease({ ...parts, clock: { ...clock, now } })
    blockedMs = 11_999
    expect(lease.isHeld).toBe(true)
    blockedMs = 12_000
    expect(lease.isHeld).toBe(false)
    await lease.renew()
    expect([lease.isHeld, lease.losses]).toEqual([true, 1])
  })

  test('an answer that comes too late is no lease', async () => {
    const { parts, clock } = makeParts()
    let blockedMs = 0
    const now = () => clock.now() + blockedMs
    const lease = await startWorkerLease({ ...parts, clock: { ...clock, now } })
    const renewing = lease.renew()
    blockedMs = 13_000
    await renewing
    expect(lease.isHeld).toBe(false)
  })

  test('stopping gives it back, and ends the renewing', async () => {
    const { parts, clock } = makeParts()
    const lease = await startWorkerLease(parts)
    await lease.stop()
    expect(await leases()).toEqual([])
    expect([lease.isHeld, lease.losses]).toEqual([false, 0])
    await clock.advance(60_000)
    expect(clock.pending).toBe(0)
    expect(await leases()).toEqual([])
    await expect(lease.renew()).rejects.toMatchObject({ code: 'closed' })
  })

  test('what others have left for a day is swept away', async () => {
    await startWorkerLease(makeParts({ worker: 'old' }).parts)
    await kit.advance(database, 86_415_001)
    await startWorkerLease(makeParts({ worker: 'new' }).parts)
    expect((await leases()).map(({ id }) => id)).toEqual(['new'])
  })

  test('F205 leases of the years after 2038 are like any others', async () => {
    const later = Date.UTC(2124, 1, 29)
    await kit.setNow(database, later)
    await startWorkerLease(makeParts().parts)
    expect(await leases()).toEqual([{ id: 'w1', leased_until: later + 15_000 }])
  })

  test.each([
    { leaseMs: 0 },
    { leaseMs: Number.NaN },
    { leaseMs: Infinity },
    { leaseMs: 100, marginMs: 100 },
    { marginMs: -1 },
  ])('%j is refused', async (options) => {
    const start = startWorkerLease(makeParts().parts, options)
    await expect(start).rejects.toMatchObject({ code: 'invalid-options' })
  })
})
