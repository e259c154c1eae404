import type { AgentScope, Grant, ToolCall } from 'hookline/lifecycle'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PolicyPort } from '../../ports/policy.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import {
  ann,
  type Bench,
  benchOn,
  bob,
  type Reply,
} from './fixtures/approval-bench.ts'
import type { RuleLift } from './index.ts'

const grant: Grant = {
  decision: 'ask',
  reason: 'It writes.',
  sandbox: 'workspace',
  roots: ['.'],
  network: 'none',
  timeoutMs: 1_000,
  maxOutputBytes: 1_000,
}

function giving(changes: Partial<Grant>): PolicyPort {
  return { grant: () => ({ ...grant, ...changes }), needsGate: () => true }
}

const session: Reply = { type: 'allow', lasts: 'session' }
const always: Reply = { type: 'allow', lasts: 'always' }

forEachDatabase((kit) => {
  let database: Database
  let other: Database
  beforeAll(async () => {
    database = await kit.open()
    other = await kit.reopen(database)
  })

  /** Somebody has answered so; what policy then says to calls. */
  async function after(bench: Bench, reply: Reply, inner = giving({})) {
    const question = bench.question()
    await bench.ask(question)
    await bench.answer(question.id, reply)
    const policy = bench.approvals.policy(inner)
    const judge = async (
      call: Partial<ToolCall> = {},
      scope: Partial<AgentScope> = {},
    ) =>
      policy.grant({ ...question.call, ...call }, { ...bench.scope, ...scope })
    return { question, judge, policy }
  }

  test('a yes for once makes no rule', async () => {
    const { judge } = await after(benchOn(database), { type: 'allow' })
    expect(await judge()).toMatchObject({ decision: 'ask' })
  })

  test('a yes for the session lifts the same call of that session', async () => {
    const lifts: RuleLift[] = []
    const bench = benchOn(database, { onLift: (lift) => lifts.push(lift) })
    const { judge, question } = await after(bench, session)
    const lifted = await judge({ id: 'another-call' })
    expect(lifted.decision).toBe('allow')
    expect(lifted.reason).toMatch(/^The rule \w+ of user:ann allows/)
    expect(lifts).toEqual([
      {
        ruleId: expect.stringMatching(/^\w+$/),
        createdBy: 'user:ann',
        agent: 'main',
        tool: 'bash',
        callId: 'another-call',
        sessionId: bench.scope.sessionId,
      },
    ])
    expect(question.call.tool).toBe('bash')
  })

  test.each<[string, Partial<ToolCall>, Partial<AgentScope>]>([
    ['another session', {}, { sessionId: 'elsewhere' }],
    ['another agent', {}, { agent: 'other' }],
    ['a sub-agent', {}, { agent: 'child', parents: ['main'] }],
    ['another folder', {}, { cwd: '/elsewhere' }],
    ['other arguments', { args: { command: 'rm -rf /' } }, {}],
    ['another tool', { tool: 'write' }, {}],
    ['the tool of another owner', { owner: 'stranger' }, {}],
    ['a tool that can do worse', { safety: 'destructive' }, {}],
  ])('a rule of a session lifts nothing for %s', async (_, call, scope) => {
    const { judge } = await after(benchOn(database), session)
    expect((await judge()).decision).toBe('allow')
    expect((await judge(call, scope)).decision).toBe('ask')
  })

  test('what always holds does so in other sessions and processes', async () => {
    const bench = benchOn(database)
    const { question } = await after(bench, always)
    const there = benchOn(other).approvals.policy(giving({}))
    const scope = { ...bench.scope, sessionId: 'elsewhere' }
    const { decision } = await there.grant(question.call, scope)
    expect(decision).toBe('allow')
  })

  test('a yes to the tool lifts other arguments, too', async () => {
    const reply: Reply = { ...session, covers: 'tool' }
    const { judge } = await after(benchOn(database), reply)
    const args = { command: 'anything' }
    expect((await judge({ args })).decision).toBe('allow')
    expect((await judge({ args }, { sessionId: 'x' })).decision).toBe('ask')
  })

  test.each(['deny', 'allow'] as const)(
    'a rule leaves %s as it is',
    async (decision) => {
      const inner = giving({ decision, reason: 'because' })
      const { judge } = await after(benchOn(database), always, inner)
      expect(await judge()).toEqual({ ...grant, decision, reason: 'because' })
    },
  )

  test('a grant that cannot be read is denied, not lifted', async () => {
    const inner = giving({ sandbox: 'loose' as 'none' })
    const { judge } = await after(benchOn(database), always, inner)
    expect((await judge()).decision).toBe('deny')
  })

  test('T50 policy may since have become stricter or wider: the narrower holds', async () => {
    const inner = giving({
      sandbox: 'none',
      roots: ['.', '/etc'],
      network: 'all',
      timeoutMs: 500,
      maxOutputBytes: 9_000,
    })
    const { judge } = await after(benchOn(database), always, inner)
    expect(await judge()).toMatchObject({
      decision: 'allow',
      sandbox: 'workspace',
      roots: ['.'],
      network: 'none',
      timeoutMs: 500,
      maxOutputBytes: 1_000,
    })
  })

  test('the policy behind it may take its time, and says what needs a gate', async () => {
    const inner = { grant: async () => grant, needsGate: () => true }
    const { judge, policy, question } = await after(
      benchOn(database),
      session,
      inner,
    )
    expect((await judge()).decision).toBe('allow')
    expect(policy.needsGate(question.call, benchOn(database).scope)).toBe(true)
  })

  test('where rules cannot be read, people are asked', async () => {
    const bench = benchOn(database)
    const { question } = await after(bench, session)
    const broken = benchOn({
      ...database,
      read: () => Promise.reject(new Error('offline')),
    })
    const policy = broken.approvals.policy(giving({}))
    const { decision } = await policy.grant(question.call, bench.scope)
    expect(decision).toBe('ask')
    expect(broken.alarms).toHaveLength(1)
  })

  test('a rule is listed, and ends when somebody revokes it', async () => {
    const bench = benchOn(database)
    const { judge, question } = await after(bench, session)
    const { items } = await bench.approvals.rules({ limit: 200 })
    const rule = items.find(({ approvalId }) => approvalId === question.id)
    expect(rule).toMatchObject({
      sessionId: bench.scope.sessionId,
      agent: 'main',
      cwd: '/repo',
      tool: 'bash',
      covers: 'arguments',
      createdBy: 'user:ann',
    })
    const id = rule?.id ?? ''
    expect(await bench.approvals.revokeRule(id, bob)).toBe(true)
    expect(await bench.approvals.revokeRule(id, bob)).toBe(false)
    expect((await judge()).decision).toBe('ask')
    const left = await bench.approvals.rules({ limit: 200 })
    expect(left.items.map((one) => one.id)).not.toContain(id)
  })

  test('rules come in pages', async () => {
    const own = await kit.open()
    const bench = benchOn(own)
    for (let round = 0; round < 3; round++) await after(bench, always)
    const first = await bench.approvals.rules({ limit: 2 })
    expect(first.items).toHaveLength(2)
    const { next = '' } = first
    const second = await bench.approvals.rules({ limit: 2, after: next })
    expect(second.items).toHaveLength(1)
    expect(second.next).toBeUndefined()
  })

  describe('two people', () => {
    const approvers = () => 2 as const

    test.each<[Reply, Reply, string]>([
      [always, always, 'always'],
      [always, session, 'session'],
      [session, { type: 'allow' }, 'once'],
      [{ type: 'allow' }, always, 'once'],
    ])('agree to the shorter of %j and %j: %s', async (one, two, lasts) => {
      const bench = benchOn(database, { approvers })
      const question = bench.question()
      await bench.ask(question)
      await bench.answer(question.id, one, ann)
      const outcome = await bench.answer(question.id, two, bob)
      expect(outcome).toMatchObject({ type: 'accepted', approval: { lasts } })
      const policy = bench.approvals.policy(giving({}))
      const { decision } = await policy.grant(question.call, bench.scope)
      expect(decision).toBe(lasts === 'once' ? 'ask' : 'allow')
    })

    test.each([true, false])(
      'have to agree by now: the yes of one lifts nothing, may one answer for oneself: %s',
      async (mayAnswerOwn) => {
        let needed: 1 | 2 = 1
        const bench = benchOn(database, {
          approvers: () => needed,
          mayAnswerOwn,
        })
        const { judge } = await after(bench, { ...session, covers: 'tool' })
        expect((await judge()).decision).toBe('allow')
        needed = 2
        expect((await judge()).decision).toBe('ask')
      },
    )

    test('have to agree to some arguments, which a yes to the tool does not say', async () => {
      const bench = benchOn(database, {
        approvers: ({ args }) => (args['command'] === 'deploy' ? 2 : 1),
        mayAnswerOwn: true,
      })
      const { judge } = await after(bench, { ...session, covers: 'tool' })
      const cheap = await judge({ args: { command: 'ls' } })
      expect(cheap.decision).toBe('allow')
      const dear = await judge({ args: { command: 'deploy' } })
      expect(dear.decision).toBe('ask')
    })

    test('agree to a tool only if both do', async () => {
      const bench = benchOn(database, { approvers })
      const question = bench.question()
      await bench.ask(question)
      await bench.answer(question.id, { ...session, covers: 'tool' }, ann)
      await bench.answer(question.id, session, bob)
      const policy = bench.approvals.policy(giving({}))
      const call = { ...question.call, args: { command: 'another' } }
      expect((await policy.grant(call, bench.scope)).decision).toBe('ask')
    })
  })

  test('a question without a session makes no rule for the session', async () => {
    const bench = benchOn(database)
    const { sessionId: _, turnId: __, ...scope } = bench.scope
    const question = bench.question({ scope })
    await bench.ask(question, scope)
    const outcome = await bench.answer(question.id, session)
    expect(outcome).toMatchObject({
      type: 'accepted',
      approval: { lasts: 'once' },
    })
  })

  test('of a call whose content retention has removed no rule is made', async () => {
    const bench = benchOn(database)
    const question = bench.question()
    await bench.ask(question)
    const { id } = question
    await bench.tamper('UPDATE approvals SET payload = NULL WHERE id = ?', id)
    const outcome = await bench.answer(id, session)
    expect(outcome).toEqual({ type: 'refused', code: 'no-content' })
    expect((await bench.answer(id, { type: 'allow' })).type).toBe('accepted')
  })
})
