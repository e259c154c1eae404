import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { ContentLevel } from '../content/content-level.ts'
import { createRedactor } from '../content/create-redactor.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { infoOf, turnStart } from './fixtures/entries.ts'
import { emptied, openProcess, rowsOf } from './fixtures/open-process.ts'
import { titleContract } from './fixtures/title-contract.ts'
import { getSession } from './list-sessions.ts'

const started = Date.UTC(2030, 0, 1)
const info = infoOf('one')
const elsewhere = { name: 'AgentError', code: 'session-elsewhere' }

forEachDatabase((kit) => {
  let database: Database
  beforeAll(async () => {
    database = await kit.open()
  })
  beforeEach(async () => {
    await emptied(database)
    await kit.setNow(database, started)
  })

  const openAt = (content: ContentLevel, worker = 'w1') => {
    const redactor = createRedactor({ secrets: ['hunter2-hunter2'] })
    return openProcess(database, worker, { store: { content }, redactor })
  }

  titleContract(async () => {
    await emptied(database)
    return (await openAt('redacted')).store
  })

  test('a title is without secrets, also those that letters nobody sees are in', async () => {
    const { store, parts } = await openAt('full')
    await store.create(info)
    for (const secret of ['hunter2-hunter2', 'hunter2\u200b-\u2060hunter2']) {
      const title = (await store.title('one', `It is ${secret}!`)) ?? ''
      expect(title).toMatch(/^It is \S*redacted\S*!$/u)
      expect((await getSession(parts, 'one'))?.title).toBe(title)
    }
    // Its end would be cut off, and its beginning not known for a secret.
    const long = `${'x'.repeat(92)} hunter2-hunter2`
    expect(await store.title('one', long)).not.toContain('hunter2')
    expect(JSON.stringify(await rowsOf(database, 'sessions'))).not.toContain(
      'hunter2',
    )
  })

  test.each(['none', 'metadata'] as const)(
    'where content is not kept (%s), no title is',
    async (content) => {
      const { store, parts } = await openAt(content)
      expect(store.keepsTitles).toBe(false)
      await store.create(info)
      expect(await store.title('one', 'The build')).toBeNull()
      expect((await getSession(parts, 'one'))?.title).toBeNull()
    },
  )

  test('T51 F165 whoever lost a session calls it nothing', async () => {
    const first = await openAt('redacted')
    const second = await openAt('redacted', 'w2')
    await first.store.create(info)
    await expect(second.store.title('one', 'Mine')).rejects.toMatchObject(
      elsewhere,
    )
    await kit.advance(database, 15_000)
    await second.lease.renew()
    await second.store.load('one')
    await second.store.title('one', 'Of the second')
    await expect(first.store.title('one', 'Late')).rejects.toMatchObject(
      elsewhere,
    )
    expect((await getSession(first.parts, 'one'))?.title).toBe('Of the second')
  })

  test('the fence shuts it out, also when it does not know of it', async () => {
    const first = await openAt('redacted')
    await first.store.create(info)
    // As if another process had it since, and this one had not noticed.
    const sql = 'UPDATE sessions SET fence = fence + 1'
    await database.write({ name: 'test', statements: [{ sql, values: [] }] })
    await expect(first.store.title('one', 'Late')).rejects.toMatchObject(
      elsewhere,
    )
    expect((await getSession(first.parts, 'one'))?.title).toBeNull()
  })

  test('a session that is over is called nothing more', async () => {
    const { store } = await openAt('redacted')
    await store.create(info)
    await store.append('one', [{ type: 'session-end', reason: 'closed' }])
    await expect(store.title('one', 'Late')).rejects.toMatchObject(elsewhere)
  })

  test('a title moves no session in the list, and is beside what is written', async () => {
    const { store, parts } = await openAt('redacted')
    await store.create(info)
    const before = await getSession(parts, 'one')
    await kit.advance(database, 500)
    await Promise.all([
      store.title('one', 'The build'),
      store.append('one', [turnStart('t1', 1)]),
      store.title('one', 'The tests'),
      store.append('one', [turnStart('t2', 2)]),
    ])
    const after = await getSession(parts, 'one')
    expect(after).toMatchObject({ title: 'The tests', turns: 2 })
    await kit.advance(database, 500)
    await store.title('one', 'The end')
    expect((await getSession(parts, 'one'))?.updatedAt).toBe(after?.updatedAt)
    expect(before?.title).toBeNull()
  })
})
