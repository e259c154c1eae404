import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createPayloads } from '../content/create-payloads.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { commit, infoOf, said, turnStart } from './fixtures/entries.ts'
import { openProcess, rowsOf } from './fixtures/open-process.ts'

const key = { id: 'one', secret: randomBytes(32) }
const otherKey = { id: 'two', secret: randomBytes(32) }
const payloads = createPayloads({ keys: [key] })

forEachDatabase((kit) => {
  /** A session that nobody has, and two processes that share its store. */
  async function openKept(others: Parameters<typeof kit.reopen>[1] = {}) {
    const database = await kit.open()
    const first = await openProcess(database, 'w1', { payloads })
    await first.store.create(infoOf('one'))
    await first.store.append('one', [turnStart('t', 1), commit(said('a'))])
    await first.store.release('one')
    return { first, database, other: await kit.reopen(database, others) }
  }

  const workers = async (database: Database) =>
    (await rowsOf(database, 'sessions')).map(({ worker }) => worker)

  describe('a session that a process takes and cannot read', () => {
    test('for want of its key is given back, and goes on where that is', async () => {
      const { first, database, other } = await openKept()
      const keyless = { payloads: createPayloads({ keys: [otherKey] }) }
      const second = await openProcess(other, 'w2', keyless)
      const load = second.store.load('one')
      await expect(load).rejects.toMatchObject({ code: 'wrong-key' })
      expect(await workers(database)).toEqual([null])
      expect(await first.store.load('one')).toMatchObject({ turns: 1 })
    })

    test('as its journal has a gap is given back', async () => {
      const { database, other } = await openKept()
      const sql = 'DELETE FROM journal WHERE seq = 2'
      const statements = [{ sql, values: [] }]
      await database.write({ name: 'test.gap', statements })
      const second = await openProcess(other, 'w2', { payloads })
      const load = second.store.load('one')
      await expect(load).rejects.toMatchObject({ code: 'corrupt' })
      expect(await workers(database)).toEqual([null])
    })

    test('says why, also where it cannot be given back', async () => {
      const failpoints = {
        'session.release:before-commit': { do: 'throw' },
      } as const
      const { other } = await openKept({ failpoints })
      const keyless = { payloads: createPayloads({ keys: [otherKey] }) }
      const { store } = await openProcess(other, 'w2', keyless)
      const load = store.load('one')
      await expect(load).rejects.toMatchObject({ code: 'wrong-key' })
    })
  })
})
