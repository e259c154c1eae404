import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createMemoryState, defineCell, systemClock } from 'hookline'
import { beforeAll, describe, expect, test } from 'vitest'
import { createRedactor } from '../content/create-redactor.ts'
import { plainPayloads } from '../content/payloads.ts'
import type { Database, Statement } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import type { StoreParts } from '../parts.ts'
import { emptied, rowsOf } from '../sessions/fixtures/open-process.ts'
import { stateContract } from './fixtures/state-contract.ts'
import { createStoredState, type StoredState } from './stored-state.ts'

const count = defineCell('count', { initial: () => 0 })
const addOne = (value: number) => value + 1

function partsOf(database: Database, worker = 'w1'): StoreParts {
  return {
    database,
    payloads: plainPayloads,
    redactor: createRedactor(),
    nextId: () => 'id',
    clock: systemClock,
    worker,
  }
}

/** The same database, whose first write waits until it is let go. */
function holdWrites(database: Database) {
  const reached = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const held: Database = {
    dialect: database.dialect,
    version: database.version,
    read: (statement) => database.read(statement),
    snapshot: () => database.snapshot(),
    async write(unit) {
      reached.resolve()
      await gate.promise
      return await database.write(unit)
    },
    close: () => database.close(),
  }
  return { database: held, reached: reached.promise, letGo: gate.resolve }
}

describe('memory', () => {
  stateContract(async () => {
    const state = createMemoryState()
    const fill = async (scope: string, id: string, cells: number) => {
      for (let at = 0; at < cells; at++) {
        const cell = defineCell(`c${at}`, { initial: () => 0, scope })
        await state.at({ [scope]: id }).update(cell, () => 0)
      }
    }
    return { state, fill }
  })
})

forEachDatabase((kit) => {
  let database: Database
  beforeAll(async () => {
    database = await kit.open()
  })

  stateContract(async () => {
    await emptied(database)
    const state = createStoredState(partsOf(database))
    const sql = `INSERT INTO cells
      (scope, scope_id, name, version, updated_at, payload)
      VALUES (?, ?, ?, 1, 1, '0')`
    const fill = async (scope: string, id: string, cells: number) => {
      const statements: Statement[] = Array.from(
        { length: cells },
        (_, at) => ({
          sql,
          values: [scope, id, `c${at}`],
        }),
      )
      await database.write({ name: 'test.fill', statements })
    }
    return { state, fill }
  })

  test('two processes that add one again and again lose nothing', async () => {
    const shared = await kit.open()
    const times = process.env['HOOKLINE_LONG'] === '1' ? 1_000 : 250
    const file = new URL('fixtures/increment-process.ts', import.meta.url)
    const place = JSON.stringify(kit.placeOf(shared))
    const args = [fileURLToPath(file), place, `${times}`]
    const children = [1, 2].map(() =>
      spawn(process.execPath, args, {
        stdio: ['ignore', 'inherit', 'inherit'],
      }),
    )
    const codes = await Promise.all(
      children.map(async (child) => (await once(child, 'exit'))[0]),
    )
    expect(codes).toEqual([0, 0])
    const state = createStoredState(partsOf(shared))
    expect(await state.at({}).get(count)).toBe(2 * times)
  }, 120_000)

  describe('what another process does between reading and writing', () => {
    const cell = defineCell('count', { initial: () => 0, scope: 'turn' })

    /** Adds one, while the other does something before that is written. */
    async function addDuring(
      meddle: (other: StoredState) => Promise<unknown>,
      before?: number,
    ) {
      await emptied(database)
      const held = holdWrites(database)
      const other = createStoredState(partsOf(database, 'w2'))
      const mine = createStoredState(partsOf(held.database)).at({ turn: '1' })
      const theirs = other.at({ turn: '1' })
      if (before !== undefined) await theirs.update(cell, () => before)
      const seen: number[] = []
      const updating = mine.update(cell, (value) => {
        seen.push(value)
        return value + 1
      })
      await held.reached
      await meddle(other)
      held.letGo()
      expect(await updating).toBe((seen.at(-1) ?? 0) + 1)
      return { seen, value: await theirs.get(cell) }
    }

    test('is seen, and not overwritten', async () => {
      const meddle = async (other: StoredState) =>
        other.at({ turn: '1' }).update(cell, () => 10)
      expect(await addDuring(meddle, 5)).toEqual({ seen: [5, 10], value: 11 })
      expect(await addDuring(meddle)).toEqual({ seen: [0, 10], value: 11 })
    })

    test('a cell that was deleted begins anew', async () => {
      const meddle = async (other: StoredState) => {
        other.end('turn', '1')
        await other.drain()
      }
      expect(await addDuring(meddle, 5)).toEqual({ seen: [5, 0], value: 1 })
    })

    test('a cell that was made anew is not taken for the old one', async () => {
      const meddle = async (other: StoredState) => {
        other.end('turn', '1')
        await other.at({ turn: '1' }).update(cell, () => 100)
      }
      const result = await addDuring(meddle, 5)
      expect(result).toEqual({ seen: [5, 100], value: 101 })
    })
  })

  test('the end of a scope that fails is told', async () => {
    const broken = await kit.open()
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const state = createStoredState(partsOf(broken), { onError })
    await broken.close()
    state.end('turn', '1')
    await state.drain()
    expect(errors).toMatchObject([{ code: 'closed' }])
  })

  test('values are in payloads alone', async () => {
    await emptied(database)
    const state = createStoredState(partsOf(database))
    const cell = defineCell('notes', { initial: () => '' })
    await state.at({}).update(cell, () => 'sk-ant-secret-7')
    const [row] = await rowsOf(database, 'cells')
    const { payload, ...others } = row ?? {}
    expect(payload).toBe('"sk-ant-secret-7"')
    expect(JSON.stringify(others)).not.toContain('secret')
  })

  test('updates of four processes at once all get through', async () => {
    await emptied(database)
    const states = ['w1', 'w2', 'w3', 'w4'].map((worker) =>
      createStoredState(partsOf(database, worker)).at({}),
    )
    const updates = states.flatMap((state) =>
      Array.from({ length: 50 }, async () => state.update(count, addOne)),
    )
    const values = await Promise.all(updates)
    expect(new Set(values).size).toBe(200)
    expect(Math.max(...values)).toBe(200)
  })
})
