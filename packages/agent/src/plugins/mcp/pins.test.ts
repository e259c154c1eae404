import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './fixtures/stage.ts'
import { createFilePins } from './pins.ts'

test('pins that are kept in one file from several places lose none of each other', async () => {
  const file = join(await makeFolder(), 'state', 'pins.json')
  const servers = Array.from({ length: 8 }, (_, at) => `server-${at}`)
  await Promise.all(
    servers.map(async (server) => {
      await createFilePins(file).write(server, new Map([['echo', server]]))
    }),
  )
  const kept = await Promise.all(
    servers.map(async (server) => await createFilePins(file).read(server)),
  )
  expect(kept.map((pinned) => pinned?.get('echo'))).toEqual(servers)
})
