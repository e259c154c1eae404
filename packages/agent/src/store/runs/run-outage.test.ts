import { expect, test } from 'vitest'
import { forEachDatabase } from '../fixtures/databases.ts'
import { StoreError } from '../store-error.ts'
import { away, makeFaulty } from './fixtures/faulty-database.ts'
import { makeParts } from './fixtures/make-parts.ts'
import { ended, started } from './fixtures/make-runs.ts'
import { readOnly, readRows } from './fixtures/read-rows.ts'
import { shareDatabase } from './fixtures/share-database.ts'
import { createRunRecords } from './run-records.ts'

const count = 'SELECT COUNT(*) AS count FROM runs'
const gaps =
  "SELECT kind, rows_removed, reason FROM removals WHERE reason = 'gap'"

forEachDatabase((kit) => {
  const open = shareDatabase(kit)
  async function setUp() {
    const database = makeFaulty(await open())
    return { database, parts: makeParts(database) }
  }

  test('records wait a moment for others, and are then written by themselves', async () => {
    const { database, parts } = await setUp()
    const records = createRunRecords(parts, { patienceMs: 20 })
    records.start(started())
    await parts.clock.advance(19)
    expect(database.units).toEqual([])
    records.end(ended())
    await parts.clock.advance(1)
    expect(database.units).toEqual(['runs.write'])
    await records.flush()
    expect(await readOnly(database, count)).toEqual({ count: 1 })
    expect(parts.clock.pending).toBe(0)
  })

  test('F210 while the database is away, records wait up to a bound; beyond it they are counted, and the count is on record', async () => {
    const { database, parts } = await setUp()
    const records = createRunRecords(parts, { maxWaiting: 100 })
    database.failWith(away)
    for (let at = 0; at < 130; at++) {
      records.start(started({ dispatch: `d${at}` }))
    }
    await expect(records.flush()).rejects.toMatchObject({ code: 'unavailable' })
    database.failWith(undefined)
    await expect(records.flush()).rejects.toThrow(
      '30 run records were lost while the database was away.',
    )
    expect(await readOnly(database, count)).toEqual({ count: 100 })
    expect(await readOnly(database, gaps)).toEqual({
      kind: 'runs',
      rows_removed: 30,
      reason: 'gap',
    })
    records.end(ended({ dispatch: 'd0' }))
    await records.flush()
  })

  test('a run whose start was lost is written whole at its end', async () => {
    const { database, parts } = await setUp()
    const records = createRunRecords(parts, { maxWaiting: 1 })
    records.start(started())
    records.start(started({ dispatch: 'd2' }))
    await expect(records.flush()).rejects.toThrow('1 run records were lost')
    records.end(ended({ dispatch: 'd2' }))
    await records.flush()
    const rows = await readRows(
      database,
      'SELECT id, state FROM runs ORDER BY id',
    )
    expect(rows).toEqual([
      { id: 'd1/guard', state: 'started' },
      { id: 'd2/guard', state: 'completed' },
    ])
  })

  test('what waited is written by itself once the database is back, in order', async () => {
    const { database, parts } = await setUp()
    const records = createRunRecords(parts)
    database.failWith(away)
    records.start(started())
    await parts.clock.advance(20)
    records.end(ended())
    await parts.clock.advance(100)
    expect(database.units).toHaveLength(2)
    database.failWith(undefined)
    await parts.clock.advance(200)
    await records.flush()
    const row = await readOnly(database, 'SELECT state FROM runs')
    expect(row).toEqual({ state: 'completed' })
    expect(await readRows(database, gaps)).toEqual([])
  })

  test('it is asked less and less often while it is away', async () => {
    const { database, parts } = await setUp()
    const records = createRunRecords(parts)
    database.failWith(away)
    records.start(started())
    await parts.clock.advance(600_000)
    expect(database.units.length).toBeGreaterThan(10)
    expect(database.units.length).toBeLessThan(40)
  })

  test('rows whose answer was lost are written again, and are there once', async () => {
    const { database, parts } = await setUp()
    const records = createRunRecords(parts)
    database.loseAnswers(true)
    records.start(started())
    await expect(records.flush()).rejects.toMatchObject({ code: 'unavailable' })
    records.end(ended())
    await expect(records.flush()).rejects.toMatchObject({ code: 'unavailable' })
    database.loseAnswers(false)
    await records.flush()
    const rows = await readRows(database, 'SELECT state, attempt FROM runs')
    expect(rows).toEqual([{ state: 'completed', attempt: 1 }])
  })

  test('what was lost is counted once, also where answers are lost', async () => {
    const { database, parts } = await setUp()
    const records = createRunRecords(parts, { maxWaiting: 1 })
    records.start(started())
    for (const dispatch of ['d2', 'd3']) records.start(started({ dispatch }))
    database.loseAnswers(true)
    for (let tries = 0; tries < 3; tries++) {
      await expect(records.written()).rejects.toThrow('The answer was lost.')
    }
    database.loseAnswers(false)
    await expect(records.flush()).rejects.toThrow('2 run records were lost')
    expect(await readOnly(database, gaps)).toMatchObject({ rows_removed: 2 })
  })

  test('a record that cannot be written is lost alone, and counted', async () => {
    const database = makeFaulty(await open())
    const parts = makeParts({
      ...database,
      async write(unit) {
        const isPoison = unit.statements.some(({ values }) =>
          values.includes('poison'),
        )
        if (isPoison) throw new StoreError('corrupt', 'It cannot be written.')
        return await database.write(unit)
      },
    })
    const records = createRunRecords(parts)
    for (let at = 0; at < 20; at++) {
      const point = at === 7 ? 'poison' : 'tool.guard'
      records.start(started({ dispatch: `d${at}`, point }))
    }
    await expect(records.flush()).rejects.toThrow('1 run records were lost')
    expect(await readOnly(database, count)).toEqual({ count: 19 })
    expect(await readOnly(database, gaps)).toMatchObject({ rows_removed: 1 })
  })

  test('to close is to write what is left; nothing is taken after that', async () => {
    const { database, parts } = await setUp()
    const records = createRunRecords(parts)
    records.start(started())
    await records.close()
    records.start(started({ dispatch: 'd2' }))
    expect(await readOnly(database, count)).toEqual({ count: 1 })
    expect(parts.clock.pending).toBe(0)
  })
})
