import { expect, test } from 'vitest'
import { forEachDatabase } from '../fixtures/databases.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { ended } from '../runs/fixtures/make-runs.ts'
import { readRows } from '../runs/fixtures/read-rows.ts'
import { shareDatabase } from '../runs/fixtures/share-database.ts'
import { createRunRecords } from '../runs/run-records.ts'
import { deleteSession } from '../sessions/delete-session.ts'
import { infoOf, said, turnStart } from '../sessions/fixtures/entries.ts'
import { openProcess } from '../sessions/fixtures/open-process.ts'
import { getSession } from '../sessions/list-sessions.ts'
import { createRetention } from './create-retention.ts'

const day = 86_400_000

forEachDatabase((kit) => {
  const open = shareDatabase(kit)

  test('a session whose payloads were removed says so; an open one goes on', async () => {
    const database = await open()
    await kit.setNow(database, day)
    const { parts, store } = await openProcess(database, 'w1')
    const messages = [said('hello')]
    for (const id of ['over', 'open']) {
      await store.create(infoOf(id))
      const commit = { type: 'step-commit', turnId: 't1', messages } as const
      await store.append(id, [turnStart('t1', 1), commit])
    }
    await store.append('over', [{ type: 'session-end', reason: 'closed' }])
    await kit.setNow(database, 100 * day)
    const rules = {
      payloads: { maxAgeMs: day },
      sessions: { maxAgeMs: 200 * day },
    }
    const retention = createRetention(parts, rules)
    await retention.run()
    const other = await openProcess(database, 'w2')
    await expect(other.store.load('over')).rejects.toMatchObject({
      code: 'session-ended',
    })
    expect((await other.store.load('open'))?.messages).toEqual(messages)
    await kit.setNow(database, 300 * day)
    await retention.run()
    expect(await other.store.load('over')).toBeUndefined()
    await Promise.all([store.drain(), other.store.drain()])
  })

  test('what a session is called goes with the words that it was made of', async () => {
    const database = await open()
    await kit.setNow(database, day)
    const options = { store: { content: 'redacted' as const } }
    const { parts, store } = await openProcess(database, 'w1', options)
    const text = 'Find out what Ann earns.'
    const content = [{ type: 'text' as const, text }]
    for (const id of ['over', 'open', 'deleted']) {
      await store.create(infoOf(id))
      await store.append(id, [{ ...turnStart('t1', 1), content }])
    }
    await store.append('over', [{ type: 'session-end', reason: 'closed' }])
    const titleOf = async (id: string) => (await getSession(parts, id))?.title
    expect(await titleOf('over')).toBe(text)
    await kit.setNow(database, 100 * day)
    const retention = createRetention(parts, { payloads: { maxAgeMs: day } })
    await retention.run()
    expect(await titleOf('over')).toBeNull()
    expect(await titleOf('open')).toBe(text)
    // It is removed once, and found by nobody again.
    expect(await retention.run()).toEqual({})
    await deleteSession(parts, 'deleted')
    await deleteSession(parts, 'open')
    const sql = 'SELECT * FROM sessions'
    expect(JSON.stringify(await readRows(database, sql))).not.toContain('Ann')
    await store.drain()
  })

  test('whoever is in a hurry is not held up while much is removed', async () => {
    const database = await open()
    const parts = makeParts(database)
    const records = createRunRecords(parts)
    for (let at = 0; at < 6_000; at++) {
      records.end(ended({ dispatch: `d${at}`, startedAt: 1 }))
    }
    await records.flush()
    const done: string[] = []
    const removing = createRetention(parts, { runs: { maxAgeMs: 0 } })
      .run()
      .then(() => done.push('removed'))
    for (const key of ['a', 'b', 'c']) {
      const sql = 'INSERT INTO meta (key, value) VALUES (?, ?)'
      const statements = [{ sql, values: [key, ''] }]
      await database.write({ name: 'test.gate', statements })
      done.push(key)
    }
    await removing
    expect(done).toEqual(['a', 'b', 'c', 'removed'])
  })
})
