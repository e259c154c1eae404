import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import {
  ann,
  approvalOf,
  type Bench,
  benchOn,
  bob,
  type Reply,
} from './fixtures/approval-bench.ts'
import { hashShown, type Principal } from './index.ts'

async function openQuestion(bench: Bench) {
  const question = bench.question()
  const { answered } = await bench.ask(question)
  return { id: question.id, seal: question.call.seal, answered }
}

const allow: Reply = { type: 'allow' }
const deny: Reply = { type: 'deny', reason: 'no' }

forEachDatabase((kit) => {
  let database: Database
  let other: Database
  beforeAll(async () => {
    database = await kit.open()
    other = await kit.reopen(database)
  })

  describe('two answers', () => {
    test.each([
      ['allow', allow],
      ['deny', deny],
      ['edit', { type: 'edit', args: { b: 1, a: [2] } } as const],
    ])(
      'F177 the same %s twice is one, and says where it stands',
      async (_, reply) => {
        const bench = benchOn(database)
        const { id } = await openQuestion(bench)
        const first = await bench.answer(id, reply)
        const second = await bench.answer(id, reply)
        expect([first.type, second.type]).toEqual(['accepted', 'repeated'])
        const { decidedAt: _at, ...stands } = await approvalOf(bench, id)
        expect(second).toMatchObject({ approval: stands })
      },
    )

    test('F177 the same answer again is told the same after the call has run', async () => {
      const bench = benchOn(database)
      const { id, seal } = await openQuestion(bench)
      await bench.answer(id, allow)
      await bench.approvals.consume(id, seal)
      const again = await bench.answer(id, allow)
      expect(again).toMatchObject({
        type: 'repeated',
        approval: { state: 'used' },
      })
    })

    test.each([
      ['by another person', allow, bob],
      ['of another kind', deny, ann],
      ['that lasts longer', { type: 'allow', lasts: 'always' }, ann],
    ] as const)(
      'F178 an answer %s is lost, and told which one stands',
      async (_, reply, by) => {
        const bench = benchOn(database)
        const { id, answered } = await openQuestion(bench)
        await bench.answer(id, allow)
        expect(await bench.answer(id, reply, by)).toMatchObject({
          type: 'lost',
          approval: { state: 'approved', decidedBy: 'user:ann' },
        })
        expect((await answered).decision).toEqual({ type: 'allow' })
      },
    )

    test('F178 of a yes and a no at the same time, from two machines, one wins', async () => {
      for (let round = 0; round < 20; round++) {
        const [here, there] = [benchOn(database), benchOn(other)]
        const { id, answered } = await openQuestion(here)
        const outcomes = await Promise.all([
          here.answer(id, allow, ann),
          there.answer(id, deny, bob),
        ])
        const types = outcomes.map(({ type }) => type)
        expect(types.toSorted()).toEqual(['accepted', 'lost'])
        await here.clock.advance(1_000)
        const won = types[0] === 'accepted' ? 'allow' : 'deny'
        expect((await answered).decision.type).toBe(won)
      }
    })
  })

  describe('what was shown', () => {
    test('T47 the hash is over what is shown and what will run', async () => {
      const bench = benchOn(database)
      const { id, seal } = await openQuestion(bench)
      const { shown, shownHash } = await approvalOf(bench, id)
      expect(shownHash).toBe(hashShown(shown, seal))
      expect(shownHash).not.toBe(hashShown(`${shown} `, seal))
      expect(shownHash).not.toBe(hashShown(shown, `${seal}0`))
    })

    test('T47 an answer to something else is refused, and changes nothing', async () => {
      const bench = benchOn(database)
      const { id } = await openQuestion(bench)
      const another = await openQuestion(bench)
      const { shownHash } = await approvalOf(bench, another.id)
      for (const wrong of [shownHash, '', 'x']) {
        const outcome = await bench.answer(id, { ...allow, shownHash: wrong })
        expect(outcome).toEqual({ type: 'refused', code: 'other-shown' })
      }
      expect((await approvalOf(bench, id)).state).toBe('pending')
    })

    test('T47 no approval is used for another call than the one that was shown', async () => {
      const bench = benchOn(database)
      const { id, seal } = await openQuestion(bench)
      await bench.answer(id, allow)
      const { seal: wrong } = bench.question({ args: { command: 'rm' } }).call
      for (const use of ['verify', 'consume'] as const) {
        expect(await bench.approvals[use](id, wrong)).toEqual({
          type: 'invalid',
          problem: 'other-call',
        })
      }
      expect(await bench.approvals.consume(id, seal)).toMatchObject({
        type: 'valid',
        approval: { id },
      })
    })
  })

  describe('who may answer', () => {
    test('T26 an agent answers no question, its own or another', async () => {
      const bench = benchOn(database, { mayAnswerOwn: true })
      const { id } = await openQuestion(bench)
      for (const name of ['main', 'other']) {
        const agent: Principal = { kind: 'agent', id: name }
        for (const reply of [allow, deny]) {
          const outcome = await bench.answer(id, reply, agent)
          expect(outcome).toEqual({ type: 'refused', code: 'own-question' })
        }
      }
      expect((await approvalOf(bench, id)).state).toBe('pending')
    })

    test('T26 nobody agrees to what runs on their own behalf; they can say no', async () => {
      const bench = benchOn(database)
      const scope = {
        ...bench.scope,
        actor: { kind: 'user', id: 'ann' },
      } as const
      const question = bench.question()
      await bench.ask(question, scope)
      const { id } = question
      expect(await approvalOf(bench, id)).toMatchObject({
        requestedBy: ['user:ann'],
      })
      const outcome = await bench.answer(id, allow, ann)
      expect(outcome).toEqual({ type: 'refused', code: 'own-question' })
      expect((await bench.answer(id, deny, ann)).type).toBe('accepted')
    })

    test('T26 nor does anybody who had a say in the turn', async () => {
      const bench = benchOn(database)
      const besides = [{ kind: 'user', id: 'ann' }] as const
      const actor = { kind: 'system', id: 'wakes', besides } as const
      const question = bench.question()
      await bench.ask(question, { ...bench.scope, actor })
      const { id } = question
      expect(await approvalOf(bench, id)).toMatchObject({
        requestedBy: ['system:wakes', 'user:ann'],
      })
      const outcome = await bench.answer(id, allow, ann)
      expect(outcome).toEqual({ type: 'refused', code: 'own-question' })
      expect((await bench.answer(id, allow, bob)).type).toBe('accepted')
    })

    test('a program with one user can let them agree', async () => {
      const bench = benchOn(database, { mayAnswerOwn: true })
      const scope = {
        ...bench.scope,
        actor: { kind: 'user', id: 'ann' },
      } as const
      const question = bench.question()
      await bench.ask(question, scope)
      const outcome = await bench.answer(question.id, allow, ann)
      expect(outcome.type).toBe('accepted')
    })

    test('T48 whoever has no right to this answer is refused, and changes nothing', async () => {
      const asked: string[] = []
      const bench = benchOn(database, {
        async mayApprove(principal, approval, answer) {
          asked.push(`${principal.id} ${approval.tool} ${answer.type}`)
          return principal.id === 'bob' && answer.lasts !== 'always'
        },
      })
      const { id } = await openQuestion(bench)
      const refused = { type: 'refused', code: 'no-right' }
      expect(await bench.answer(id, allow, ann)).toEqual(refused)
      const always: Reply = { type: 'allow', lasts: 'always' }
      expect(await bench.answer(id, always, bob)).toEqual(refused)
      expect((await approvalOf(bench, id)).state).toBe('pending')
      expect((await bench.answer(id, allow, bob)).type).toBe('accepted')
      expect(asked).toEqual([
        'ann bash allow',
        'bob bash allow',
        'bob bash allow',
      ])
    })

    test('a right that cannot be looked up is none', async () => {
      const bench = benchOn(database, {
        mayApprove: () => Promise.reject(new Error('offline')),
      })
      const { id } = await openQuestion(bench)
      await expect(bench.answer(id, allow)).rejects.toThrow('offline')
      expect((await approvalOf(bench, id)).state).toBe('pending')
    })
  })

  test('F189 to read, as often as one likes, answers nothing', async () => {
    const bench = benchOn(database)
    const { id, seal } = await openQuestion(bench)
    const { sessionId = '' } = bench.scope
    for (let round = 0; round < 3; round++) {
      await bench.approvals.get(id)
      await bench.approvals.args(id)
      await bench.approvals.pending({ sessionId })
      await bench.approvals.verify(id, seal)
    }
    expect(await approvalOf(bench, id)).toMatchObject({
      state: 'pending',
      votes: 0,
    })
  })

  test('an approval that nobody knows is unknown', async () => {
    const bench = benchOn(database)
    expect(await bench.answer('nowhere', allow)).toEqual({ type: 'unknown' })
    expect(await bench.approvals.verify('nowhere', '')).toEqual({
      type: 'invalid',
      problem: 'unknown',
    })
  })

  describe('two people', () => {
    const approvers = () => 2 as const

    test('only the second decides', async () => {
      const bench = benchOn(database, { approvers })
      const { id, seal, answered } = await openQuestion(bench)
      expect(await bench.answer(id, allow, ann)).toMatchObject({
        type: 'counted',
        approval: { state: 'pending', votes: 1 },
      })
      const early = await bench.approvals.consume(id, seal)
      expect(early).toEqual({ type: 'invalid', problem: 'not-approved' })
      expect(await bench.answer(id, allow, bob)).toMatchObject({
        type: 'accepted',
        approval: { votes: 2, decidedBy: 'user:ann and user:bob' },
      })
      expect((await answered).by).toBe('user:ann and user:bob')
    })

    test('T48 one person twice is one person', async () => {
      const bench = benchOn(database, { approvers })
      const { id } = await openQuestion(bench)
      await bench.answer(id, allow, ann)
      const again = await bench.answer(
        id,
        { type: 'allow', lasts: 'session' },
        ann,
      )
      expect(again.type).toBe('repeated')
      expect(await approvalOf(bench, id)).toMatchObject({
        state: 'pending',
        votes: 1,
      })
    })

    test('one no is enough, also from who had said yes', async () => {
      for (const by of [ann, bob]) {
        const bench = benchOn(database, { approvers })
        const { id, answered } = await openQuestion(bench)
        await bench.answer(id, allow, ann)
        expect((await bench.answer(id, deny, by)).type).toBe('accepted')
        expect((await answered).decision).toEqual(deny)
        expect((await bench.answer(id, allow, ann)).type).toBe('lost')
      }
    })

    test('T26 whoever it is done for is never one of the two', async () => {
      const bench = benchOn(database, { approvers, mayAnswerOwn: true })
      const scope = {
        ...bench.scope,
        actor: { kind: 'user', id: 'ann' },
      } as const
      const question = bench.question()
      await bench.ask(question, scope)
      const outcome = await bench.answer(question.id, allow, ann)
      expect(outcome).toEqual({ type: 'refused', code: 'own-question' })
    })

    test('at the same time, from two machines, they decide together', async () => {
      for (let round = 0; round < 20; round++) {
        const here = benchOn(database, { approvers })
        const there = benchOn(other, { approvers })
        const { id } = await openQuestion(here)
        const outcomes = await Promise.all([
          here.answer(id, allow, ann),
          there.answer(id, allow, bob),
        ])
        const types = outcomes.map(({ type }) => type)
        expect(types.toSorted()).toEqual(['accepted', 'counted'])
        expect(await approvalOf(here, id)).toMatchObject({
          state: 'approved',
          votes: 2,
        })
      }
    })
  })
})
