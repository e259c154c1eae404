import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { plainPayloads } from '../content/payloads.ts'
import { makePlace, openPlace, removePlace } from '../fixtures/places.ts'
import { commit, infoOf, said } from './fixtures/entries.ts'
import { openProcess, rowsOf } from './fixtures/open-process.ts'
import { HeldSession } from './held-session.ts'
import { readStoredSession } from './read-session.ts'
import { saveSnapshot } from './save-snapshot.ts'

const gateId = 7
const setSnapshot = 'UPDATE snapshots SET seq = ?, payload = ?'

/** A session with four entries, of which the first half is saved. */
async function openHalfSaved() {
  const place = await makePlace('postgres')
  const database = await openPlace(place)
  const other = await openPlace(place)
  const url = place.dialect === 'postgres' ? place.url : ''
  const gate = new pg.Client({ connectionString: url })
  await gate.connect()
  onTestFinished(async () => {
    await gate.end()
    await Promise.all([database.close(), other.close()])
    await removePlace(place)
  })
  const never = { payloads: plainPayloads, store: { snapshotEvery: Infinity } }
  const process = await openProcess(database, 'w1', never)
  await process.store.create(infoOf('one'))
  const saved: (readonly [number, string])[] = []
  for (const texts of [['a', 'b'] as const, ['c', 'd'] as const]) {
    const entries = texts.map((text) => commit(said(text)))
    await process.store.append('one', entries)
    const [row] = await rowsOf(database, 'sessions')
    const fence = Number(row?.['fence'])
    const held = { info: infoOf('one'), losses: 0, seq: 0, unsaved: 0, fence }
    await saveSnapshot(new HeldSession(held), process.parts)
    const [snapshot] = await rowsOf(database, 'snapshots')
    saved.push([Number(snapshot?.['seq']), String(snapshot?.['payload'])])
  }
  const [half, whole] = saved
  const save = (values: readonly [number, string] = [0, '']) => ({
    sql: setSnapshot,
    values,
  })
  await database.write({ name: 'test.half', statements: [save(half)] })
  const sql = (text: string) => ({ sql: text, values: [] })
  const schema = place.dialect === 'postgres' ? place.schema : ''
  const journal = `"${schema}".journal`
  /** Saves the rest of it while whoever works waits to read the journal. */
  const whileSaved = async <T>(work: () => Promise<T>) => {
    await gate.query(`SELECT pg_advisory_lock(${gateId})`)
    const saving = other.write({
      name: 'test.whole',
      statements: [
        sql('LOCK TABLE journal IN ACCESS EXCLUSIVE MODE'),
        sql(`SELECT pg_advisory_xact_lock(${gateId})`),
        save(whole),
      ],
    })
    const locks = (is: string) => `SELECT 1 FROM pg_locks WHERE ${is}
      AND relation = '${journal}'::regclass`
    const isLocked = `granted AND mode = 'AccessExclusiveLock'`
    const some = async (is: string) =>
      (await gate.query(locks(is))).rows.length > 0
    await expect.poll(() => some(isLocked)).toBe(true)
    const working = work()
    await expect.poll(() => some('NOT granted')).toBe(true)
    await gate.query(`SELECT pg_advisory_unlock(${gateId})`)
    const [given] = await Promise.all([working, saving])
    return given
  }
  return { ...process, whileSaved }
}

const words = ['a', 'b', 'c', 'd'].map((text) => ({ type: 'text', text }))

test('a session that is saved while it is loaded has no gap', async () => {
  const { store, whileSaved } = await openHalfSaved()
  const loaded = await whileSaved(() => store.load('one'))
  expect(loaded?.messages).toEqual([{ role: 'user', content: words }])
})

test('nor has one that is only looked at', async () => {
  const { parts, whileSaved } = await openHalfSaved()
  const read = await whileSaved(() => readStoredSession(parts, 'one'))
  expect(read?.messages).toEqual([{ role: 'user', content: words }])
})
