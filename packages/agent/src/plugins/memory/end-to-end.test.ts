import { expect, test } from 'vitest'
import {
  createDurableRuntime,
  openStore,
  type StoreOptions,
} from '../../durable.ts'
import { createPolicy } from '../../index.ts'
import { forEachDatabase } from '../../store/fixtures/databases.ts'
import { type Script, scriptedModel } from '../../testing/index.ts'
import {
  createMemoryPlugin,
  type MemoryPluginOptions,
} from './create-memory-plugin.ts'
import { ann } from './fixtures/stage.ts'

const annSpace = { agent: 'main', user: 'ann' }

/** What a process does when it starts. */
async function start(
  database: StoreOptions['database'],
  script: Script,
  isWorking = true,
  plugin: Omit<MemoryPluginOptions, 'memories'> = {},
) {
  const store = await openStore({ database })
  const model = scriptedModel(script)
  const runtime = createDurableRuntime({
    store,
    models: { resolve: () => model },
    policy: createPolicy({ mode: 'open' }),
    plugins: [createMemoryPlugin({ ...plugin, memories: store.memories })],
    ...(!isWorking && { worker: false }),
  })
  await runtime.register({
    name: 'main',
    model: 'x',
    instructions: 'Be brief.',
    plugins: { memory: {} },
  })
  return {
    store,
    runtime,
    lastShown: () => JSON.stringify(model.requests.at(-1)?.messages ?? []),
    firstShown: () => JSON.stringify(model.requests[0]?.messages ?? []),
    async close() {
      await runtime.close()
      await store.close()
    },
  }
}

const call = (tool: string, args: Record<string, string>) => ({
  calls: [{ tool, args }],
})

forEachDatabase((kit) => {
  test('taught in one turn, recalled in another session and process, forgotten when asked', async () => {
    const place = await kit.newPlace()
    const text = 'The spare key hangs behind the woodshed.'
    const first = await start(place, [
      call('remember', { text, subject: 'spare key' }),
      { text: 'I will remember that.' },
      { text: 'Sunny.' },
    ])
    const opened = { agent: 'main', actor: ann }
    const one = await first.runtime.openSession({ ...opened, id: 'one' })
    await one.send('The spare key hangs behind the woodshed.').result
    await one.send('How is the weather?').result
    await one.close()
    await first.close()

    const second = await start(place, [{ text: 'Behind the woodshed.' }])
    const two = await second.runtime.openSession({ ...opened, id: 'two' })
    await two.send('Where did I put the spare key?').result
    expect(second.firstShown()).toContain(`- [spare-key] ${text}`)
    expect(second.firstShown()).not.toContain('I will remember that')
    await second.close()

    const third = await start(place, [
      call('forget', { name: 'spare-key' }),
      { text: 'Forgotten.' },
      { text: 'I do not know.' },
    ])
    const last = await third.runtime.openSession({ ...opened, id: 'three' })
    await last.send('Forget where the key is.').result
    expect(await third.store.memories.list(annSpace)).toEqual([])
    const next = await third.runtime.openSession({ ...opened, id: 'four' })
    await next.send('Where did I put the spare key?').result
    expect(third.lastShown()).not.toContain('woodshed')
    await third.close()
  }, 60_000)

  test('what a model finds in a turn is kept by the next attempt when one has failed', async () => {
    let failures = 1
    const facts = [{ text: 'The user lives in Porto.', subject: 'home' }]
    const script: Script = ({ model }) => {
      if (model !== 'reader') return { text: 'Nice.' }
      if (failures-- > 0) return { error: { code: 'overloaded' } }
      return { text: JSON.stringify({ facts }) }
    }
    const extractor = { model: 'reader' }
    const place = await kit.newPlace()
    const life = await start(place, script, true, { extractor })
    const opened = { agent: 'main', actor: ann, id: 'one' }
    const session = await life.runtime.openSession(opened)
    await session.send('I live in Porto.').result
    await expect
      .poll(() => life.store.memories.list(annSpace), { timeout: 20_000 })
      .toMatchObject([{ name: 'home', origin: 'extractor' }])
    await life.close()
  }, 60_000)

  test('what was told is kept by a job, also one of a process that stopped', async () => {
    const place = await kit.newPlace()
    const first = await start(place, [{ text: 'Nice.' }], false)
    const opened = { agent: 'main', actor: ann, id: 'one' }
    const one = await first.runtime.openSession(opened)
    const { turnId } = await one.send('I live in Porto.').result
    await one.close()
    await first.close()
    const second = await start(place, [])
    await expect
      .poll(() => second.store.memories.list(annSpace))
      .toMatchObject([
        {
          name: 'user-home',
          text: 'I live in Porto.',
          user: 'ann',
          origin: 'extractor',
          by: 'memory:extractor',
          sessionId: 'one',
          turnId,
        },
      ])
    await second.runtime.drain()
    const sql = "SELECT body FROM audit WHERE kind = 'hook.audit'"
    const { database } = second.store.parts
    await expect
      .poll(async () => (await database.read({ sql, values: [] })).length, {
        timeout: 20_000,
      })
      .toBe(1)
    const rows = await database.read({ sql, values: [] })
    expect(JSON.stringify(rows)).not.toContain('Porto')
    await second.close()
  }, 60_000)
})
