import { expect, test } from 'vitest'
import { ownPostgres } from '../fixtures/own-postgres.ts'
import { insertMeta, keysFrom, unit } from '../fixtures/statements.ts'
import type { PostgresSabotage } from './do-units.ts'
import { openPostgres, openSabotagedPostgres } from './open-postgres.ts'

// Nothing is written but what somebody waits for.
const own = ownPostgres({ settings: ['wal_writer_delay=10s'] })
const units = 200

/** Writes, kills the server with the last acknowledgement; what is missing then. */
async function lostWith(
  schema: string,
  sabotage: PostgresSabotage,
): Promise<number> {
  const { server } = own()
  const options = { url: server.url, schema, reconnectMs: 30_000 }
  await (await openPostgres(options)).close()
  const database = await openSabotagedPostgres(options, sabotage)
  for (let number = 1; number <= units; number += 1) {
    await database.write(unit('one', insertMeta(`key-${number}`)))
  }
  await server.halt('kill')
  await server.start()
  const kept = await database.read(keysFrom('key-'))
  await database.close()
  return units - kept.length
}

test('F157 what was acknowledged is there after the server was killed', async () => {
  expect(await lostWith('synced', {})).toBe(0)
}, 60_000)

test('sabotage: with commits that nobody waits for some are lost, and that is noticed', async () => {
  expect(await lostWith('unsynced', { withoutSync: true })).toBeGreaterThan(0)
}, 60_000)
