import type { AgentScope, ToolCall } from 'hookline/lifecycle'
import { beforeAll, describe, expect, test } from 'vitest'
import { Suspension } from '../../ports/approvals.ts'
import type { PolicyPort } from '../../ports/policy.ts'
import type { Database, SqlValue } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import {
  ann,
  type Bench,
  benchOn,
  bob,
  key,
} from './fixtures/approval-bench.ts'
import type { Covers } from './index.ts'

/** What somebody with access to the database might write into a row. */
const forgeries: readonly (readonly [string, string, SqlValue])[] = [
  ['session_id', 'session', 'another'],
  ['turn_id', 'turn', 'another'],
  ['call_id', 'call', 'another'],
  ['agent', 'agent', 'another'],
  ['cwd', 'folder', '/'],
  ['tool', 'tool', 'another'],
  ['seal', 'seal', 'another'],
  ['args_hash', 'arguments', 'another'],
  ['shown', 'text', 'harmless'],
  ['shown_hash', 'hash', 'another'],
  ['is_cut', 'mark of a cut', 1],
  ['questions', 'questions', '[]'],
  ['approvers', 'number of people', 0],
  ['requested_by', 'requester', 'user:bob'],
  ['expires_at', 'expiry', 9_000_000_000_000],
  ['epoch', 'epoch', 7],
  ['mac', 'signature', null],
  ['payload', 'payload', '{"call":{"args":{"command":"rm"}}}'],
  ['payload', 'payload to what is no JSON', '{'],
]

forEachDatabase((kit) => {
  let database: Database
  beforeAll(async () => {
    database = await kit.open()
  })

  async function approved(bench: Bench) {
    const question = bench.question()
    const { id } = question
    const { answered } = await bench.ask(question)
    await bench.answer(id, { type: 'allow' })
    await answered
    return { id, question, seal: question.call.seal }
  }

  test.each(forgeries)(
    'T52 an open question whose %s (%s) was changed cannot be answered, and raises an alarm',
    async (column, _, value) => {
      const bench = benchOn(database, { key })
      const question = bench.question()
      const { id } = question
      await bench.ask(question)
      const { shownHash = '' } = (await bench.approvals.get(id)) ?? {}
      await bench.tamper(
        `UPDATE approvals SET ${column} = ? WHERE id = ?`,
        value,
        id,
      )
      const outcome = await bench.answer(id, { type: 'allow', shownHash })
      const isRefused =
        outcome.type === 'refused' && outcome.code === 'tampered'
      expect(isRefused).toBe(true)
      expect(bench.alarms).toContainEqual({
        type: 'tampered',
        table: 'approvals',
        id,
      })
      expect(await bench.approvals.get(id)).toBeUndefined()
    },
  )

  test('T52 a row edited to approved is refused by whoever waits, and by whoever would run it', async () => {
    const bench = benchOn(database, { key })
    const question = bench.question()
    const { id, call } = question
    const { answered } = await bench.ask(question)
    const sql = `UPDATE approvals SET state = 'approved', decided_by = 'user:ann' WHERE id = ?`
    await bench.tamper(sql, id)
    const tampered = { type: 'invalid', problem: 'tampered' }
    expect(await bench.approvals.verify(id, call.seal)).toEqual(tampered)
    expect(await bench.approvals.consume(id, call.seal)).toEqual(tampered)
    await bench.clock.advance(1_000)
    expect(await answered).toMatchObject({ decision: { type: 'deny' } })
    expect(bench.alarms).toContainEqual({
      type: 'tampered',
      table: 'approvals',
      id,
    })
  })

  test.each<[string, (bench: Bench, id: string, seal: string) => unknown]>([
    ['denied', (bench, id) => bench.answer(id, { type: 'deny' })],
    ['edited', (bench, id) => bench.answer(id, { type: 'edit', args: {} })],
    ['void', (bench, id) => bench.approvals.void({ id }, 'over')],
    [
      'void after it was approved',
      async (bench, id) => {
        await bench.answer(id, { type: 'allow' })
        await bench.approvals.void({ id }, 'over')
      },
    ],
    [
      'used',
      async (bench, id, seal) => {
        await bench.answer(id, { type: 'allow' })
        await bench.approvals.consume(id, seal)
      },
    ],
  ])('T52 what is %s cannot be edited to approved', async (_, end) => {
    const bench = benchOn(database, { key })
    const question = bench.question()
    const { id, call } = question
    await bench.ask(question)
    await end(bench, id, call.seal)
    // Whoever does it knows how such a row looks.
    const sql = `UPDATE approvals SET state = 'approved',
      decided_by = 'user:ann', reason = NULL, lasts = 'once' WHERE id = ?`
    await bench.tamper(sql, id)
    const used = await bench.approvals.consume(id, call.seal)
    expect(used).toEqual({ type: 'invalid', problem: 'tampered' })
  })

  test.each([
    ['seal', 'another'],
    ['decided_by', 'user:eve'],
    ['lasts', 'always'],
    ['epoch', 9],
    ['mac', null],
    ['payload', '{"call":{"args":{}}}'],
  ] as const)(
    'T52 an approval whose %s was changed is not used',
    async (column, value) => {
      const bench = benchOn(database, { key })
      const { id, seal } = await approved(bench)
      await bench.tamper(
        `UPDATE approvals SET ${column} = ? WHERE id = ?`,
        value,
        id,
      )
      const used = await bench.approvals.consume(id, seal)
      expect(used).toEqual({ type: 'invalid', problem: 'tampered' })
    },
  )

  test('T52 the arguments of an edit cannot be changed afterwards', async () => {
    const bench = benchOn(database, { key })
    const question = bench.question()
    const { id, call } = question
    const { answered } = await bench.ask(question)
    await bench.answer(id, { type: 'edit', args: { command: 'ls' } })
    await answered
    const forged = JSON.stringify({ call, edit: { command: 'rm' } })
    await bench.tamper(
      'UPDATE approvals SET payload = ? WHERE id = ?',
      forged,
      id,
    )
    const { answered: again } = await bench.ask(question)
    expect((await again).decision.type).toBe('deny')
  })

  test('T52 a signature of another row, or by another key, is none', async () => {
    const bench = benchOn(database, { key })
    const { id, seal } = await approved(bench)
    const other = await approved(bench)
    const copy = `UPDATE approvals SET mac =
      (SELECT mac FROM approvals WHERE id = ?) WHERE id = ?`
    const stranger = benchOn(database, { key: 'another key for tests' })
    const foreign = await stranger.approvals.consume(id, seal)
    expect(foreign).toEqual({ type: 'invalid', problem: 'tampered' })
    await bench.tamper(copy, other.id, id)
    const copied = await bench.approvals.consume(id, seal)
    expect(copied).toEqual({ type: 'invalid', problem: 'tampered' })
  })

  test('T52 what was written without a key does not count where there is one', async () => {
    const without = benchOn(database)
    const { id, seal } = await approved(without)
    const bench = benchOn(database, { key })
    const used = await bench.approvals.consume(id, seal)
    expect(used).toEqual({ type: 'invalid', problem: 'tampered' })
  })

  test('T52 a list leaves out what was tampered with, and says so', async () => {
    const bench = benchOn(database, { key })
    const [one, two] = [bench.question(), bench.question()]
    const { answered, controller } = await bench.ask(one)
    await bench.ask(two)
    // Nobody waits for it any more, so that nobody else finds it changed.
    controller.abort(new Suspension())
    await expect(answered).rejects.toBeInstanceOf(Suspension)
    const sql = 'UPDATE approvals SET shown = ? WHERE id = ?'
    await bench.tamper(sql, 'harmless', one.id)
    const { sessionId = '' } = bench.scope
    const { items } = await bench.approvals.pending({ sessionId })
    expect(items.map(({ id }) => id)).toEqual([two.id])
    expect(bench.alarms).toEqual([
      { type: 'tampered', table: 'approvals', id: one.id },
    ])
  })

  test('T52 a vote that nobody gave does not count', async () => {
    const approvers = () => 2 as const
    const bench = benchOn(database, { key, approvers })
    const question = bench.question()
    const { id } = question
    await bench.ask(question)
    const sql = `INSERT INTO votes (approval_id, voter, decision, lasts, covers, at, mac)
      VALUES (?, 'user:eve', 'allow', 'once', 'arguments', 0, ?)`
    await bench.tamper(sql, id, 'forged')
    const outcome = await bench.answer(id, { type: 'allow' }, ann)
    expect(outcome.type).toBe('counted')
    expect(bench.alarms).toContainEqual({
      type: 'tampered',
      table: 'votes',
      id,
    })
    const second = await bench.answer(id, { type: 'allow' }, bob)
    expect(second).toMatchObject({
      approval: { decidedBy: 'user:ann and user:bob' },
    })
  })

  describe('rules', () => {
    const asking: PolicyPort = {
      grant: (call) => ({ ...bashGrant, reason: call.tool }),
      needsGate: () => false,
    }
    const bashGrant = {
      decision: 'ask',
      sandbox: 'workspace',
      roots: ['.'],
      network: 'none',
      timeoutMs: 1_000,
      maxOutputBytes: 1_000,
    } as const

    async function ruled(bench: Bench, covers: Covers = 'arguments') {
      const question = bench.question()
      await bench.ask(question)
      const reply = { type: 'allow', lasts: 'session', covers } as const
      await bench.answer(question.id, reply)
      const policy = bench.approvals.policy(asking)
      const decide = async (
        call: Partial<ToolCall> = {},
        scope: Partial<AgentScope> = {},
      ) => {
        const where = { ...bench.scope, ...scope }
        const grant = await policy.grant({ ...question.call, ...call }, where)
        return grant.decision
      }
      return { approvalId: question.id, decide }
    }

    test.each([
      ['session_id', null],
      ['args_hash', null],
      ['payload', '{"sandbox":"none"}'],
      ['payload', 'no JSON'],
      ['made_by', 'user:root'],
      ['approval_id', 'another'],
      ['mac', null],
      ['mac', 'forged'],
    ] as const)(
      'T52 one whose %s was changed to %s lifts nothing',
      async (column, value) => {
        const bench = benchOn(database, { key })
        const { approvalId, decide } = await ruled(bench)
        expect(await decide()).toBe('allow')
        const sql = `UPDATE rules SET ${column} = ? WHERE approval_id = ?`
        await bench.tamper(sql, value, approvalId)
        expect(await decide()).toBe('ask')
        expect(bench.alarms).toMatchObject([{ table: 'rules' }])
      },
    )

    test.each([
      ['agent', 'other', {}, { agent: 'other' }],
      ['cwd', '/', {}, { cwd: '/' }],
      ['tool', 'write', { tool: 'write' }, {}],
      ['owner', 'stranger', { owner: 'stranger' }, {}],
      ['safety', 'destructive', { safety: 'destructive' }, {}],
      ['session_id', 'other', {}, { sessionId: 'other' }],
    ] as const)(
      'T52 one whose %s was changed to fit another call lifts nothing',
      async (column, value, call, scope) => {
        const bench = benchOn(database, { key })
        const { approvalId, decide } = await ruled(bench, 'tool')
        const sql = `UPDATE rules SET ${column} = ? WHERE approval_id = ?`
        await bench.tamper(sql, value, approvalId)
        expect(await decide(call, scope)).toBe('ask')
        expect(bench.alarms).toMatchObject([{ table: 'rules' }])
      },
    )

    test('T52 one that was revoked does not come back by an edit', async () => {
      const bench = benchOn(database, { key })
      const { approvalId, decide } = await ruled(bench)
      const { items } = await bench.approvals.rules({ limit: 200 })
      const rule = items.find((one) => one.approvalId === approvalId)
      expect(await bench.approvals.revokeRule(rule?.id ?? '', bob)).toBe(true)
      expect(await decide()).toBe('ask')
      const sql = 'UPDATE rules SET revoked_at = NULL WHERE approval_id = ?'
      await bench.tamper(sql, approvalId)
      expect(await decide()).toBe('ask')
    })

    test('T52 one that nobody has made lifts nothing', async () => {
      const bench = benchOn(database, { key })
      const { approvalId, decide } = await ruled(bench)
      const copy = `INSERT INTO rules SELECT id || '-2', session_id, agent, cwd, tool,
        owner, safety, NULL, made_by, made_at, approval_id, epoch, revoked_at,
        revoked_by, mac, payload FROM rules WHERE approval_id = ?`
      await bench.tamper(copy, approvalId)
      const remove = `DELETE FROM rules WHERE approval_id = ? AND args_hash IS NOT NULL`
      await bench.tamper(remove, approvalId)
      expect(await decide()).toBe('ask')
      expect(bench.alarms).toHaveLength(1)
    })
  })
})
