import { beforeAll, describe, expect, test } from 'vitest'
import { Suspension } from '../../ports/approvals.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import {
  type Asked,
  ann,
  approvalOf,
  benchOn,
} from './fixtures/approval-bench.ts'
import { useApproval } from './index.ts'

async function suspend({ answered, controller }: Asked): Promise<unknown> {
  const gone = answered.catch((error: unknown) => error)
  controller.abort(new Suspension())
  return gone
}

forEachDatabase((kit) => {
  let database: Database
  let other: Database
  beforeAll(async () => {
    database = await kit.open()
    other = await kit.reopen(database)
  })

  test('a question is open until somebody answers, and who asked is told at once', async () => {
    const bench = benchOn(database)
    const question = bench.question()
    const { id, call } = question
    const { answered } = await bench.ask(question)
    expect(await approvalOf(bench, id)).toMatchObject({
      id,
      sessionId: bench.scope.sessionId,
      turnId: bench.scope.turnId,
      callId: call.id,
      agent: 'main',
      tool: 'bash',
      seal: call.seal,
      state: 'pending',
      approvers: 1,
      requestedBy: ['agent:main'],
      questions: [{ by: 'policy', question: 'May it?' }],
    })
    const outcome = await bench.answer(id, { type: 'allow' })
    expect(outcome).toMatchObject({
      type: 'accepted',
      approval: { state: 'approved', decidedBy: 'user:ann' },
    })
    expect(await answered).toEqual({
      decision: { type: 'allow' },
      by: 'user:ann',
      approvalId: id,
    })
    expect(bench.clock.pending).toBe(0)
  })

  test('a denial gives its reason, without secrets', async () => {
    const bench = benchOn(database)
    const question = bench.question()
    const { answered } = await bench.ask(question)
    const reason = 'It has password=hunter2hunter2 in it.'
    await bench.answer(question.id, { type: 'deny', reason })
    const { decision } = await answered
    expect(decision).toMatchObject({ type: 'deny' })
    expect(JSON.stringify(decision)).not.toContain('hunter2')
  })

  test('F188 an edit gives other arguments, and is no yes to anything', async () => {
    const bench = benchOn(database)
    const question = bench.question()
    const { id, call } = question
    const { answered } = await bench.ask(question)
    const args = { command: 'echo changed', list: [1, { deep: null }] }
    await bench.answer(id, { type: 'edit', args })
    expect(await answered).toEqual({
      decision: { type: 'edit', args },
      by: 'user:ann',
      actor: { kind: 'user', id: 'ann' },
    })
    expect(await bench.approvals.consume(id, call.seal)).toEqual({
      type: 'invalid',
      problem: 'not-approved',
    })
  })

  test('whoever wants to change the arguments gets them as they are', async () => {
    const bench = benchOn(database)
    const args = { command: 'echo', password: 'hunter2hunter2' }
    const question = bench.question({ args })
    await bench.ask(question)
    const { approvals } = bench
    expect(await approvals.args(question.id)).toEqual(args)
    const shown = JSON.stringify(await approvals.get(question.id))
    expect(shown).not.toContain('hunter2')
    expect(await approvals.args('unknown')).toBeUndefined()
  })

  describe('asked again with the same id', () => {
    test('F146 an open question goes on, on another machine', async () => {
      const here = benchOn(database)
      const question = here.question()
      const suspended = await suspend(await here.ask(question))
      expect(suspended).toBeInstanceOf(Suspension)
      const there = benchOn(other)
      const { signal } = new AbortController()
      const { scope } = here
      const again = there.approvals.ask(question, { scope, signal })
      expect((await approvalOf(there, question.id)).state).toBe('pending')
      await there.answer(question.id, { type: 'allow' })
      expect((await again).decision).toEqual({ type: 'allow' })
    })

    test('F146 an answer that was given meanwhile is there at once', async () => {
      const here = benchOn(database)
      const question = here.question()
      await suspend(await here.ask(question))
      const reply = { type: 'deny', reason: 'not today' } as const
      await here.answer(question.id, reply)
      const { answered } = await benchOn(other).ask(question, here.scope)
      const actor = { kind: 'user', id: 'ann' }
      expect(await answered).toEqual({ decision: reply, by: 'user:ann', actor })
    })

    test('F184 an answer for another call is void, whatever it was', async () => {
      const bench = benchOn(database)
      const question = bench.question()
      const { id, call } = question
      const { answered } = await bench.ask(question)
      await bench.answer(id, { type: 'allow' })
      await answered
      const args = { command: 'rm -rf /' }
      const changed = bench.question({ questionId: id, id: call.id, args })
      const { answered: again } = await bench.ask(changed)
      expect(await again).toMatchObject({
        decision: { type: 'deny', reason: expect.stringContaining('anew') },
      })
      expect((await approvalOf(bench, id)).state).toBe('void')
      const used = await bench.approvals.consume(id, call.seal)
      expect(used.type).toBe('invalid')
    })
  })

  test('F184 who asks anew about a call gives up the old question', async () => {
    const bench = benchOn(database)
    const question = bench.question({ id: 'call-1' })
    const old = await bench.ask(question)
    const args = { command: 'another' }
    const next = bench.question({ id: 'call-1', args })
    await bench.ask(next)
    expect(await old.answered).toMatchObject({ decision: { type: 'deny' } })
    expect((await approvalOf(bench, question.id)).state).toBe('void')
    expect((await approvalOf(bench, next.id)).state).toBe('pending')
    const outcome = await bench.answer(question.id, { type: 'allow' })
    expect(outcome.type).toBe('void')
  })

  test('F146 an answer of another process is seen within a second', async () => {
    const here = benchOn(database)
    const question = here.question()
    const { answered } = await here.ask(question)
    await benchOn(other).answer(question.id, { type: 'allow' })
    await here.clock.advance(1_000)
    expect((await answered).decision).toEqual({ type: 'allow' })
    expect(here.clock.pending).toBe(0)
  })

  test('F182 what was agreed to where nobody can run it waits, visibly, for who can', async () => {
    const here = benchOn(database)
    const question = here.question()
    const { id, call } = question
    await suspend(await here.ask(question))
    const there = benchOn(other)
    await there.answer(id, { type: 'allow' })
    const { sessionId = '' } = here.scope
    for (const { approvals } of [here, there]) {
      const { items } = await approvals.unused({ sessionId })
      expect(items).toMatchObject([{ id, state: 'approved' }])
      expect((await approvals.pending({ sessionId })).items).toEqual([])
    }
    const { answered } = await here.ask(question)
    expect((await answered).approvalId).toBe(id)
    await here.approvals.consume(id, call.seal)
    expect((await there.approvals.unused({ sessionId })).items).toEqual([])
  })

  test('F146 a yes is used once, and asked again it is no yes any more', async () => {
    const bench = benchOn(database)
    const question = bench.question()
    const { id, call } = question
    await bench.ask(question)
    await bench.answer(id, { type: 'allow' })
    const uses = await Promise.all(
      [database, other, database].map((one) =>
        benchOn(one).approvals.consume(id, call.seal),
      ),
    )
    const types = uses.map((one) => one.type)
    expect(types.filter((type) => type === 'valid')).toHaveLength(1)
    expect(await bench.approvals.consume(id, call.seal)).toEqual({
      type: 'invalid',
      problem: 'used',
    })
    const { answered } = await bench.ask(question)
    expect((await answered).decision.type).toBe('deny')
  })

  test('F146 used in the unit that records the call, it is used only with it', async () => {
    const bench = benchOn(database)
    const question = bench.question()
    const { id, call } = question
    await bench.ask(question)
    await bench.answer(id, { type: 'allow' })
    const record = (name: string) =>
      database.write({
        name: 'session.append',
        statements: [
          useApproval(id, call.seal),
          {
            sql: 'INSERT INTO meta (key, value) VALUES (?, ?)',
            values: [name, ''],
          },
        ],
      })
    await record(id)
    await expect(record(`${id}-2`)).rejects.toMatchObject({ code: 'conflict' })
    const rows = await database.read({
      sql: 'SELECT key FROM meta WHERE key LIKE ?',
      values: [`${id}%`],
    })
    expect(rows).toEqual([{ key: id }])
    expect((await approvalOf(bench, id)).state).toBe('used')
  })

  test('a question that nobody wants any more is void, and says so', async () => {
    const bench = benchOn(database)
    const question = bench.question()
    const { controller, answered } = await bench.ask(question)
    controller.abort(new Error('enough'))
    await expect(answered).rejects.toThrow('enough')
    expect(await approvalOf(bench, question.id)).toMatchObject({
      state: 'void',
      reason: 'The question was withdrawn.',
    })
    const outcome = await bench.answer(question.id, { type: 'allow' })
    expect(outcome.type).toBe('void')
  })

  test('who has given up before asking asks nothing', async () => {
    const bench = benchOn(database)
    const question = bench.question()
    const signal = AbortSignal.abort(new Error('enough'))
    const { scope } = bench
    const asked = bench.approvals.ask(question, { scope, signal })
    await expect(asked).rejects.toThrow('enough')
    expect(await bench.approvals.get(question.id)).toBeUndefined()
  })

  test('after closing nobody waits here, and the question is still open', async () => {
    const bench = benchOn(database)
    const question = bench.question()
    const { answered } = await bench.ask(question)
    const gone = answered.catch((error: unknown) => error)
    await bench.approvals.close()
    expect(await gone).toMatchObject({ code: 'closed' })
    expect((await approvalOf(bench, question.id)).state).toBe('pending')
    expect(bench.clock.pending).toBe(0)
    const { answered: late } = await bench.ask(bench.question())
    await expect(late).rejects.toMatchObject({ code: 'closed' })
  })

  test('a row that is gone denies', async () => {
    const bench = benchOn(database)
    const question = bench.question()
    const { answered } = await bench.ask(question)
    await bench.tamper('DELETE FROM approvals WHERE id = ?', question.id)
    await bench.clock.advance(1_000)
    expect((await answered).decision.type).toBe('deny')
  })

  test('a question is told of once; who fails to listen stops nothing', async () => {
    const told: string[] = []
    const bench = benchOn(database, {
      onQuestion({ id, state }) {
        told.push(`${id} ${state}`)
        throw new Error('deaf')
      },
    })
    const question = bench.question()
    const { id } = question
    const { answered } = await bench.ask(question)
    const { signal } = new AbortController()
    const { scope } = bench
    const again = bench.approvals.ask(question, { scope, signal })
    await bench.answer(id, { type: 'allow' })
    expect((await answered).decision.type).toBe('allow')
    expect((await again).decision.type).toBe('allow')
    expect(told).toEqual([`${id} pending`])
    const error = new Error('deaf')
    const expected = { type: 'failed', doing: 'onQuestion', error }
    expect(bench.alarms).toEqual([expected])
  })

  test.each([
    ['no type', { type: 'maybe' }],
    ['an edit without arguments', { type: 'edit' }],
    ['an edit that is no JSON', { type: 'edit', args: { at: new Date() } }],
    ['a denial that lasts', { type: 'deny', lasts: 'always' }],
    ['a yes that lasts a while', { type: 'allow', lasts: 'while' }],
    ['a reason that is no text', { type: 'deny', reason: 7 }],
  ])('an answer with %s is refused, and nothing changes', async (_, reply) => {
    const bench = benchOn(database)
    const question = bench.question()
    await bench.ask(question)
    // What the types forbid comes from outside all the same.
    const answered = bench.answer(question.id, reply as { type: 'allow' })
    await expect(answered).rejects.toMatchObject({ code: 'invalid-options' })
    expect((await approvalOf(bench, question.id)).state).toBe('pending')
  })

  test.each(['', 'two words', 'line\nbreak', 'x'.repeat(201)])(
    'T48 nobody answers as %j',
    async (name) => {
      const bench = benchOn(database)
      const question = bench.question()
      await bench.ask(question)
      const by = { ...ann, id: name }
      const answered = bench.answer(question.id, { type: 'allow' }, by)
      await expect(answered).rejects.toMatchObject({ code: 'invalid-options' })
    },
  )
})

test.each([
  { expiresMs: 0 },
  { expiresMs: Infinity },
  { coolDownMs: -1 },
  { pollMs: 1.5 },
  { maxOpen: Number.NaN },
  { key: 'short' },
  { expiryMs: 5 },
])('the options %j are refused', (options) => {
  // Nothing is read or written before that.
  const unused = {} as Database
  expect(() => benchOn(unused, options)).toThrow(
    expect.objectContaining({ code: 'invalid-options' }),
  )
})
