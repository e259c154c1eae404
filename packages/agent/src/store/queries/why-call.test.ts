import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Row, SqlValue } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { approval, fill } from '../retention/fixtures/fill.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { ended, started } from '../runs/fixtures/make-runs.ts'
import { shareDatabase } from '../runs/fixtures/share-database.ts'
import { createRunRecords } from '../runs/run-records.ts'
import { whyCall } from './why-call.ts'

const call: Row = {
  turn_id: 't1',
  call_id: 'c1',
  session_id: 's1',
  tool: 'write',
  owner: 'runtime',
  safety: 'mutating',
  state: 'ended',
  status: 'executed',
  seal: 'the seal',
  grant_json: '{"decision":"ask","sandbox":"workspace"}',
  verdicts: '[]',
  approved_by: 'user:ann',
  started_at: 1_000,
  ended_at: 2_000,
}

const input = { id: 'c1', tool: 'write' }

forEachDatabase((kit) => {
  const open = shareDatabase(kit)
  async function setUp(differs: Readonly<Record<string, SqlValue>> = {}) {
    const parts = makeParts(await open())
    await fill(parts.database, 'calls', [{ ...call, ...differs }])
    return parts
  }

  test('one question, one answer: the call, every hook that had a say, and who agreed', async () => {
    const parts = await setUp()
    const records = createRunRecords(parts)
    const pre = { dispatch: 'd1', point: 'tool.pre_call', startedAt: 1_000 }
    const guard = { dispatch: 'd2', point: 'tool.guard', startedAt: 1_001 }
    for (const hook of ['first', 'second']) {
      records.start(started({ ...pre, hook, input }))
      records.end(ended({ ...pre, hook, answer: 'transform' }))
    }
    records.start(started({ ...guard, hook: 'flaky', input }))
    const failure = { code: 'threw', message: 'It threw.' } as const
    const failed = { state: 'failed', answer: undefined, failure } as const
    const open = { policy: 'open', failedOpen: true } as const
    records.end(ended({ ...guard, hook: 'flaky', ...failed, ...open }))
    records.start(started({ ...guard, hook: 'asker', input }))
    records.end(ended({ ...guard, hook: 'asker', answer: 'ask' }))
    const skipped = { state: 'skipped', note: 'chain-ended' } as const
    records.end(
      ended({ ...guard, hook: 'last', ...skipped, answer: undefined }),
    )
    const other = { id: 'c2', tool: 'write' }
    records.start(started({ dispatch: 'd3', hook: 'elsewhere', input: other }))
    await records.flush()
    const about = { session_id: 's1', turn_id: 't1', call_id: 'c1' }
    const decided = { decided_by: 'user:bob', decided_at: 1_900, lasts: 'once' }
    await fill(parts.database, 'approvals', [
      approval('a1', { ...about, approvers: 2, state: 'used', ...decided }),
      approval('a2', { ...about, call_id: 'c2' }),
    ])
    await fill(
      parts.database,
      'votes',
      ['ann', 'bob'].map((name, at) => ({
        approval_id: 'a1',
        voter: `user:${name}`,
        decision: 'allow',
        at: 1_500 + at,
      })),
    )

    const why = await whyCall(parts, { turnId: 't1', callId: 'c1' })
    expect(why).toMatchObject({
      sessionId: 's1',
      tool: 'write',
      state: 'ended',
      status: 'executed',
      seal: 'the seal',
      grant: { decision: 'ask', sandbox: 'workspace' },
      isUngated: false,
      approvedBy: { kind: 'person', name: 'user:ann' },
      startedAt: 1_000,
      endedAt: 2_000,
    })
    const verdicts = why?.verdicts.map(({ point, hook, state, answer }) =>
      [point, hook, state, answer].join(' '),
    )
    expect(verdicts).toEqual([
      'tool.pre_call first completed transform',
      'tool.pre_call second completed transform',
      'tool.guard flaky failed ',
      'tool.guard asker completed ask',
      'tool.guard last skipped ',
    ])
    expect(why?.verdicts[2]).toMatchObject({
      failure: { code: 'threw' },
      policy: 'open',
      failedOpen: true,
      startedAt: 1_001,
      latencyMs: 1.5,
    })
    expect(why?.approvals).toEqual([
      {
        id: 'a1',
        state: 'used',
        approvers: 2,
        requestedBy: ['user:ann'],
        askedAt: 0,
        expiresAt: 0,
        decidedAt: 1_900,
        decidedBy: 'user:bob',
        reason: undefined,
        lasts: 'once',
        votes: [
          { voter: 'user:ann', decision: 'allow', at: 1_500 },
          { voter: 'user:bob', decision: 'allow', at: 1_501 },
        ],
      },
    ])
  })

  test('a call says with which arguments it was judged, without secrets', async () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
    const args = { path: 'a.txt', text: secret }
    const payload = JSON.stringify({ args, originalArgs: { path: 'b.txt' } })
    const parts = await setUp({ payload })
    const which = { turnId: 't1', callId: 'c1' }
    const why = await whyCall(parts, which)
    expect(why).toMatchObject({
      args: { path: 'a.txt', text: '[redacted]' },
      originalArgs: { path: 'b.txt' },
      argsHash: createHash('sha256').update(JSON.stringify(args)).digest('hex'),
    })
    const gone = await whyCall(await setUp({ payload: null }), which)
    expect(gone).toMatchObject({ args: undefined, argsHash: undefined })
    const locked = await whyCall(await setUp({ payload: 'hk1:x' }), which)
    expect(locked).toMatchObject({ args: undefined, tool: 'write' })
  })

  test('who decided is a hook, a person, policy, a check, or nobody', async () => {
    const denied = { status: 'denied', error: 'denied', approved_by: null }
    const which = { turnId: 't1', callId: 'c1' }
    const decide = async (
      differs: Record<string, SqlValue>,
      state?: string,
    ) => {
      const parts = await setUp(differs)
      const about = { session_id: 's1', turn_id: 't1', call_id: 'c1' }
      const said = { state, decided_by: 'user:bob', reason: 'Not now.' }
      if (state !== undefined) {
        const row = approval('a1', { ...about, ...said } as Row)
        await fill(parts.database, 'approvals', [row])
      }
      const content = { ended: { result: { content: [{ text: 'No such.' }] } } }
      const row = { session_id: 's1', seq: 1, at: 0, type: 'call-end' }
      const end = JSON.stringify({ call: 'c1', content })
      await fill(parts.database, 'journal', [
        { ...row, turn_id: 't1', about: end },
      ])
      return (await whyCall(parts, which))?.decidedBy
    }
    const words = (kind: string, name?: string, reason?: string) => ({
      kind,
      name,
      reason,
    })
    expect(await decide({ approved_by: null })).toEqual(words('policy'))
    expect(await decide({ status: null })).toBeUndefined()
    expect(await decide({}, 'used')).toEqual(
      words('person', 'user:ann', 'Not now.'),
    )
    // The approval is gone before the call is.
    expect(await decide({})).toEqual(words('person', 'user:ann'))
    const byOldHook = { approved_by: 'stand-in' }
    expect(await decide(byOldHook, 'edited')).toEqual(words('hook', 'stand-in'))
    // A person has changed the call, and a hook agreed to what came of that.
    const byHook = { approver: 'hook', approved_by: 'stand-in' }
    expect(await decide(byHook, 'edited')).toEqual(words('hook', 'stand-in'))
    expect(await decide({ approver: 'person' })).toEqual(
      words('person', 'user:ann'),
    )
    const policy = { ...denied, decider: 'policy' }
    expect(await decide(policy)).toEqual(words('policy', undefined, 'No such.'))
    expect(
      await decide({ ...denied, error: 'dispatch', decider: 'check' }),
    ).toEqual(words('check', undefined, 'No such.'))
    const person = { ...denied, decider: 'person', decided_by: 'user:bob' }
    expect(await decide(person, 'denied')).toEqual(
      words('person', 'user:bob', 'Not now.'),
    )
    expect(await decide({ ...denied, decider: 'nobody' }, 'expired')).toEqual(
      words('nobody', undefined, 'Not now.'),
    )
    expect(await decide(denied)).toBeUndefined()
  })

  test('a call that was denied says by whom, and in which words if they are kept', async () => {
    const parts = await setUp({
      status: 'denied',
      error: 'denied',
      decider: 'hook',
      decided_by: 'no',
      seal: null,
      approved_by: null,
    })
    const records = createRunRecords(parts)
    const about = { dispatch: 'd1', hook: 'no', startedAt: 1_000 }
    const no = { answer: 'reject', reason: 'No.', decided: true } as const
    records.start(started({ ...about, input }))
    records.end(ended({ ...about, ...no }))
    await records.flush()
    const which = { turnId: 't1', callId: 'c1' }
    const why = await whyCall(parts, which)
    expect(why).toMatchObject({ status: 'denied', error: 'denied' })
    expect(why?.decidedBy).toEqual({ kind: 'hook', name: 'no' })
    expect(why?.verdicts).toMatchObject([
      { hook: 'no', answer: 'reject', reason: undefined, decided: true },
    ])
    const keeping = createRunRecords(parts, { content: 'redacted' })
    const later = { ...about, dispatch: 'd2', startedAt: 2_000 }
    keeping.start(started({ ...later, input }))
    keeping.end(ended({ ...later, ...no }))
    await keeping.flush()
    const kept = await whyCall(parts, which)
    expect(kept?.decidedBy).toMatchObject({ name: 'no', reason: 'No.' })
    expect(kept?.verdicts[1]).toMatchObject({ answer: 'reject', reason: 'No.' })
  })

  test('when the runs are gone, or never were kept, the call itself says who judged it', async () => {
    const verdict = { point: 'tool.guard', answer: 'proceed', latencyMs: 2 }
    const verdicts = [
      { ...verdict, hook: 'gone', startedAt: 900.25 },
      { ...verdict, hook: 'kept', startedAt: 1_000.75 },
    ]
    const parts = await setUp({ verdicts: JSON.stringify(verdicts) })
    const records = createRunRecords(parts)
    const about = { dispatch: 'd1', hook: 'kept', startedAt: 1_000.75 }
    records.start(started({ ...about, input }))
    records.end(ended(about))
    await records.flush()
    const why = await whyCall(parts, { turnId: 't1', callId: 'c1' })
    expect(why?.verdicts).toMatchObject([
      { hook: 'gone', state: undefined, answer: 'proceed', startedAt: 900 },
      { hook: 'kept', state: 'completed', answer: 'proceed' },
    ])
  })

  test('calls of two sessions that have the same ids are told apart', async () => {
    const parts = await setUp()
    const other = { session_id: 's2', tool: 'other', started_at: 5_000 }
    await fill(parts.database, 'calls', [{ ...call, ...other }])
    const which = { turnId: 't1', callId: 'c1' }
    const first = await whyCall(parts, { ...which, sessionId: 's1' })
    expect(first).toMatchObject({ sessionId: 's1', tool: 'write' })
    const newest = await whyCall(parts, which)
    expect(newest).toMatchObject({ sessionId: 's2', tool: 'other' })
  })

  test('there is no answer for a call that never was', async () => {
    const parts = await setUp()
    expect(await whyCall(parts, { turnId: 't1', callId: 'c9' })).toBeUndefined()
  })
})
