import { countCodePoints } from 'hookline'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { ContentLevel } from '../content/content-level.ts'
import { createRedactor } from '../content/create-redactor.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { infoOf, turnEnd, turnStart } from './fixtures/entries.ts'
import {
  emptied,
  openProcess,
  type TestProcess,
} from './fixtures/open-process.ts'
import {
  getSession,
  getTurn,
  listSessions,
  listTurns,
} from './list-sessions.ts'

const started = Date.UTC(2030, 0, 1)

forEachDatabase((kit) => {
  let database: Database
  let process: TestProcess
  beforeAll(async () => {
    database = await kit.open()
  })
  beforeEach(async () => {
    await emptied(database)
    await kit.setNow(database, started)
    process = await openProcess(database, 'w1')
  })

  async function create(id: string, agent = 'main') {
    await process.store.create({ ...infoOf(id), agent })
  }

  const idsOf = (page: { items: readonly { id: string }[] }) =>
    page.items.map(({ id }) => id)

  test('a session is shown with what it is doing', async () => {
    await create('one')
    await kit.advance(database, 500)
    await process.store.append('one', [turnStart('t', 1)])
    const session = {
      id: 'one',
      agent: 'main',
      cwd: '/work',
      title: null,
      createdAt: 7,
      updatedAt: started + 500,
      turns: 1,
      endReason: null,
      worker: 'w1',
      parentId: null,
      openTurn: 't',
      isAsking: false,
    }
    expect(await getSession(process.parts, 'one')).toEqual(session)
    expect(await listSessions(process.parts)).toEqual({ items: [session] })
    expect(await getSession(process.parts, 'two')).toBeUndefined()
  })

  test('a session is about the first words that were said in it', async () => {
    const start = (turn: number, text?: string) => ({
      ...turnStart(`t${turn}`, turn),
      ...(text !== undefined && { content: [{ type: 'text' as const, text }] }),
    })
    const titleAt = async (content: ContentLevel, id: string) => {
      const redactor = createRedactor({ secrets: ['hunter2-hunter2'] })
      const options = { store: { content }, redactor }
      const keeper = await openProcess(database, `w ${id}`, options)
      await keeper.store.create(infoOf(id))
      // The gates let nothing in.
      await keeper.store.append(id, [start(1)])
      const long = 'and so on '.repeat(500)
      const first = ` Fix\n the build;\u{1f375} hunter2-hunter2 ${long}`
      await keeper.store.append(id, [start(2, first)])
      await keeper.store.append(id, [start(3, 'Something else.')])
      return (await getSession(keeper.parts, id))?.title
    }
    const title = (await titleAt('redacted', 'one')) ?? ''
    expect(title).toMatch(
      /^Fix the build;\u{1f375} \S*redacted\S* and so on .*…$/u,
    )
    expect(countCodePoints(title)).toBe(101)
    expect(await titleAt('metadata', 'two')).toBeNull()
    expect(await titleAt('none', 'three')).toBeNull()
  })

  test('nobody has a session whose process is gone', async () => {
    await create('one')
    await kit.advance(database, 15_001)
    const session = await getSession(process.parts, 'one')
    expect(session?.worker).toBeNull()
  })

  test('sessions come in pages, the last changed first', async () => {
    for (const id of ['a', 'b', 'c', 'd:e', 'f']) {
      await create(id)
      if (id !== 'c') await kit.advance(database, 1)
    }
    await process.store.append('a', [turnStart('t', 1)])
    const pages: string[][] = []
    let after: string | undefined
    do {
      const options = { limit: 2, ...(after !== undefined && { after }) }
      const page = await listSessions(process.parts, options)
      pages.push(idsOf(page))
      after = page.next
    } while (after !== undefined)
    expect(pages).toEqual([
      ['f', 'a'].toSorted(byTime(pages)),
      ['d:e', 'c'],
      ['b'],
    ])
  })

  /** Those of one moment are in the order of their ids, whichever that is. */
  function byTime(pages: readonly string[][]) {
    const first = pages[0] ?? []
    return (one: string, other: string) =>
      first.indexOf(one) - first.indexOf(other)
  }

  test('those of one agent alone', async () => {
    await create('a')
    await create('b', 'other')
    await create('c')
    const ours = await listSessions(process.parts, { agent: 'main', limit: 1 })
    expect(ours.items).toHaveLength(1)
    const rest = await listSessions(process.parts, {
      agent: 'main',
      after: ours.next ?? '',
    })
    expect([...idsOf(ours), ...idsOf(rest)].sort()).toEqual(['a', 'c'])
  })

  test('those that are wanted alone, and where to look on', async () => {
    for (const id of ['a', 'b', 'c', 'd']) {
      await create(id)
      await kit.advance(database, 1)
    }
    await process.store.append('b', [turnStart('t', 1)])
    await process.store.append('c', [turnStart('t', 1), turnEnd('t')])
    const isWanted = ({ id }: { id: string }) => id !== 'c'
    const first = await listSessions(process.parts, { isWanted, limit: 2 })
    expect(first.items).toHaveLength(2)
    const after = first.next ?? ''
    const second = await listSessions(process.parts, { isWanted, after })
    const all = [...first.items, ...second.items]
    expect(all.map(({ id }) => id).sort()).toEqual(['a', 'b', 'd'])
    expect(second.next).toBeUndefined()
    expect(all.find(({ id }) => id === 'b')?.openTurn).toBe('t')
    expect((await getSession(process.parts, 'c'))?.openTurn).toBeNull()
    const none = { isWanted: () => false }
    expect(await listSessions(process.parts, none)).toEqual({ items: [] })
  })

  test('turns of a session come in pages, the newest first', async () => {
    await create('one')
    for (let turn = 1; turn <= 5; turn++) {
      await process.store.append('one', [turnStart(`t${turn}`, turn)])
    }
    await process.store.append('one', [turnEnd('t5')])
    const first = await listTurns(process.parts, 'one', { limit: 3 })
    expect(idsOf(first)).toEqual(['t5', 't4', 't3'])
    const after = first.next ?? ''
    const second = await listTurns(process.parts, 'one', { limit: 3, after })
    expect(idsOf(second)).toEqual(['t2', 't1'])
    expect(second.next).toBeUndefined()
    expect(await listTurns(process.parts, 'two')).toEqual({ items: [] })
  })

  test('a turn is shown with what it came to', async () => {
    await create('one')
    const start = { ...turnStart('t', 1), inputId: 'm1' }
    await process.store.append('one', [start, turnEnd('t', 'm1')])
    expect(await getTurn(process.parts, 'one', 't')).toEqual({
      id: 't',
      sessionId: 'one',
      number: 1,
      agent: 'main',
      model: 'script/one',
      inputId: 'm1',
      status: 'succeeded',
      startedAt: started,
      endedAt: started,
      elapsedMs: 12.5,
      steps: 2,
      toolCount: 3,
      inputTokens: 10,
      outputTokens: 20,
      error: null,
    })
    expect(await getTurn(process.parts, 'two', 't')).toBeUndefined()
  })

  test.each([
    { limit: 0 },
    { limit: 1_001 },
    { limit: 1.5 },
    { after: 'x' },
    { after: '' },
  ])('T54 %j is refused', async (options) => {
    const error = { code: 'invalid-options' }
    await expect(listSessions(process.parts, options)).rejects.toMatchObject(
      error,
    )
    await expect(listTurns(process.parts, 'a', options)).rejects.toMatchObject(
      error,
    )
  })

  test('looking through sessions uses an index', async () => {
    const plan = kit.name === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
    const sql = `${plan} SELECT id FROM sessions WHERE agent = 'a'
      AND (updated_at, id) < (5, 'x') ORDER BY updated_at DESC, id DESC LIMIT 5`
    const rows = await database.read({ sql, values: [] })
    expect(JSON.stringify(rows)).toContain('sessions_by_agent')
  })
})
