import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createPayloads } from '../content/create-payloads.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { createMemoryStore } from '../memory-store.ts'
import { commit, infoOf, replied, said, turnEnd } from './fixtures/entries.ts'
import { emptied, openProcess, rowsOf } from './fixtures/open-process.ts'
import { randomJournal } from './fixtures/random-journal.ts'
import { HeldSession } from './held-session.ts'
import { saveSnapshot } from './save-snapshot.ts'

/** Whether a snapshot is written that nobody sees yet; SQLite has no such time. */
async function isSaving(database: Database): Promise<boolean> {
  if (database.dialect === 'sqlite') return true
  const sql = `SELECT 1 AS one FROM pg_locks
WHERE relation = 'snapshots'::regclass AND mode = 'RowExclusiveLock'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  return (await database.read({ sql, values: [] })).length > 0
}

forEachDatabase((kit) => {
  let database: Database
  beforeAll(async () => {
    database = await kit.open()
  })

  const payloads = createPayloads({
    keys: [{ id: 'one', secret: randomBytes(32) }],
  })

  test('however often a session is saved, it comes to what its journal says', async () => {
    const open = (worker: string, snapshotEvery: number) =>
      openProcess(database, worker, { payloads, store: { snapshotEvery } })
    const often = await open('often', 2)
    const sometimes = await open('sometimes', 7)
    const never = await open('never', Infinity)
    let runs = 0
    let saved = 0
    const property = fc.asyncProperty(
      randomJournal,
      fc.nat(),
      async (journal, seed) => {
        const memory = createMemoryStore()
        const name = `run-${runs++}`
        const stores = [often, sometimes, never].map((one) => one.store)
        const info = infoOf(name)
        await memory.create(info)
        for (const [at, store] of stores.entries()) {
          await store.create(infoOf(`${name}-${at}`))
        }
        for (const [round, entries] of journal.entries()) {
          await memory.append(name, entries)
          for (const [at, store] of stores.entries()) {
            await store.append(`${name}-${at}`, entries)
            // Some are loaded on the way, some are left alone.
            if ((seed >> (round % 30)) % 2 === 1)
              await store.load(`${name}-${at}`)
          }
        }
        const expected = await memory.load(name)
        for (const [at, store] of stores.entries()) {
          await store.drain()
          const id = `${name}-${at}`
          const loaded = await store.load(id)
          expect(loaded).toEqual({ ...expected, info: infoOf(id) })
        }
        saved = (await rowsOf(database, 'snapshots')).length
      },
    )
    await fc.assert(property, { numRuns: 25 })
    // What was loaded last is saved as well.
    for (const { store } of [often, sometimes]) await store.drain()
    // Otherwise this would have shown nothing.
    expect(saved).toBeGreaterThan(15)
  }, 60_000)

  test('loading replays no more than a few hundred entries', async () => {
    const { store } = await openProcess(await emptied(database), 'w1')
    await store.create(infoOf('one'))
    for (let turn = 0; turn < 400; turn++) {
      const texts = [said(`${turn}`), replied(`${turn}`)]
      await store.append('one', [commit(...texts), turnEnd('t', `m${turn}`)])
    }
    await store.drain()
    const sql =
      'SELECT COUNT(*) AS count FROM journal WHERE seq > (SELECT seq FROM snapshots)'
    const [unsaved] = await database.read({ sql, values: [] })
    expect(Number(unsaved?.['count'])).toBeLessThan(300)
    const loaded = await store.load('one')
    expect(loaded?.messages).toHaveLength(800)
    expect(loaded?.inputs.size).toBe(400)
  }, 60_000)

  test('a journal that was never saved is saved when it is loaded', async () => {
    const never = { store: { snapshotEvery: Infinity } }
    const first = await openProcess(await emptied(database), 'w1', never)
    await first.store.create(infoOf('one'))
    const entries = Array.from({ length: 500 }, (_, at) =>
      commit(said(`${at}`)),
    )
    await first.store.append('one', entries)
    await first.store.release('one')
    const second = await openProcess(database, 'w2')
    await second.store.load('one')
    await second.store.drain()
    expect(await rowsOf(database, 'snapshots')).toMatchObject([{ seq: 500 }])
  })

  test('who has lost a session does not save it any more', async () => {
    const often = { store: { snapshotEvery: 1 } }
    const first = await openProcess(await emptied(database), 'w1', often)
    await first.store.create(infoOf('one'))
    await first.store.append('one', [commit(said('a'))])
    await first.store.drain()
    const [before] = await rowsOf(database, 'snapshots')
    expect(before).toMatchObject({ seq: 1 })
    await database.write({
      name: 'test.take',
      statements: [
        { sql: 'UPDATE sessions SET fence = fence + 1', values: [] },
      ],
    })
    const late = first.store.append('one', [commit(said('b'))])
    await expect(late).rejects.toMatchObject({ code: 'session-elsewhere' })
    await first.store.drain()
    expect(await rowsOf(database, 'snapshots')).toEqual([before])
  })

  test('a snapshot that was begun before a session was lost is not written', async () => {
    const { store, parts } = await openProcess(await emptied(database), 'w1')
    const info = infoOf('one')
    await store.create(info)
    await store.append('one', [commit(said('a'))])
    const [row] = await rowsOf(database, 'sessions')
    const fence = Number(row?.['fence'])
    const taken = { info, losses: 0, seq: 1, unsaved: 1 }
    await saveSnapshot(new HeldSession({ ...taken, fence: fence - 1 }), parts)
    expect(await rowsOf(database, 'snapshots')).toEqual([])
    await saveSnapshot(new HeldSession({ ...taken, fence }), parts)
    expect(await rowsOf(database, 'snapshots')).toHaveLength(1)
  })

  test('a session that is deleted while it is saved leaves no snapshot to one of its name', async () => {
    const place = 'session.snapshot:before-commit'
    const failpoints = { [place]: { do: 'stall', stallMs: 1_000 } } as const
    const own = await kit.open({ failpoints })
    const { store } = await openProcess(own, 'w1', {
      store: { snapshotEvery: 2 },
    })
    await store.create(infoOf('one'))
    await store.append('one', [commit(said('a')), commit(said('b'))])
    await expect.poll(() => isSaving(own)).toBe(true)
    await store.delete('one')
    await store.drain()
    expect(await rowsOf(own, 'snapshots')).toEqual([])
    await store.create(infoOf('one'))
    await store.append('one', [commit(said('c'))])
    expect(await store.load('one')).toMatchObject({ messages: [said('c')] })
  })

  test('a snapshot that cannot be read is told, and stops no entry', async () => {
    const errors: unknown[] = []
    const { store } = await openProcess(await emptied(database), 'w1', {
      payloads,
      store: {
        snapshotEvery: 2,
        onSnapshotError: (error) => void errors.push(error),
      },
    })
    await store.create(infoOf('one'))
    await store.append('one', [commit(said('a')), commit(said('b'))])
    await store.drain()
    const sql = "UPDATE snapshots SET payload = '{}'"
    const statements = [{ sql, values: [] }]
    await database.write({ name: 'test.damage', statements })
    await store.append('one', [commit(said('c')), commit(said('d'))])
    await store.drain()
    expect(errors).toMatchObject([{ code: 'wrong-key' }])
    expect(await rowsOf(database, 'journal')).toHaveLength(4)
    const load = store.load('one')
    await expect(load).rejects.toMatchObject({ code: 'wrong-key' })
  })

  test.each([1, 2, 3])(
    'a journal without its entry %i is not taken for whole',
    async (seq) => {
      const { store } = await openProcess(await emptied(database), 'w1')
      await store.create(infoOf('one'))
      await store.append('one', [
        commit(said('a')),
        commit(said('b')),
        commit(said('c')),
      ])
      const sql = 'DELETE FROM journal WHERE seq = ?'
      const statements = [{ sql, values: [seq] }]
      await database.write({ name: 'test.damage', statements })
      await expect(store.load('one')).rejects.toMatchObject({ code: 'corrupt' })
    },
  )

  test('a session whose content was removed cannot go on', async () => {
    const { store } = await openProcess(await emptied(database), 'w1')
    await store.create(infoOf('one'))
    await store.append('one', [commit(said('a'))])
    const sql = 'UPDATE journal SET payload = NULL'
    const statements = [{ sql, values: [] }]
    await database.write({ name: 'test.remove', statements })
    const load = store.load('one')
    await expect(load).rejects.toMatchObject({ code: 'session-ended' })
  })
})
