import { randomBytes } from 'node:crypto'
import { defineCell } from 'hookline'
import { beforeEach, describe, expect, test } from 'vitest'
import { createStoredState } from '../cells/stored-state.ts'
import { createPayloads } from '../content/create-payloads.ts'
import type { Database, SqlValue } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { createMemories } from '../memories/memories.ts'
import { deleteSession } from './delete-session.ts'
import { exportSession } from './export-session.ts'
import {
  callOf,
  callSeal,
  commit,
  infoOf,
  said,
  turnStart,
} from './fixtures/entries.ts'
import {
  openProcess,
  rowsOf,
  type TestProcess,
} from './fixtures/open-process.ts'
import { lastingTables, sessionTables } from './session-tables.ts'

const payloads = createPayloads({
  keys: [{ id: 'one', secret: randomBytes(32) }],
})

/** A row with something in every column that must have it. */
async function addRow(
  database: Database,
  table: string,
  given: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  const columns = await database.read({
    sql:
      database.dialect === 'sqlite'
        ? `SELECT name, type, "notnull" AS needed FROM pragma_table_info(?)`
        : `SELECT column_name AS name, data_type AS type,
             CASE WHEN is_nullable = 'NO' THEN 1 ELSE 0 END AS needed
           FROM information_schema.columns
           WHERE table_name = ? AND table_schema = current_schema()`,
    values: [table],
  })
  const needed = columns.filter(({ needed }) => Number(needed) === 1)
  const filled = needed.map(({ name, type }) => [
    name,
    /int|double/i.test(String(type)) ? 0 : 'x',
  ])
  const row: Record<string, SqlValue> = {
    ...Object.fromEntries(filled),
    ...given,
  }
  if (row['payload'] === 'x') {
    row['payload'] = payloads.write({}, [table, String(given['id'])])
  }
  const marks = Object.keys(row).map(() => '?')
  const sql = `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${marks.join(', ')})`
  const statements = [{ sql, values: Object.values(row) }]
  await database.write({ name: 'test.row', statements })
}

/** What the store has of one session in every table. */
async function fill(database: Database, id: string, one: TestProcess) {
  const { store, parts } = one
  await store.create(infoOf(id))
  const turnId = `turn-${id}`
  await store.append(id, [
    turnStart(turnId, 1),
    commit(said('a')),
    callSeal(turnId, 'c'),
  ])
  const about = { session_id: id }
  const row = (table: string, given: Record<string, SqlValue>) =>
    addRow(database, table, given)
  await row('runs', { id: `run-${id}`, ...about })
  await row('attempts', { run_id: `run-${id}`, attempt: 1 })
  const asked = payloads.write({ args: { a: 1 } }, ['approvals', `ask-${id}`])
  const pending = { state: 'pending', payload: asked }
  await row('approvals', { id: `ask-${id}`, ...about, ...pending })
  await row('votes', { approval_id: `ask-${id}`, voter: 'ann' })
  await row('rules', { id: `rule-${id}`, ...about })
  await row('jobs', { id: `job-${id}`, ...about })
  const told = { id: `event-${id}`, ...about }
  const payload = payloads.write({ a: id }, ['events', told.id, id])
  await row('events', { ...told, position: id === 'one' ? 1 : 2, payload })
  await row('inbox', { id: `message-${id}`, ...about })
  await row('wakes', { id: `wake-${id}`, ...about })
  await row('firings', { id: `firing-${id}`, ...about })
  await row('audit', { seq: id === 'one' ? 1 : 2, ...about })
  await row('snapshots', { session_id: id, seq: 0 })
  const state = createStoredState(parts).at({ session: id, turn: turnId })
  for (const scope of ['session', 'turn', 'global']) {
    const cell = defineCell('cell', { initial: () => 0, scope })
    await state.update(cell, (value) => value + 1)
  }
  const memories = createMemories(parts)
  await memories.remember('main', `of ${id}`, { text: 'tea', sessionId: id })
}

forEachDatabase((kit) => {
  let database: Database
  let process: TestProcess
  beforeEach(async () => {
    database = await kit.open()
    process = await openProcess(database, 'w1', { payloads })
    await fill(database, 'one', process)
    await fill(database, 'two', process)
  })

  const countsOf = async () => {
    const tables = [...sessionTables, ...lastingTables].map(
      ({ table }) => table,
    )
    const counts: Record<string, number> = {}
    for (const table of tables) {
      counts[table] = (await rowsOf(database, table)).length
    }
    return counts
  }

  test('every table that knows sessions is deleted from, or says why not', async () => {
    const sql =
      kit.name === 'sqlite'
        ? `SELECT m.name AS name FROM sqlite_master m
           JOIN pragma_table_info(m.name) c ON c.name = 'session_id'
           WHERE m.type = 'table'`
        : `SELECT table_name AS name FROM information_schema.columns
           WHERE column_name = 'session_id' AND table_schema = current_schema()`
    const rows = await database.read({ sql, values: [] })
    const known = [...sessionTables, ...lastingTables].map(({ table }) => table)
    expect(rows.length).toBeGreaterThan(8)
    for (const { name } of rows) expect(known).toContain(name)
  })

  describe('deleting a session', () => {
    test('leaves nothing of it but what outlives it, and all of the others', async () => {
      const before = await countsOf()
      expect(Object.values(before)).not.toContain(0)
      expect(before).toMatchObject({ sessions: 2, journal: 6, cells: 5 })
      await process.store.delete('one')
      expect(await countsOf()).toMatchObject({
        ...Object.fromEntries(
          Object.entries(before).map(([table, count]) => [table, count / 2]),
        ),
        cells: 3,
        memories: 2,
        audit: 2,
      })
      for (const { table } of sessionTables) {
        const left = JSON.stringify(await rowsOf(database, table))
        expect(left).not.toMatch(/-one|"one"/)
      }
    })

    test('takes memories with it if that is asked for', async () => {
      await deleteSession(process.parts, 'one', { withMemories: true })
      const memories = createMemories(process.parts)
      const left = await memories.recall('main', 'tea')
      expect(left.map(({ name }) => name)).toEqual(['of two'])
      expect(await rowsOf(database, 'memory_words')).toHaveLength(1)
    })

    test('is itself recorded, with how much was removed', async () => {
      const now = Date.UTC(2030, 0, 1)
      await kit.setNow(database, now)
      await process.store.delete('one')
      const reason = 'Session "one" was deleted.'
      const rows = await rowsOf(database, 'removals', 'kind')
      expect(rows).toMatchObject([
        { kind: 'pending-approvals', rows_removed: 1, at: now, reason },
        { kind: 'session', rows_removed: 19, at: now, reason },
      ])
    })

    test('F183 voids its open approvals, which is recorded', async () => {
      await process.store.delete('one')
      const sql = `UPDATE approvals SET state = 'approved' WHERE id = ? AND state = 'pending'`
      const answer = { sql, values: ['ask-one'], expects: 1 }
      const answering = database.write({
        name: 'test.answer',
        statements: [answer],
      })
      await expect(answering).rejects.toMatchObject({ code: 'conflict' })
      const removals = await rowsOf(database, 'removals')
      const voided = removals.filter(({ kind }) => kind === 'pending-approvals')
      expect(voided).toMatchObject([{ rows_removed: 1 }])
      const [left] = await rowsOf(database, 'approvals')
      expect(left).toMatchObject({ id: 'ask-two', state: 'pending' })
    })

    test('that is not there leaves no record', async () => {
      await process.store.delete('three')
      expect(await rowsOf(database, 'removals')).toEqual([])
    })

    test.each(['before-commit', 'before-write'])(
      'that breaks at %s has deleted nothing',
      async (moment) => {
        const before = await countsOf()
        const failpoints = {
          [`session.delete:${moment}`]: { do: 'throw' },
        } as const
        const broken = await kit.reopen(database, { failpoints })
        const other = await openProcess(broken, 'w2', { payloads })
        await expect(other.store.delete('one')).rejects.toThrow()
        expect(await countsOf()).toEqual(before)
        expect(await rowsOf(database, 'removals')).toEqual([])
      },
    )
  })

  describe('an export', () => {
    test('has everything about a session, payloads opened, as plain JSON', async () => {
      const exported = await exportSession(process.parts, 'one')
      expect(JSON.parse(JSON.stringify(exported))).toEqual(exported)
      const tables = exported?.tables ?? {}
      const names = [...sessionTables, ...lastingTables]
        .map(({ table }) => table)
        .filter((table) => table !== 'snapshots')
      expect(Object.keys(tables).sort()).toEqual(names.sort())
      for (const name of names) expect(tables[name]).not.toEqual([])
      expect(tables['sessions']).toMatchObject([
        { id: 'one', payload: { agent: 'main', cwd: '/work' } },
      ])
      const entries = tables['journal']?.map(({ payload }) => payload)
      expect(entries).toEqual([
        turnStart('turn-one', 1),
        commit(said('a')),
        callSeal('turn-one', 'c'),
      ])
      expect(tables['calls']).toMatchObject([
        { payload: callOf('c', { path: 'a.txt' }) },
      ])
      expect(tables['approvals']).toMatchObject([
        { payload: { args: { a: 1 } } },
      ])
      expect(tables['events']).toMatchObject([{ payload: { a: 'one' } }])
      expect(tables['memories']).toMatchObject([{ payload: { text: 'tea' } }])
      expect(tables['cells']).toMatchObject([
        { scope: 'session', payload: 1 },
        { scope: 'turn', payload: 1 },
      ])
      expect(JSON.stringify(exported)).not.toMatch(/-two|"two"|hk1:/)
    })

    test('of a session that never was is nothing', async () => {
      expect(await exportSession(process.parts, 'three')).toBeUndefined()
    })
  })

  test('a payload in another row is refused', async () => {
    const sql = `UPDATE journal SET payload =
      (SELECT payload FROM journal WHERE session_id = 'two' AND seq = 2)
      WHERE session_id = 'one' AND seq = 2`
    const statements = [{ sql, values: [], expects: 1 }]
    await database.write({ name: 'test.swap', statements })
    const wrong = { code: 'wrong-key' }
    await expect(process.store.load('one')).rejects.toMatchObject(wrong)
    const exporting = exportSession(process.parts, 'one')
    await expect(exporting).rejects.toMatchObject(wrong)
  })
})
