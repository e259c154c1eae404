import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { infoOf, turnEnd, turnStart } from '../sessions/fixtures/entries.ts'
import {
  emptied,
  openProcess,
  type TestProcess,
} from '../sessions/fixtures/open-process.ts'
import { usageFigures } from './usage-figures.ts'

const dayMs = 86_400_000
const started = Date.UTC(2030, 0, 1, 23, 30)
const firstDay = Date.UTC(2030, 0, 1)

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

  /** One turn of a session: 10 tokens in and 20 out. */
  async function takeTurn(id: string, number: number, cost?: number) {
    const turnId = `${id}-${number}`
    const end = turnEnd(turnId)
    const summary = { ...end.summary, ...(cost !== undefined && { cost }) }
    const entries = [turnStart(turnId, number), { ...end, summary }]
    await process.store.append(id, entries)
  }

  test('what turns used is told by agent, session and day', async () => {
    await process.store.create({ ...infoOf('one'), agent: 'main' })
    await process.store.create({ ...infoOf('two'), agent: 'other' })
    await takeTurn('one', 1, 0.25)
    await takeTurn('two', 1)
    await kit.advance(database, 3_600_000)
    await takeTurn('one', 2, 0.5)
    const range = { since: firstDay, until: firstDay + 2 * dayMs }
    const used = { failed: 0, unpriced: 0 }
    const twice = { ...used, turns: 2, inputTokens: 20, outputTokens: 40 }
    const once = { ...used, turns: 1, inputTokens: 10, outputTokens: 20 }
    const later = started + 3_600_000
    const main = { ...twice, cost: 0.75, lastAt: later }
    const other = { ...once, cost: undefined, unpriced: 1, lastAt: started }
    const figures = (by: 'agent' | 'session' | 'day', more = {}) =>
      usageFigures(process.parts, { ...range, by, ...more })
    expect(await figures('agent')).toEqual({
      isCut: false,
      items: [
        { key: 'main', ...main },
        { key: 'other', ...other },
      ],
    })
    expect((await figures('session')).items).toEqual([
      { key: 'one', ...main },
      { key: 'two', ...other },
    ])
    expect((await figures('day')).items).toEqual([
      {
        key: String(firstDay),
        ...{ ...twice, cost: 0.25, unpriced: 1, lastAt: started },
      },
      { key: String(firstDay + dayMs), ...once, cost: 0.5, lastAt: later },
    ])
    // An hour to the east all of it was on the second day.
    const east = await figures('day', { offsetMs: 3_600_000 })
    expect(east.items.map(({ key, turns }) => [key, turns])).toEqual([
      [String(firstDay + dayMs - 3_600_000), 3],
    ])
    const own = await figures('day', { agent: 'other' })
    expect(own.items).toMatchObject([{ turns: 1, cost: undefined }])
    const before = await figures('agent', { until: started })
    expect(before.items).toEqual([])
  })

  test('what a sub-agent did for a turn that waited is counted once', async () => {
    await process.store.create({ ...infoOf('one'), agent: 'main' })
    await takeTurn('one', 1)
    for (const [id, task] of [
      ['waited', null],
      ['alone', 'open'],
    ] as const) {
      await process.store.create({ ...infoOf(id), agent: id })
      await takeTurn(id, 1)
      const sql = 'UPDATE sessions SET parent_id = ?, task = ? WHERE id = ?'
      const statements = [{ sql, values: ['one', task, id] }]
      await database.write({ name: 'test.family', statements })
    }
    const range = { since: firstDay, until: firstDay + dayMs }
    const { items } = await usageFigures(process.parts, {
      ...range,
      by: 'agent',
    })
    expect(items.map(({ key }) => key).toSorted()).toEqual(['alone', 'main'])
  })
})
