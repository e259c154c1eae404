import { spawnSync } from 'node:child_process'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { dropDeadWorkers } from './dead-workers.ts'
import { forEachDatabase } from './fixtures/databases.ts'
import { shareDatabase } from './runs/fixtures/share-database.ts'
import { openProcess } from './sessions/fixtures/open-process.ts'
import { isGone, processName } from './worker-name.ts'

const name = processName()
// As Linux says who a process is: its number, its start, and that of its machine.
const [, where = '', , startedAt = '', boot = ''] =
  /^(.+) (\d+) (\d+) (\S+)$/.exec(name) ?? []
const otherBoot = '00000000-0000-4000-8000-000000000000'

/** The number of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid
}

forEachDatabase((kit) => {
  const empty = shareDatabase(kit)
  let database: Database
  beforeEach(async () => {
    database = await empty()
  })

  async function lease(id: string, workerName: string): Promise<void> {
    const sql = `INSERT INTO workers (id, name, started_at, leased_until)
VALUES (?, ?, hookline_now(), hookline_now() + 600000)`
    const statements = [{ sql, values: [id, workerName] }]
    await database.write({ name: 'test.lease', statements })
  }

  async function left(): Promise<readonly unknown[]> {
    const { parts } = await openProcess(database, 'own')
    await dropDeadWorkers(parts)
    const sql = 'SELECT id FROM workers ORDER BY id'
    return (await database.read({ sql, values: [] })).map(({ id }) => id)
  }

  test('the lease of a process that is gone ends at once, and that of one that runs does not', async () => {
    await lease('gone', `${where} ${deadPid()} ${startedAt} ${boot}`)
    await lease('here', name)
    expect(await left()).toEqual(['here', 'own'])
  })

  test('so does that of one whose number another process has now', async () => {
    await lease('before', `${where} ${process.pid} 1 ${boot}`)
    expect(await left()).toEqual(['own'])
  })

  test('the lease of another machine with the same name is its own', async () => {
    await lease('other', `${where} ${deadPid()} ${startedAt} ${otherBoot}`)
    expect(await left()).toEqual(['other', 'own'])
  })

  test('what an older version has written runs out by its lease', async () => {
    await lease('older', `${where} ${deadPid()}`)
    expect(await left()).toEqual(['older', 'own'])
  })
})

describe('where a machine does not say when it was started', () => {
  const here = { place: 'laptop darwin', boot: undefined }
  const gone = `laptop darwin ${deadPid()}`

  test('a process that is gone is known to be only where a store has one machine', () => {
    expect(isGone(gone, { ...here, dialect: 'sqlite' })).toBe(true)
    expect(isGone(gone, { ...here, dialect: 'postgres' })).toBe(false)
  })

  test('a process that runs, and one of another place, are not gone', () => {
    const one = { ...here, dialect: 'sqlite' } as const
    expect(isGone(`laptop darwin ${process.pid}`, one)).toBe(false)
    expect(isGone(gone.replace('laptop', 'desktop'), one)).toBe(false)
    expect(isGone('another machine', one)).toBe(false)
  })
})
