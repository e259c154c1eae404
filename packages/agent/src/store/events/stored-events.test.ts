import { randomBytes } from 'node:crypto'
import type { AgentEvent } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { forEachDatabase } from '../fixtures/databases.ts'
import { openKitStore } from '../fixtures/open-kit-store.ts'
import { createRetention } from '../retention/create-retention.ts'
import { deleteSession } from '../sessions/delete-session.ts'
import { exportSession } from '../sessions/export-session.ts'
import { namesOf, readOn, shareStores } from './fixtures/event-stores.ts'
import { textEvent } from './fixtures/text-event.ts'

const many = (sessionId: string, count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => textEvent(sessionId, from + at))

forEachDatabase((kit) => {
  const open = shareStores(kit)
  const openApart = openKitStore(kit)

  test('what is appended is read as it was, in its order', async () => {
    const { events } = await open()
    const after = await events.head()
    const told = [...many('s1', 3), ...many('s2', 2), textEvent('s1', 4)]
    await events.append(told)
    const { items, next } = await readOn(events, { after })
    expect(
      items.map((item) => (item.type === 'event' ? item.event : item)),
    ).toEqual(told)
    expect(next).toBe(await events.head())
    expect(items.at(-1)?.cursor).toBe(next)
    expect(await events.read({ after: next })).toEqual({
      items: [],
      next,
      isReset: false,
      hasMore: false,
    })
  })

  test('appends that overlap keep the order of the calls, however many', async () => {
    const { events } = await open()
    const after = await events.head()
    const calls = Array.from({ length: 50 }, (_, at) =>
      events.append(many('s1', 30, 1 + at * 30)),
    )
    await Promise.all([...calls, events.append([])])
    const { items } = await readOn(events, { after, limit: 1_000 })
    expect(namesOf(items)).toEqual(
      Array.from({ length: 1_500 }, (_, at) => `s1 ${at + 1}`),
    )
  })

  test('pages follow each other, and say whether there is more', async () => {
    const { events } = await open()
    const after = await events.head()
    await events.append(many('s1', 5))
    const first = await events.read({ after, limit: 2 })
    const second = await events.read({ after: first.next, limit: 3 })
    expect([first.hasMore, second.hasMore]).toEqual([true, false])
    expect(namesOf([...first.items, ...second.items])).toEqual(
      namesOf((await readOn(events, { after })).items),
    )
    for (const limit of [0, 1_001, 1.5, Number.NaN]) {
      const reading = events.read({ limit })
      await expect(reading).rejects.toMatchObject({ code: 'invalid-options' })
    }
  })

  test('a session is read for itself, and its cursor goes on with the others', async () => {
    const { events } = await open()
    const after = await events.head()
    await events.append([...many('s1', 2), ...many('s2', 3)])
    const page = await events.read({ sessionId: 's1', after, limit: 2 })
    expect(namesOf(page.items)).toEqual(['s1 1', 's1 2'])
    expect(page.next).toBe(await events.head())
    const part = await events.read({ sessionId: 's2', after, limit: 2 })
    expect(namesOf(part.items)).toEqual(['s2 1', 's2 2'])
    expect(part.hasMore).toBe(true)
    const rest = await events.read({ sessionId: 's2', after: part.next })
    expect(namesOf(rest.items)).toEqual(['s2 3'])
  })

  test('what is large comes in pages of its own', async () => {
    const { events } = await open()
    const after = await events.head()
    const large = 'x'.repeat(1_900_000)
    const told = [1, 2, 3, 4].map((seq) => textEvent('s1', seq, large))
    await events.append(told)
    const page = await events.read({ after })
    expect(namesOf(page.items)).toEqual(['s1 1', 's1 2', 's1 3'])
    expect(page.hasMore).toBe(true)
    const rest = await events.read({ after: page.next })
    expect(namesOf(rest.items)).toEqual(['s1 4'])
    expect(rest.hasMore).toBe(false)
  })

  test('what cannot be kept is not left out without a word', async () => {
    const { events } = await open()
    const after = await events.head()
    const endless: Record<string, unknown> = {}
    endless['self'] = endless
    const place = { sessionId: 's1', turnId: 't1', path: ['main'], seq: 2 }
    const call = { id: 'c', tool: 't', args: endless }
    // Nothing that a tool is called with is as odd; it must do no harm.
    const unfit = { type: 'tool-start', call, ...place } as unknown
    await events.append([
      textEvent('s1', 1, 'y'.repeat(4_000_001)),
      unfit as AgentEvent,
      textEvent('s1', 3),
    ])
    const { items } = await readOn(events, { after })
    expect(items).toMatchObject([
      {
        type: 'notice',
        name: 'event-too-large',
        sessionId: 's1',
        data: { type: 'text-delta', seq: 1 },
      },
      { type: 'notice', name: 'event-unfit', data: { seq: 2 } },
      { type: 'event', event: { seq: 3 } },
    ])
  })

  test('notices stand between the events, and have names', async () => {
    const { events } = await open()
    const after = await events.head()
    await events.notice('config.reloaded')
    await events.append([textEvent('s1', 1, 'odd \u0000 \ud800 \ue000')])
    await events.notice('alarm', { a: [1, null] }, { sessionId: 's1' })
    const { items } = await readOn(events, { after })
    const told = { cursor: expect.any(String), at: expect.any(Number) }
    expect(items).toEqual([
      { ...told, type: 'notice', name: 'config.reloaded' },
      {
        ...told,
        type: 'event',
        event: textEvent('s1', 1, 'odd \u0000 \ud800 \ue000'),
      },
      {
        ...told,
        type: 'notice',
        name: 'alarm',
        sessionId: 's1',
        data: { a: [1, null] },
      },
    ])
    const ofSession = await events.read({ sessionId: 's1', after })
    expect(namesOf(ofSession.items)).toEqual(['s1 1', 'alarm'])
    for (const name of ['', 'Two words', 'x'.repeat(101), 'a\nb']) {
      const telling = events.notice(name)
      await expect(telling).rejects.toMatchObject({ code: 'invalid-options' })
    }
  })

  describe('a cursor', () => {
    test('of another store, or of none, starts over and says so', async () => {
      const { events } = await open()
      await events.append(many('s1', 2))
      const oldest = await events.read()
      const other = await openApart()
      await other.events.append(many('s9', 50))
      const foreign = await other.events.head()
      const odd = ['x', '', `${foreign}0`, 'a-1-2', `-1`, '9'.repeat(500)]
      for (const after of [foreign, ...odd]) {
        const page = await events.read({ after })
        expect(page).toEqual({ ...oldest, isReset: true })
      }
      const [log] = oldest.next.split('-')
      const later = await events.read({ after: `${log}-999999999` })
      expect(later).toEqual({ ...oldest, isReset: true })
    })

    test('that is older than what is kept starts over and says so', async () => {
      const { events, parts, database } = await open()
      const before = await events.head()
      await events.append(many('s1', 600))
      const after = await events.head()
      await events.append(many('s1', 2, 601))
      const kept = { maxRows: 3 }
      const removed = await createRetention(parts, { events: kept }).run()
      expect(removed).toEqual({ events: 599 })
      const page = await events.read({ after: before })
      expect(namesOf(page.items)).toEqual(['s1 600', 's1 601', 's1 602'])
      expect(page.isReset).toBe(true)
      const ofNone = await events.read({ sessionId: 'none', after: before })
      expect(ofNone).toMatchObject({ items: [], isReset: true })
      const again = await events.read({ after })
      expect(namesOf(again.items)).toEqual(['s1 601', 's1 602'])
      expect(again.isReset).toBe(false)
      expect((await events.read()).isReset).toBe(false)
      const [record] = await database.read({
        sql: "SELECT rows_removed FROM removals WHERE kind = 'events'",
        values: [],
      })
      expect(record).toEqual({ rows_removed: 599 })
    })

    test('of a session that tells nothing does not grow old', async () => {
      const { events, parts } = await open()
      await events.append(many('s1', 1))
      const { next } = await events.read({ sessionId: 's1' })
      await events.append(many('s2', 9))
      const quiet = await events.read({ sessionId: 's1', after: next })
      await createRetention(parts, { events: { maxRows: 0 } }).run()
      const later = await events.read({ sessionId: 's1', after: quiet.next })
      expect(later).toMatchObject({ items: [], isReset: false })
    })
  })

  test('events are kept for a day, if nobody says otherwise', async () => {
    const { events, parts, database } = await open()
    const now = Date.UTC(2031, 0, 1)
    await kit.setNow(database, now)
    const after = await events.head()
    await events.append(many('s1', 2))
    await kit.advance(database, 80_000_000)
    await events.append(many('s2', 1))
    expect(await createRetention(parts, {}).run()).toEqual({})
    await kit.advance(database, 10_000_000)
    expect(await createRetention(parts, {}).run()).toEqual({ events: 2 })
    const page = await events.read({ after })
    expect(namesOf(page.items)).toEqual(['s2 1'])
    expect(page.items[0]?.at).toBe(now + 80_000_000)
  })

  test('what is deleted with a session leaves the others where they are', async () => {
    const { events, parts, sessions } = await open()
    const info = { agent: 'main', cwd: '/', createdAt: 1 }
    await sessions.create({ id: 's1', ...info })
    const after = await events.head()
    await events.append([...many('s1', 2), ...many('s2', 1)])
    const exported = await exportSession(parts, 's1')
    expect(exported?.tables['events']).toMatchObject([
      { payload: textEvent('s1', 1) },
      { payload: textEvent('s1', 2) },
    ])
    await deleteSession(parts, 's1')
    const page = await events.read({ after })
    expect(namesOf(page.items)).toEqual(['s2 1'])
    expect(page.isReset).toBe(false)
  })

  test('T55 what was told is in payloads only, which may be encrypted', async () => {
    const keys = [{ id: 'one', secret: randomBytes(32) }]
    const store = await open({ payloads: { keys } })
    const after = await store.events.head()
    await store.events.append([textEvent('s1', 1, 'between us')])
    await store.events.notice('alarm', { why: 'between us' })
    const sql = 'SELECT * FROM events ORDER BY position'
    const rows = await store.database.read({ sql, values: [] })
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toMatch(/between us|text-delta|alarm/)
    expect((await store.events.read({ after })).items).toMatchObject([
      { event: { text: 'between us' } },
      { name: 'alarm', data: { why: 'between us' } },
    ])
    const { database } = store
    const other = [{ id: 'two', secret: randomBytes(32) }]
    const stranger = await openApart({ database, payloads: { keys: other } })
    const name = 'event-unreadable'
    expect((await stranger.events.read({ after })).items).toMatchObject([
      { type: 'notice', name, sessionId: 's1', data: { code: 'wrong-key' } },
      { type: 'notice', name, data: { code: 'wrong-key' } },
    ])
  })

  test('closing writes what is left, and takes no more', async () => {
    const { database, ...store } = await open()
    const after = await store.events.head()
    const appended = store.events.append(many('s1', 700))
    await store.close()
    await appended
    const appending = store.events.append(many('s1', 1))
    await expect(appending).rejects.toMatchObject({ code: 'closed' })
    const later = await openApart({ database })
    const { items } = await readOn(later.events, { after })
    expect(items).toHaveLength(700)
  })

  test('F171 what another process tells is heard of, at the latest by looking', async () => {
    const one = await open({ signals: { pollMs: 50 } })
    const { database } = one
    const other = await openApart({ database, signals: { pollMs: 50 } })
    const after = await one.events.head()
    const heard = Promise.withResolvers<readonly string[]>()
    const looks: Promise<void>[] = []
    const look = async () => {
      const { items } = await other.events.read({ after })
      if (items.length > 0) heard.resolve(namesOf(items))
    }
    const stop = other.events.onAppend(() => void looks.push(look()))
    await one.events.append(many('s1', 1))
    expect(await heard.promise).toEqual(['s1 1'])
    stop()
    // Whoever is still looking needs the store.
    await Promise.all(looks)
  })

  test('whoever follows the log hears of what is told', async () => {
    const { events } = await open()
    let calls = 0
    const heard = Promise.withResolvers<void>()
    const stop = events.onAppend(() => {
      calls += 1
      heard.resolve()
    })
    await events.append(many('s1', 1))
    await heard.promise
    stop()
    const before = calls
    await events.append(many('s1', 1))
    expect(calls).toBe(before)
  })
})
