import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { readRow } from './approval-row.ts'
import {
  expireMany,
  voidOthers,
  voidRestored,
  voidSession,
  voidTurn,
} from './end-statements.ts'
import {
  approvalOf,
  type Bench,
  benchOn,
  bob,
} from './fixtures/approval-bench.ts'
import type { Approval } from './index.ts'
import {
  countOpen,
  findApproval,
  findDenied,
  listAnswered,
  listOpen,
  listStillOpen,
  listWaiting,
} from './statements.ts'

const minute = 60_000

forEachDatabase((kit) => {
  let database: Database
  beforeAll(async () => {
    database = await kit.open()
  })

  async function openMany(bench: Bench, count: number) {
    const questions = Array.from({ length: count }, () => bench.question())
    for (const question of questions) await bench.ask(question)
    return questions
  }

  describe('T49 a session asks only so much', () => {
    test('at once: what is more is denied, and asks nobody', async () => {
      const bench = benchOn(database, { maxOpen: 2 })
      const [one] = await openMany(bench, 2)
      const third = bench.question()
      const { answered } = await bench.ask(third)
      expect(await answered).toMatchObject({
        decision: { type: 'deny', reason: expect.stringContaining('2 ques') },
      })
      expect(await bench.approvals.get(third.id)).toBeUndefined()
      await bench.answer(one?.id ?? '', { type: 'allow' })
      const fourth = bench.question()
      await bench.ask(fourth)
      expect((await approvalOf(bench, fourth.id)).state).toBe('pending')
    })

    test('and others are not in its way', async () => {
      const bench = benchOn(database, { maxOpen: 1 })
      await openMany(bench, 1)
      const scope = { ...bench.scope, sessionId: 'another' }
      const question = bench.question({ scope })
      await bench.ask(question, scope)
      expect((await approvalOf(bench, question.id)).state).toBe('pending')
    })

    test('and about the same thing: a no holds for a while', async () => {
      const own = await kit.open()
      await kit.setNow(own, 1_000_000)
      const bench = benchOn(own, { coolDownMs: 10 * minute })
      const args = { command: 'git push --force' }
      const first = bench.question({ args })
      await bench.ask(first)
      await bench.answer(first.id, { type: 'deny', reason: 'not on main' })
      await kit.advance(own, 10 * minute - 1)
      const again = bench.question({ args })
      const { answered } = await bench.ask(again)
      expect(await answered).toMatchObject({
        decision: {
          type: 'deny',
          reason: expect.stringContaining('not on main'),
        },
        by: 'user:ann',
      })
      expect(await bench.approvals.get(again.id)).toBeUndefined()
      await kit.advance(own, 1)
      const later = bench.question({ args })
      await bench.ask(later)
      expect((await approvalOf(bench, later.id)).state).toBe('pending')
    })

    test('but other arguments, and other sessions, are asked about', async () => {
      const bench = benchOn(database)
      const first = bench.question()
      await bench.ask(first)
      await bench.answer(first.id, { type: 'deny' })
      const { args } = first.call
      const other = bench.question({ args: { ...args, more: true } })
      await bench.ask(other)
      const scope = { ...bench.scope, sessionId: 'yet-another' }
      const elsewhere = bench.question({ args, scope })
      await bench.ask(elsewhere, scope)
      for (const { id } of [other, elsewhere]) {
        expect((await approvalOf(bench, id)).state).toBe('pending')
      }
    })

    test('and what is answered together is listed one by one', async () => {
      const bench = benchOn(database)
      const questions = await openMany(bench, 3)
      const shown: Approval[] = []
      for (const { id } of questions) shown.push(await approvalOf(bench, id))
      await bench.answer(questions[1]?.id ?? '', { type: 'deny' }, bob)
      const stale = { id: questions[2]?.id ?? '', shownHash: 'stale' }
      const of = [...shown.slice(0, 2), stale]
      const ann = { kind: 'user', id: 'ann' } as const
      const outcomes = await bench.approvals.answerMany(
        { type: 'allow', of },
        ann,
      )
      expect(outcomes).toMatchObject([
        { id: questions[0]?.id, outcome: { type: 'accepted' } },
        { id: questions[1]?.id, outcome: { type: 'lost' } },
        { id: questions[2]?.id, outcome: { type: 'refused' } },
      ])
      expect((await approvalOf(bench, stale.id)).state).toBe('pending')
    })

    test('and not thousands together', async () => {
      const bench = benchOn(database)
      const of = Array.from({ length: 1_001 }, (_, index) => {
        return { id: `${index}`, shownHash: '' }
      })
      const answered = bench.approvals.answerMany({ type: 'deny', of }, bob)
      await expect(answered).rejects.toMatchObject({ code: 'invalid-options' })
    })
  })

  describe('F183 a session that is over', () => {
    test('leaves nothing to answer and nothing to use, and says why', async () => {
      const bench = benchOn(database)
      const [open, approved, denied] = await openMany(bench, 3)
      if (!open || !approved || !denied) throw new Error('They are three.')
      await bench.answer(approved.id, { type: 'allow' })
      await bench.answer(denied.id, { type: 'deny' })
      const { signal } = new AbortController()
      const { scope } = bench
      const waiting = bench.approvals.ask(open, { scope, signal })
      const { sessionId = '' } = scope
      const reason = 'The session was deleted.'
      expect(await bench.approvals.void({ sessionId }, reason)).toBe(2)
      expect(await bench.approvals.void({ sessionId }, reason)).toBe(0)
      expect(await waiting).toMatchObject({
        decision: { type: 'deny', reason: expect.stringContaining(reason) },
      })
      for (const { id, call } of [open, approved]) {
        expect(await approvalOf(bench, id)).toMatchObject({
          state: 'void',
          reason,
          decidedBy: 'approvals',
        })
        expect((await bench.answer(id, { type: 'allow' })).type).toBe('void')
        expect(await bench.approvals.consume(id, call.seal)).toEqual({
          type: 'invalid',
          problem: 'not-approved',
        })
      }
      expect((await approvalOf(bench, denied.id)).state).toBe('denied')
    })

    test('F183 so does a turn, in the unit that ends it', async () => {
      const bench = benchOn(database)
      const [open, approved] = await openMany(bench, 2)
      await bench.answer(approved?.id ?? '', { type: 'allow' })
      const { sessionId = '', turnId = '' } = bench.scope
      const statements = [voidTurn(sessionId, turnId)]
      await database.write({ name: 'session.append', statements })
      for (const question of [open, approved]) {
        const { state } = await approvalOf(bench, question?.id ?? '')
        expect(state).toBe('void')
      }
    })

    test('does not end what others have asked', async () => {
      const [bench, other] = [benchOn(database), benchOn(database)]
      const [question] = await openMany(other, 1)
      await openMany(bench, 1)
      const { sessionId = '' } = bench.scope
      await bench.approvals.void({ sessionId }, 'over')
      const { state } = await approvalOf(other, question?.id ?? '')
      expect(state).toBe('pending')
    })

    test('one question can be void alone', async () => {
      const bench = benchOn(database)
      const [one, two] = await openMany(bench, 2)
      const void_ = (id = '') => bench.approvals.void({ id }, 'over')
      expect(await void_(one?.id)).toBe(1)
      expect(await void_('unknown')).toBe(0)
      expect((await approvalOf(bench, two?.id ?? '')).state).toBe('pending')
    })
  })

  describe('F190 ten thousand open questions', () => {
    const total = 10_000
    let many: Database
    let bench: Bench
    beforeAll(async () => {
      many = await kit.open()
      bench = benchOn(many, { maxOpen: total })
      await openMany(bench, 1)
      // As many as that by the ordinary way would take minutes.
      const copy = `INSERT INTO approvals
        SELECT id || ?, session_id || ?, turn_id, call_id || ?, agent, cwd, tool, seal,
        args_hash, shown, shown_hash, is_cut, questions, approvers, requested_by, state, votes,
        asked_at, expires_at, decided_at, decided_by, reason, lasts, used_at, epoch, mac, payload
        FROM approvals LIMIT ?`
      let count = 1
      for (let round = 0; count < total; round++) {
        const add = Math.min(count, total - count)
        const session = round % 4 === 3 ? '-b' : ''
        await bench.tamper(copy, `-${round}`, session, `-${round}`, add)
        count += add
      }
    }, 60_000)

    test('are listed in pages, each once, with bounded memory', async () => {
      const seen = new Set<string>()
      let after: string | undefined
      let pages = 0
      do {
        const page = await bench.approvals.pending({
          limit: 200,
          ...(after !== undefined && { after }),
        })
        expect(page.items.length).toBeLessThanOrEqual(200)
        for (const { id } of page.items) seen.add(id)
        after = page.next
        pages++
      } while (after !== undefined)
      expect(seen.size).toBe(total)
      expect(pages).toBe(total / 200 + 1)
    })

    test('of one session are listed alone', async () => {
      const sessionId = `${bench.scope.sessionId}-b`
      const { items } = await bench.approvals.pending({ sessionId })
      expect(items).toHaveLength(50)
      expect(new Set(items.map((one) => one.sessionId))).toEqual(
        new Set([sessionId]),
      )
    })

    test('are found by an index, whether by page, session, call or expiry', async () => {
      const row = readRow({
        id: 'q',
        session_id: 's',
        turn_id: 't',
        call_id: 'c',
        args_hash: 'h',
      })
      const statements = {
        listOpen: listOpen({ after: 'q', limit: 50 }),
        listOpenOfSession: listOpen({ after: 'q', limit: 50, sessionId: 's' }),
        listWaiting: listWaiting({ after: 'q', limit: 50 }),
        listAnswered: listAnswered({ askedAt: 5, id: 'q', limit: 50 }),
        listAnsweredOfSession: listAnswered({
          ...{ askedAt: 5, id: 'q', limit: 50 },
          sessionId: 's',
        }),
        countOpen: countOpen(1_000),
        countOpenOfSession: countOpen(1_000, 's'),
        voidTurn: voidTurn('s', 't'),
        listStillOpen: listStillOpen(['q1', 'q2']),
        findApproval: findApproval('q'),
        findDenied: findDenied(row, 1_000),
        voidOthers: voidOthers(row),
        voidSession: voidSession('s', ''),
        voidRestored: voidRestored(500),
        expireMany: expireMany(500),
      }
      if (kit.name === 'postgres') {
        await bench.tamper('ANALYZE approvals')
      }
      const explain = kit.name === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
      for (const [name, { sql, values }] of Object.entries(statements)) {
        const rows = await many.read({ sql: `${explain} ${sql}`, values })
        const plan = rows.map((one) => Object.values(one).join(' ')).join('; ')
        expect(plan, name).toMatch(/Index|INDEX/)
        expect(plan, name).not.toMatch(
          /Seq Scan on approvals|SCAN approvals(?! USING)/,
        )
      }
    })

    test('are refused a page of any length', async () => {
      for (const limit of [0, 201, 1.5, Number.NaN]) {
        await expect(bench.approvals.pending({ limit })).rejects.toMatchObject({
          code: 'invalid-options',
        })
      }
    })

    test('expire in small pieces, all of them, once', async () => {
      await kit.setNow(many, Date.now() + 30 * 86_400_000)
      const swept = await bench.approvals.sweep()
      expect(swept).toEqual({ expired: total, voided: 0 })
      expect((await bench.approvals.pending()).items).toEqual([])
      await bench.approvals.close()
    })
  })
})
