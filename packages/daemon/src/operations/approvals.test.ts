import type { Session } from '@hookline/agent'
import { ask as asks, defineHook, type Visibility } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { describe, expect, test, vi } from 'vitest'
import {
  admin,
  as,
  longMs,
  openWorld,
  type World,
} from './fixtures/open-world.ts'
import { ask } from './fixtures/strict-output.ts'

vi.setConfig({ testTimeout: longMs })

const soon = { timeout: longMs }
const bob = as('bob', 'run', 'approve')
const cid = as('cid', 'run', 'approve')
const ann = as('ann', 'run', 'approve')

/** What writes is asked about, and nobody agrees to their own. */
const asking = {
  policy: { mode: 'ask-writes' },
  daemon: { twoPersonRule: true },
}

/** Ann's turn waits for somebody to agree to its call. */
async function askFor(world: World, args = { command: 'make' }) {
  const { operations, openSession } = world
  const session = await openSession({ kind: 'user', id: 'ann' })
  const called = world.callTool(args, { session })
  const pending = await vi.waitUntil(async () => {
    const input = { sessionId: session.id }
    const { items } = await ask(operations, 'listApprovals', input, admin)
    return items[0]
  }, soon)
  return { session, called, pending }
}

async function auditOf({ operations }: World, session?: Session) {
  const about = session === undefined ? {} : { sessionId: session.id }
  const { items } = await ask(operations, 'listAudit', about, admin)
  return items
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  const setUp = () => openWorld({ engine, config: asking })

  test('T26 who asked for a call cannot agree to it, and that they tried is on record', async () => {
    const world = await setUp()
    const { operations, executed } = world
    const { called, pending, session } = await askFor(world)
    const { id: approvalId, shownHash } = pending
    const answer = { approvalId, shownHash, type: 'allow' } as const
    const own = await ask(operations, 'answerApproval', answer, ann)
    expect(own).toMatchObject({ type: 'refused', code: 'own-question' })
    expect(executed).toEqual([])
    const agreed = await ask(operations, 'answerApproval', answer, bob)
    expect(agreed).toMatchObject({
      type: 'accepted',
      approval: { state: 'approved', decidedBy: 'user:bob' },
    })
    expect(await called).toContain('it ran')
    expect(executed).toHaveLength(1)
    // Nobody who answers waits until it is told.
    const told = async () => (await world.workspace.store.events.read({})).items
    await expect.poll(told).toContainEqual(
      expect.objectContaining({
        name: 'approval-answered',
        sessionId: session.id,
        data: expect.objectContaining({ approvalId, by: 'user:bob' }),
      }),
    )
    const [tried] = (await auditOf(world)).filter(
      ({ kind }) => kind === 'approval.refused',
    )
    expect(tried).toMatchObject({
      actor: 'user:ann',
      body: { approvalId, refusal: 'own-question' },
    })
    const decided = (await auditOf(world, session)).filter(
      ({ kind }) => kind === 'approval.accepted',
    )
    expect(decided).toMatchObject([
      {
        actor: 'user:bob',
        body: { approvalId, answer: 'allow', requestedBy: ['user:ann'] },
      },
    ])
  })

  test('T47 an answer to something else than what is asked decides nothing', async () => {
    const world = await setUp()
    const { operations, executed } = world
    const { called, pending } = await askFor(world)
    const { id: approvalId, shownHash } = pending
    expect(pending.shown).toContain('make')
    const other = { approvalId, shownHash: 'other', type: 'allow' } as const
    const refused = await ask(operations, 'answerApproval', other, bob)
    expect(refused).toMatchObject({ type: 'refused', code: 'other-shown' })
    expect(executed).toEqual([])
    const deny = { approvalId, shownHash, type: 'deny', reason: 'No.' } as const
    await ask(operations, 'answerApproval', deny, bob)
    expect(await called).toContain('No.')
    expect(executed).toEqual([])
  })

  test('F177 T48 the first answer counts; the same again changes nothing, another is told so', async () => {
    const world = await setUp()
    const { operations, executed } = world
    const { called, pending } = await askFor(world)
    const { id: approvalId, shownHash } = pending
    const common = { approvalId, shownHash }
    const allow = { ...common, type: 'allow' } as const
    const answers = await Promise.all([
      ask(operations, 'answerApproval', allow, bob),
      ask(operations, 'answerApproval', { ...common, type: 'deny' }, cid),
    ])
    const types = answers.map(({ type }) => type).sort()
    expect(types).toEqual(['accepted', 'lost'])
    await called
    const [bobs] = answers
    const again = await ask(operations, 'answerApproval', allow, bob)
    const isBobs = bobs?.type === 'accepted'
    expect(again.type).toBe(isBobs ? 'repeated' : 'lost')
    expect(executed).toHaveLength(isBobs ? 1 : 0)
  })

  test('exact arguments are for those who may agree, and can be changed', async () => {
    const world = await setUp()
    const { operations, executed } = world
    const { called, pending, session } = await askFor(world)
    const { id: approvalId, shownHash } = pending
    const plain = await ask(operations, 'getApproval', { approvalId }, admin)
    expect(plain.args).toBeUndefined()
    const input = { approvalId, withArgs: true }
    const exact = await ask(operations, 'getApproval', input, bob)
    expect(exact.args).toEqual({ command: 'make' })
    const nobody = ask(operations, 'getApproval', input, as('eve', 'run'))
    await expect(nobody).rejects.toMatchObject({ code: 'not-allowed' })
    const edit = {
      ...{ approvalId, shownHash, type: 'edit' as const },
      args: { command: 'make test' },
    }
    await ask(operations, 'answerApproval', edit, bob)
    const next = await vi.waitUntil(async () => {
      const about = { sessionId: session.id }
      const { items } = await ask(operations, 'listApprovals', about, admin)
      return items.find(({ id }) => id !== approvalId)
    }, soon)
    expect(next.shown).toContain('make test')
    const { id, shownHash: hash } = next
    expect(next.requestedBy).toEqual(['user:ann', 'user:bob'])
    const allow = { approvalId: id, shownHash: hash, type: 'allow' } as const
    const own = await ask(operations, 'answerApproval', allow, bob)
    expect(own).toMatchObject({ type: 'refused', code: 'own-question' })
    await ask(operations, 'answerApproval', allow, cid)
    await called
    expect(executed).toEqual([{ command: 'make test' }])
  })

  test('a rule is listed, lets calls pass, and is revoked on record', async () => {
    const world = await setUp()
    const { operations, callTool } = world
    const { called, pending, session } = await askFor(world)
    const { id: approvalId, shownHash } = pending
    const lasts = { lasts: 'session', covers: 'tool' } as const
    const allow = { approvalId, shownHash, type: 'allow', ...lasts } as const
    await ask(operations, 'answerApproval', allow, bob)
    await called
    expect(await callTool({ command: 'again' }, { session })).toContain('ran')
    const { items } = await ask(operations, 'listRules', {}, admin)
    expect(items).toMatchObject([{ tool: 'probe', createdBy: 'user:bob' }])
    const ruleId = items[0]?.id ?? ''
    const first = await ask(operations, 'revokeRule', { ruleId }, bob)
    const second = await ask(operations, 'revokeRule', { ruleId }, bob)
    expect([first, second]).toEqual([{ wasThere: true }, { wasThere: false }])
    const revoked = (await auditOf(world)).filter(
      ({ kind }) => kind === 'rule.revoked',
    )
    expect(revoked).toMatchObject([{ actor: 'user:bob', body: { ruleId } }])
  })

  test('one approval tells what its tool takes, and who may not agree', async () => {
    const world = await setUp()
    const { operations } = world
    const { called, pending } = await askFor(world)
    const { id: approvalId, shownHash } = pending
    const input = { approvalId }
    const forBob = await ask(operations, 'getApproval', input, bob)
    expect(forBob.about).toMatchObject({
      description: 'Runs nothing.',
      safety: 'mutating',
      inputSchema: { type: 'object' },
    })
    expect(forBob.refusal).toBeUndefined()
    const forAnn = await ask(operations, 'getApproval', input, ann)
    expect(forAnn.refusal).toMatchObject({ code: 'own-question' })
    const eve = as('eve', 'run')
    const forEve = await ask(operations, 'getApproval', input, eve)
    expect(forEve.refusal).toMatchObject({ code: 'no-right' })
    const deny = { approvalId, shownHash, type: 'deny' } as const
    await ask(operations, 'answerApproval', deny, bob)
    await called
    const after = await ask(operations, 'getApproval', input, eve)
    expect(after).toMatchObject({ state: 'denied', decidedBy: 'user:bob' })
    expect(after.refusal).toBeUndefined()
  })

  test('what waits is counted, and what was answered is listed apart', async () => {
    const world = await setUp()
    const { operations } = world
    const { called, pending, session } = await askFor(world)
    const { id: approvalId, shownHash } = pending
    const about = { sessionId: session.id, withCount: true }
    const open = await ask(operations, 'listApprovals', about, admin)
    expect(open).toMatchObject({ count: 1, items: [{ id: approvalId }] })
    const history = { state: 'answered', sessionId: session.id } as const
    const none = await ask(operations, 'listApprovals', history, admin)
    expect(none).toEqual({ items: [] })
    const allow = { approvalId, shownHash, type: 'allow' } as const
    await ask(operations, 'answerApproval', allow, bob)
    await called
    const { items } = await ask(operations, 'listApprovals', history, admin)
    expect(items).toMatchObject([{ id: approvalId, decidedBy: 'user:bob' }])
    const now = await ask(operations, 'listApprovals', about, admin)
    expect(now).toEqual({ items: [], count: 0 })
  })

  test('what makes no sense as an answer is refused, and the question stays open', async () => {
    const world = await setUp()
    const { operations } = world
    const { called, pending } = await askFor(world)
    const { id: approvalId, shownHash } = pending
    const common = { approvalId, shownHash }
    const lasting = { ...common, type: 'deny', lasts: 'always' } as const
    const odd = ask(operations, 'answerApproval', lasting, bob)
    await expect(odd).rejects.toMatchObject({ code: 'bad-request' })
    const empty = { ...common, type: 'edit' } as const
    const edit = ask(operations, 'answerApproval', empty, bob)
    await expect(edit).rejects.toMatchObject({ code: 'bad-request' })
    const unknown = { ...common, approvalId: 'no', type: 'deny' } as const
    const none = ask(operations, 'answerApproval', unknown, bob)
    await expect(none).rejects.toMatchObject({ code: 'not-found' })
    const still = await ask(operations, 'getApproval', { approvalId }, admin)
    expect(still.state).toBe('pending')
    const deny = { ...common, type: 'deny' } as const
    await ask(operations, 'answerApproval', deny, ann)
    await called
  })
})

test('T26 where two have to agree, one of them is not enough, however often', async () => {
  const config = { ...asking, daemon: { approvers: 2 } }
  const world = await openWorld({ config })
  const { operations, executed } = world
  const { called, pending } = await askFor(world)
  const { id: approvalId, shownHash } = pending
  const allow = { approvalId, shownHash, type: 'allow' } as const
  const answerOf = async (who: typeof bob) =>
    (await ask(operations, 'answerApproval', allow, who)).type
  expect(await answerOf(ann)).toBe('refused')
  expect(await answerOf(bob)).toBe('counted')
  expect(await answerOf(bob)).toBe('repeated')
  expect(executed).toEqual([])
  expect(await answerOf(cid)).toBe('accepted')
  await called
  expect(executed).toHaveLength(1)
})

test('one person alone may agree to what they asked for, where the rule of two does not hold', async () => {
  const config = { ...asking, daemon: { twoPersonRule: false } }
  const world = await openWorld({ config })
  const { operations, executed } = world
  const { called, pending } = await askFor(world)
  const { id: approvalId, shownHash } = pending
  const allow = { approvalId, shownHash, type: 'allow' } as const
  const outcome = await ask(operations, 'answerApproval', allow, ann)
  expect(outcome).toMatchObject({
    type: 'accepted',
    approval: { requestedBy: ['user:ann'], decidedBy: 'user:ann' },
  })
  await called
  expect(executed).toHaveLength(1)
})

test('of a hook that somebody may not see they are told what it asks, and not its name', async () => {
  const asker = (name: string, visibility: Visibility) =>
    defineHook({
      name,
      on: toolGuard,
      visibility,
      run: () => asks(`May it, says the ${visibility} one?`),
    })
  const hooks = [asker('hidden', 'internal'), asker('seen', 'user_audit')]
  const world = await openWorld({ config: asking, hooks })
  const { operations } = world
  const { called, pending } = await askFor(world)
  const { id: approvalId, shownHash, shown } = pending
  const about = { approvalId, shownHash, type: 'deny' } as const
  const answered = async (who: typeof bob) => {
    const { approval } = await ask(operations, 'answerApproval', about, who)
    return [approval]
  }
  const told = async (who: typeof bob) => {
    const one = await ask(operations, 'getApproval', { approvalId }, who)
    const { items } = await ask(operations, 'listApprovals', {}, who)
    return [one, ...items]
  }
  const whole = [
    { by: 'policy', question: expect.any(String) },
    { by: 'hidden', question: 'May it, says the internal one?' },
    { by: 'seen', question: 'May it, says the user_audit one?' },
  ]
  const unseen = 'a hook that you may not see'
  const part = whole.map((one) =>
    one.by === 'hidden' ? { ...one, by: unseen } : one,
  )
  expect(await told(admin)).toMatchObject([
    { questions: whole },
    { questions: whole },
  ])
  expect(await told(bob)).toMatchObject([
    { questions: part, shown, shownHash },
    { questions: part, shown, shownHash },
  ])
  expect(await answered(bob)).toMatchObject([{ questions: part }])
  expect(shown).toContain('May it, says the internal one?')
  expect(shown).not.toContain('hidden')
  await called
})

test('of a hook that somebody may not see neither do texts tell them that were kept before 0.3.0', async () => {
  const asker = defineHook({
    name: 'hidden',
    on: toolGuard,
    visibility: 'internal',
    run: () => asks('May it?'),
  })
  const world = await openWorld({ config: asking, hooks: [asker] })
  const { operations, workspace } = world
  const { called, pending } = await askFor(world)
  const { id: approvalId, shownHash } = pending
  const allow = { approvalId, shownHash, type: 'allow' } as const
  await ask(operations, 'answerApproval', allow, bob)
  await called
  const old = (by: string) =>
    `asked: [\n  {\n    "by": "${by}",\n    "question": "May it?"\n  }\n]`
  // Of one that has been used nobody asks whether it is as it was signed.
  const sql = 'UPDATE approvals SET shown = ?'
  const statements = [{ sql, values: [old('hidden')] }]
  await workspace.store.parts.database.write({ name: 'test.age', statements })
  const told = async (who: typeof bob) => {
    const one = await ask(operations, 'getApproval', { approvalId }, who)
    const about = { state: 'answered' } as const
    const { items } = await ask(operations, 'listApprovals', about, who)
    return [one, ...items].map(({ shown }) => shown)
  }
  const part = old('a hook that you may not see')
  expect(await told(admin)).toEqual([old('hidden'), old('hidden')])
  expect(await told(bob)).toEqual([part, part])
})
