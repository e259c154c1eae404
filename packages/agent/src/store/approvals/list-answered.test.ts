import { beforeAll, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { ann, benchOn, bob } from './fixtures/approval-bench.ts'

forEachDatabase((kit) => {
  let database: Database
  beforeAll(async () => {
    database = await kit.open()
  })

  test('what was answered is the history, the newest first, in pages', async () => {
    const bench = benchOn(database)
    const { sessionId = '' } = bench.scope
    const replies = [
      { type: 'allow' },
      { type: 'deny', reason: 'No.' },
      { type: 'edit', args: { command: 'ls' } },
    ] as const
    const ids: string[] = []
    for (const reply of replies) {
      const question = bench.question()
      await bench.ask(question)
      await bench.answer(question.id, reply)
      ids.unshift(question.id)
    }
    const open = bench.question()
    await bench.ask(open)
    const first = await bench.approvals.answered({ sessionId, limit: 2 })
    const after = first.next ?? ''
    const second = await bench.approvals.answered({ sessionId, after })
    const items = [...first.items, ...second.items]
    expect(items.map(({ state }) => state).sort()).toEqual([
      'approved',
      'denied',
      'edited',
    ])
    expect(new Set(items.map(({ id }) => id))).toEqual(new Set(ids))
    const times = items.map(({ askedAt }) => askedAt)
    expect(times).toEqual(times.toSorted((one, other) => other - one))
    expect(second.next).toBeUndefined()
    const all = await bench.approvals.answered()
    expect(all.items.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    expect(bench.alarms).toEqual([])
  })

  test('what somebody has changed behind our back is no history', async () => {
    const bench = benchOn(database, { key: 'a key for tests only' })
    const { sessionId = '' } = bench.scope
    const question = bench.question()
    const { answered } = await bench.ask(question)
    await bench.answer(question.id, { type: 'deny' })
    // Whoever waits has read it as it was.
    await answered
    const change = 'UPDATE approvals SET decided_by = ? WHERE id = ?'
    await bench.tamper(change, 'user:eve', question.id)
    const { items } = await bench.approvals.answered({ sessionId })
    expect(items).toEqual([])
    expect(bench.alarms).toMatchObject([{ type: 'tampered', id: question.id }])
  })

  test('those that wait are counted, and what has expired does not wait', async () => {
    const bench = benchOn(database, { expiresMs: 60_000 })
    const { sessionId = '' } = bench.scope
    for (const question of [bench.question(), bench.question()]) {
      await bench.ask(question)
    }
    expect(await bench.approvals.count(sessionId)).toBe(2)
    expect(await bench.approvals.count()).toBeGreaterThanOrEqual(2)
    await kit.setNow(database, Date.now() + 120_000)
    expect(await bench.approvals.count(sessionId)).toBe(0)
    const { items } = await bench.approvals.answered({ sessionId })
    expect(items.map(({ state }) => state)).toEqual(['expired', 'expired'])
    await bench.approvals.close()
  })

  test('whoever may not agree is told before they try', async () => {
    const bench = benchOn(database, {
      mayApprove: ({ id }) => id !== 'bob',
    })
    const actor = { kind: 'user', id: ann.id } as const
    const scope = { ...bench.scope, actor }
    const question = bench.question({ scope })
    await bench.ask(question, scope)
    const approval = await bench.approvals.get(question.id)
    if (approval === undefined) throw new Error('It is gone.')
    const cid = { kind: 'user', id: 'cid' } as const
    expect(await bench.approvals.refusal(approval, ann)).toBe('own-question')
    expect(await bench.approvals.refusal(approval, bob)).toBe('no-right')
    expect(await bench.approvals.refusal(approval, cid)).toBeUndefined()
  })

  test.each([{ after: 'x' }, { limit: 0 }, { limit: 201 }])(
    'a page of %j is refused',
    async (options) => {
      const bench = benchOn(database)
      await expect(bench.approvals.answered(options)).rejects.toMatchObject({
        code: 'invalid-options',
      })
    },
  )
})
