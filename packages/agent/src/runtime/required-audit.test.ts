import { expect, test } from 'vitest'
import { createPolicy } from '../index.ts'
import { createAudit } from '../store/audit/create-audit.ts'
import { forEachDatabase } from '../store/fixtures/databases.ts'
import type { DatabasePlace } from '../store/fixtures/places.ts'
import { openStore } from '../store/open-store.ts'
import { away, makeFaulty } from '../store/runs/fixtures/faulty-database.ts'
import { scriptedModel } from '../testing/index.ts'
import { createDurableRuntime } from './durable-runtime.ts'
import { notedTool } from './fixtures/crashes.ts'

/** A session whose audit log has room for one entry, and can lose its database. */
async function openAudited(place: DatabasePlace, isRequired: boolean) {
  const store = await openStore({ database: place })
  const database = makeFaulty(store.parts.database)
  const parts = { ...store.parts, database }
  const audit = createAudit(parts, { isRequired, maxWaiting: 1 })
  const ran: string[] = []
  const model = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'Done.' }
      : { calls: [{ tool: 'one', args: {} }] },
  )
  const runtime = createDurableRuntime({
    store: { ...store, audit },
    policy: createPolicy({ mode: 'open' }),
    models: { resolve: () => model },
    tools: [notedTool('one', ran)],
  })
  const close = async () => {
    await runtime.close()
    await audit.close()
    await store.close()
  }
  await runtime.register({ name: 'main', model: 'x', instructions: '' })
  const session = await runtime.openSession({ agent: 'main' })
  const turn = async () => (await session.send('Go.').result).status
  return { audit, database, ran, turn, close }
}

forEachDatabase((kit) => {
  test('F210 where audit is required, no call runs that its log has no room for, until there is room', async () => {
    const place = await kit.newPlace()
    const life = await openAudited(place, true)
    const { audit, database, ran, turn } = life
    database.failWith(away)
    expect(await turn()).toBe('succeeded')
    expect(await turn()).toBe('failed')
    expect(ran).toEqual(['one'])
    database.failWith(undefined)
    // It tells what was lost meanwhile.
    await audit.flush().catch(() => {})
    expect(await turn()).toBe('succeeded')
    expect(ran).toEqual(['one', 'one'])
    await life.close()
  })

  test('F210 where audit is not required, calls run whether its log has room for them or not', async () => {
    const place = await kit.newPlace()
    const life = await openAudited(place, false)
    const { audit, database, ran, turn } = life
    database.failWith(away)
    for (let at = 0; at < 3; at++) expect(await turn()).toBe('succeeded')
    expect(ran).toEqual(['one', 'one', 'one'])
    database.failWith(undefined)
    await expect(audit.flush()).rejects.toThrow('2 audit entries were lost')
    await life.close()
  })
})
