import { describe, expect, test } from 'vitest'
import { Suspension } from '../../ports/approvals.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import {
  approvalOf,
  benchOn,
  day,
  interposed,
} from './fixtures/approval-bench.ts'
import type { StoredApprovalsOptions } from './index.ts'

const start = Date.UTC(2026, 0, 1)

forEachDatabase((kit) => {
  /** Database time stands still at `start`; the clock of the process is another. */
  async function askAt(options: StoredApprovalsOptions = {}) {
    const database = await kit.open()
    await kit.setNow(database, start)
    const bench = benchOn(database, { pollMs: day, ...options })
    const question = bench.question()
    const { answered } = await bench.ask(question)
    return { database, bench, id: question.id, question, answered }
  }

  test('F191 what nobody answers in time is denied, and says so', async () => {
    const { database, bench, id, answered } = await askAt()
    expect(await approvalOf(bench, id)).toMatchObject({
      askedAt: start,
      expiresAt: start + 7 * day,
    })
    await kit.advance(database, 7 * day)
    await bench.clock.advance(day)
    expect(await answered).toMatchObject({
      decision: { type: 'deny', reason: expect.stringContaining('in time') },
      by: 'expiry',
    })
    expect(await approvalOf(bench, id)).toMatchObject({
      state: 'expired',
      decidedAt: start + 7 * day,
      decidedBy: 'expiry',
    })
  })

  test('F179 time is that of the database: in its last millisecond an answer counts', async () => {
    const { database, bench, id } = await askAt({ expiresMs: 1_000 })
    await kit.advance(database, 999)
    await bench.clock.advance(30 * day)
    expect((await bench.answer(id, { type: 'allow' })).type).toBe('accepted')
  })

  test('F180 a late answer is told so, though nobody has swept yet, and nothing runs', async () => {
    const { database, bench, id, question, answered } = await askAt({
      expiresMs: 1_000,
    })
    const { shownHash } = await approvalOf(bench, id)
    await kit.advance(database, 1_000)
    const late = await bench.answer(id, { type: 'allow', shownHash })
    expect(late).toMatchObject({ type: 'expired', approval: { id } })
    expect((await bench.answer(id, { type: 'deny' })).type).toBe('expired')
    const used = await bench.approvals.consume(id, question.call.seal)
    expect(used).toEqual({ type: 'invalid', problem: 'not-approved' })
    await bench.clock.advance(day)
    expect((await answered).by).toBe('expiry')
  })

  test('F179 what expires between the look and the answer is expired', async () => {
    const { database, bench, id } = await askAt({ expiresMs: 1_000 })
    const { shownHash } = await approvalOf(bench, id)
    const late = benchOn(
      interposed(database, 'approval.answer', () =>
        kit.advance(database, 1_000),
      ),
    )
    const outcome = await late.answer(id, { type: 'allow', shownHash })
    expect(outcome.type).toBe('expired')
  })

  test('F180 before anybody has written it down, what is late is not listed', async () => {
    const { database, bench, id } = await askAt({ expiresMs: 1_000 })
    await kit.advance(database, 1_000)
    expect(await bench.approvals.pending()).toEqual({ items: [] })
    expect((await approvalOf(bench, id)).state).toBe('expired')
  })

  test('F191 what was agreed to in time holds, however late it is used', async () => {
    const { database, bench, id, question } = await askAt({ expiresMs: 1_000 })
    await bench.answer(id, { type: 'allow' })
    await kit.advance(database, 400 * day)
    await bench.approvals.sweep()
    const used = await bench.approvals.consume(id, question.call.seal)
    expect(used.type).toBe('valid')
  })

  describe.each([30, 400])('F185 a wait of %d days', (days) => {
    test('ends on its last millisecond, not before, and takes no long timer', async () => {
      const { database, bench, id, answered } = await askAt({
        expiresMs: days * day,
      })
      let isOver = false
      void answered.then(() => {
        isOver = true
      })
      for (let passed = 1; passed < days; passed++) {
        await bench.clock.advance(day)
        if (passed % 20 === 0) {
          await kit.setNow(database, start + passed * day)
          expect(await bench.approvals.sweep()).toMatchObject({ expired: 0 })
        }
      }
      // Whoever waits has looked for the last time: it is for the sweep to find.
      await expect.poll(() => bench.clock.pending).toBe(1)
      await kit.setNow(database, start + days * day - 1)
      expect(await bench.approvals.sweep()).toEqual({ expired: 0, voided: 0 })
      expect((await approvalOf(bench, id)).state).toBe('pending')
      expect(isOver).toBe(false)
      await kit.advance(database, 1)
      expect(await bench.approvals.sweep()).toEqual({ expired: 1, voided: 0 })
      expect((await answered).by).toBe('expiry')
    })
  })

  test('F185 the timers of a wait are never longer than the time until the next look', async () => {
    const { bench, answered } = await askAt({
      pollMs: 1_000,
      expiresMs: 400 * day,
    })
    while (bench.timers.length < 7) {
      await bench.clock.advance(1_000)
      await bench.approvals.pending()
    }
    expect(bench.timers.slice(0, 7)).toEqual([
      100, 200, 400, 800, 1_000, 1_000, 1_000,
    ])
    await bench.approvals.close()
    await expect(answered).rejects.toMatchObject({ code: 'closed' })
  })

  test('F179 a sweep ends what is due, once, and leaves the rest', async () => {
    const database = await kit.open()
    await kit.setNow(database, start)
    const soon = benchOn(database, { expiresMs: 1_000, maxOpen: 10_000 })
    const later = benchOn(database, { expiresMs: 2_000 })
    const due = Array.from({ length: 3 }, () => soon.question())
    const asked = await Promise.all(due.map((question) => soon.ask(question)))
    await soon.answer(due[0]?.id ?? '', { type: 'allow' })
    const open = later.question()
    await later.ask(open)
    // Whoever waits writes down itself what it finds expired.
    for (const { controller, answered } of asked.slice(1)) {
      controller.abort(new Suspension())
      await expect(answered).rejects.toBeInstanceOf(Suspension)
    }
    await kit.advance(database, 1_000)
    const sweeps = await Promise.all([
      soon.approvals.sweep(),
      later.approvals.sweep(),
    ])
    const expired = sweeps.reduce((sum, swept) => sum + swept.expired, 0)
    expect(expired).toBe(2)
    expect(await soon.approvals.sweep()).toEqual({ expired: 0, voided: 0 })
    expect((await approvalOf(soon, due[0]?.id ?? '')).state).toBe('approved')
    expect((await approvalOf(soon, open.id)).state).toBe('pending')
  })

  describe('after a restore', () => {
    async function raiseEpoch(database: Database, epoch: number) {
      const sql = `INSERT INTO meta (key, value) VALUES ('epoch', ?)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`
      const statements = [{ sql, values: [`${epoch}`] }]
      await database.write({ name: 'restore', statements })
    }

    test('what was asked or approved before is void, and what comes after is not', async () => {
      const { database, bench, id, answered } = await askAt()
      const approved = bench.question()
      const { seal } = approved.call
      await bench.ask(approved)
      await bench.answer(approved.id, { type: 'allow' })
      const { shownHash } = await approvalOf(bench, id)
      await raiseEpoch(database, 1)
      expect((await bench.approvals.pending()).items).toEqual([])
      expect((await bench.approvals.unused()).items).toEqual([])
      expect((await approvalOf(bench, id)).state).toBe('void')
      const late = await bench.answer(id, { type: 'allow', shownHash })
      expect(late.type).toBe('void')
      const used = await bench.approvals.consume(approved.id, seal)
      expect(used).toEqual({ type: 'invalid', problem: 'not-approved' })
      expect(await bench.approvals.sweep()).toEqual({ expired: 0, voided: 2 })
      expect((await answered).decision.type).toBe('deny')
      const after = bench.question()
      await bench.ask(after)
      const outcome = await bench.answer(after.id, { type: 'allow' })
      expect(outcome.type).toBe('accepted')
    })

    test('whoever waits is told, also if nobody sweeps', async () => {
      const { database, bench, answered } = await askAt()
      await raiseEpoch(database, 1)
      await bench.clock.advance(day)
      expect((await answered).decision.type).toBe('deny')
    })

    test('it makes void what somebody is just about to answer, or to use', async () => {
      const { database, bench, id, question } = await askAt()
      const { seal } = question.call
      const { shownHash } = await approvalOf(bench, id)
      const answering = benchOn(
        interposed(database, 'approval.answer', () => raiseEpoch(database, 1)),
      )
      const outcome = await answering.answer(id, { type: 'allow', shownHash })
      expect(outcome.type).toBe('void')
      const after = bench.question()
      await bench.ask(after)
      await bench.answer(after.id, { type: 'allow' })
      const using = benchOn(
        interposed(database, 'approval.use', () => raiseEpoch(database, 2)),
      )
      expect(await using.approvals.consume(after.id, after.call.seal)).toEqual({
        type: 'invalid',
        problem: 'not-approved',
      })
      const used = await bench.approvals.consume(id, seal)
      expect(used.type).toBe('invalid')
    })

    test('a rule of before lifts nothing', async () => {
      const { database, bench, id } = await askAt()
      await bench.answer(id, { type: 'allow', lasts: 'always' })
      expect((await bench.approvals.rules()).items).toHaveLength(1)
      await raiseEpoch(database, 1)
      expect((await bench.approvals.rules()).items).toEqual([])
    })
  })
})
