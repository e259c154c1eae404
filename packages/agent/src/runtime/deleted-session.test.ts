import { defineCell, defineHook, proceed } from 'hookline'
import { turnPostTurn } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createPolicy } from '../index.ts'
import { forEachDatabase } from '../store/fixtures/databases.ts'
import { scriptedModel } from '../testing/index.ts'
import { beginLife } from './fixtures/durable.ts'

const notes = defineCell('notes', { initial: () => 0, scope: 'session' })

forEachDatabase((kit) => {
  /** A session that is deleted while hooks still hear how its turn ended. */
  async function deleteBusy() {
    const place = await kit.newPlace()
    const begun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const slow = defineHook({
      name: 'slow',
      on: turnPostTurn,
      run: async () => {
        begun.resolve()
        await gate.promise
        return proceed
      },
    })
    const later = defineHook({
      name: 'later',
      on: turnPostTurn,
      after: ['slow'],
      run: async (_, { state }) => {
        await state.update(notes, (count) => count + 1)
        return proceed
      },
    })
    const queued = defineHook({
      name: 'queued',
      on: turnPostTurn,
      after: ['slow'],
      execution: 'background',
      run: () => {},
    })
    const life = await beginLife({
      place,
      policy: createPolicy({ mode: 'open' }),
      models: { resolve: () => scriptedModel([{ text: 'Hi.' }]) },
      hooks: [slow, later, queued],
      worker: false,
      recovers: false,
    })
    const { runtime, store } = life
    const session = await runtime.openSession({ agent: 'main', id: 's' })
    await session.send('Go.').result
    await begun.promise
    await session.close('deleted')
    return {
      ...life,
      letGo: gate.resolve,
      async rowsOf(table: string, where = "session_id = 's'") {
        const sql = `SELECT * FROM ${table} WHERE ${where}`
        return await store.parts.database.read({ sql, values: [] })
      },
    }
  }

  test('what hooks do for a session after it was deleted leaves nothing of it', async () => {
    const world = await deleteBusy()
    world.letGo()
    await world.runtime.drain()
    expect(await world.rowsOf('sessions', "id = 's'")).toEqual([])
    for (const table of ['runs', 'jobs', 'events']) {
      expect(await world.rowsOf(table), table).toEqual([])
    }
    const ofSession = "scope = 'session' AND scope_id = 's'"
    expect(await world.rowsOf('cells', ofSession)).toEqual([])
    await world.close()
  })

  test('a session that was begun anew under its id keeps what it has', async () => {
    const world = await deleteBusy()
    const { runtime } = world
    const session = await runtime.openSession({ agent: 'main', id: 's' })
    world.letGo()
    await session.send('Again.').result
    await runtime.drain()
    expect(await world.rowsOf('turns')).toHaveLength(1)
    const hooks = (await world.rowsOf('runs')).map(({ hook }) => hook)
    expect(hooks).toEqual(expect.arrayContaining(['slow', 'later', 'queued']))
    await world.close()
  })
})
