import { createFakeClock } from 'hookline/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { type DatabaseKit, forEachDatabase } from '../fixtures/databases.ts'
import {
  callSeal,
  commit,
  infoOf,
  replied,
  said,
  stepOpen,
  turnEnd,
  turnStart,
} from './fixtures/entries.ts'
import {
  openProcess,
  rowsOf,
  type TestProcess,
} from './fixtures/open-process.ts'

const info = infoOf('one')
const elsewhere = { name: 'AgentError', code: 'session-elsewhere' }
const started = Date.UTC(2030, 0, 1)

forEachDatabase((kit) => {
  describe('a session belongs to one process', () => takeover(kit))
  describe('a write that failed', () => failures(kit))
})

function takeover(kit: DatabaseKit): void {
  let database: Database
  let first: TestProcess
  let second: TestProcess

  beforeEach(async () => {
    database = await kit.open()
    await kit.setNow(database, started)
    first = await openProcess(database, 'w1')
    second = await openProcess(await kit.reopen(database), 'w2')
    await first.store.create(info)
    await first.store.append('one', [turnStart('t', 1), commit(said('a'))])
  })

  const everything = async () =>
    Promise.all(
      ['sessions', 'journal', 'turns', 'calls'].map((table) =>
        rowsOf(database, table),
      ),
    )

  test('as long as its lease lasts', async () => {
    await kit.advance(database, 14_999)
    const before = await everything()
    await expect(second.store.load('one')).rejects.toMatchObject(elsewhere)
    const append = second.store.append('one', [commit(said('b'))])
    await expect(append).rejects.toMatchObject(elsewhere)
    expect(await everything()).toEqual(before)
    await first.store.append('one', [commit(said('c'))])
  })

  test('F169 the lease runs out by the time of the database, not of a host', async () => {
    second.clock.setWall(started + 7_200_000)
    await expect(second.store.load('one')).rejects.toMatchObject(elsewhere)
    await kit.advance(database, 15_000)
    second.clock.setWall(started - 7_200_000)
    await second.lease.renew()
    expect(await second.store.load('one')).toMatchObject({ turns: 1 })
  })

  test('T51 F165 whoever lost it writes nothing, whatever it writes', async () => {
    await kit.advance(database, 15_000)
    await second.lease.renew()
    await second.store.load('one')
    const before = await everything()
    const entries = [
      [commit(said('late'))],
      [stepOpen('t', 1), callSeal('t', 'c')],
      [turnEnd('t', 'm1')],
      [{ type: 'session-end', reason: 'closed' } as const],
    ]
    for (const late of entries) {
      const append = first.store.append('one', late)
      await expect(append).rejects.toMatchObject(elsewhere)
    }
    await first.store.release('one')
    expect(await everything()).toEqual(before)
    await second.store.append('one', [commit(said('b'))])
    const loaded = await second.store.load('one')
    expect(loaded?.messages).toEqual([
      { role: 'user', content: [...said('a').content, ...said('b').content] },
    ])
  })

  test('F167 who cannot renew its lease takes it for lost before others do', async () => {
    // The database would still take it: nobody else has come.
    await first.clock.advance(4_000)
    await first.parts.database.close()
    await first.clock.advance(8_000)
    expect(first.lease.isHeld).toBe(false)
    const rows = await second.parts.database.read({
      sql: 'SELECT leased_until FROM workers WHERE id = ?',
      values: ['w1'],
    })
    expect(rows).toEqual([{ leased_until: started + 15_000 }])
    const stranded = first.store.append('one', [commit(said('b'))])
    await expect(stranded).rejects.toThrow()
    expect(await rowsOf(second.parts.database, 'journal')).toHaveLength(2)
  })

  test('what was taken before a loss must be taken again', async () => {
    // Its loop was blocked for so long that the lease ran out.
    let blockedMs = 0
    const clock = createFakeClock()
    const now = () => clock.now() + blockedMs
    const given = { clock: { ...clock, now } }
    const third = await openProcess(database, 'w3', given)
    await third.store.create(infoOf('two'))
    blockedMs = 12_000
    expect(third.lease.isHeld).toBe(false)
    await third.lease.renew()
    expect([third.lease.isHeld, third.lease.losses]).toEqual([true, 1])
    const append = third.store.append('two', [commit(said('a'))])
    await expect(append).rejects.toMatchObject(elsewhere)
    await third.store.load('two')
    await third.store.append('two', [commit(said('a'))])
  })

  test('one that was let go of can go on elsewhere at once', async () => {
    await first.store.release('one')
    expect(await second.store.load('one')).toMatchObject({
      messages: [said('a')],
      openTurn: { start: turnStart('t', 1) },
    })
    const late = first.store.append('one', [commit(said('b'))])
    await expect(late).rejects.toMatchObject(elsewhere)
  })

  test('a process that stops lets go of all it had', async () => {
    await first.lease.stop()
    expect(await second.store.load('one')).toMatchObject({ turns: 1 })
  })

  test('of many that want it, one gets it', async () => {
    await first.lease.stop()
    const others = await Promise.all(
      ['w3', 'w4', 'w5', 'w6'].map((worker) => openProcess(database, worker)),
    )
    const loads = [second, ...others].map(({ store }) => store.load('one'))
    const settled = await Promise.allSettled(loads)
    const won = settled.filter(({ status }) => status === 'fulfilled')
    const lost = settled.filter(({ status }) => status === 'rejected')
    expect([won.length, lost.length]).toEqual([1, 4])
    expect(lost).toMatchObject(lost.map(() => ({ reason: elsewhere })))
  })

  test('of many that create it, one does', async () => {
    const creates = [first, second].map(({ store }) =>
      store.create(infoOf('two')),
    )
    const settled = await Promise.allSettled(creates)
    const failed = settled.filter(({ status }) => status === 'rejected')
    expect(failed).toMatchObject([{ reason: { code: 'session-exists' } }])
  })

  test('F173 one that was deleted elsewhere is not there any more', async () => {
    await second.store.delete('one')
    const late = first.store.append('one', [turnEnd('t')])
    await expect(late).rejects.toMatchObject({ code: 'unknown-session' })
    expect(await rowsOf(database, 'journal')).toEqual([])
  })

  test('one that was deleted and made anew is another', async () => {
    await second.store.delete('one')
    await second.store.create(info)
    const late = first.store.append('one', [commit(said('old'))])
    await expect(late).rejects.toMatchObject(elsewhere)
    expect(await second.store.load('one')).toMatchObject({ messages: [] })
  })

  test('a process that was started anew under its old name shuts out the old one', async () => {
    const again = await openProcess(await kit.reopen(database), 'w1')
    await again.store.load('one')
    const late = first.store.append('one', [commit(said('old'))])
    await expect(late).rejects.toMatchObject(elsewhere)
    await again.store.append('one', [commit(replied('b'))])
  })
}

function failures(kit: DatabaseKit): void {
  async function openBroken(moment: string): Promise<TestProcess> {
    const place = `session.append:${moment}`
    const failpoints = { [place]: { do: 'throw', hit: 2 } } as const
    const process = await openProcess(await kit.open({ failpoints }), 'w1')
    await process.store.create(info)
    await process.store.append('one', [turnStart('t', 1), commit(said('a'))])
    return process
  }

  test.each(['before-write', 'before-commit'])(
    'at %s has left nothing, and the next one goes on',
    async (moment) => {
      const { store, parts } = await openBroken(moment)
      const entries = [stepOpen('t', 1), callSeal('t', 'c')]
      await expect(store.append('one', entries)).rejects.toThrow()
      expect(await rowsOf(parts.database, 'calls')).toEqual([])
      await store.append('one', [commit(replied('b'))])
      const loaded = await store.load('one')
      expect(loaded?.messages).toEqual([said('a'), replied('b')])
      expect(loaded?.openTurn?.step).toBeUndefined()
    },
  )

  test('at after-commit has left all of it, and the next one goes on', async () => {
    const { store, parts } = await openBroken('after-commit')
    const entries = [stepOpen('t', 1), callSeal('t', 'c')]
    await store.append('one', entries).catch(() => {})
    expect(await rowsOf(parts.database, 'calls')).toHaveLength(1)
    await store.append('one', [commit(replied('b'))])
    const loaded = await store.load('one')
    expect(loaded?.messages).toEqual([said('a'), replied('b')])
  })
}
