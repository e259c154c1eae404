import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { diskFolder } from '../fixtures/disk-folder.ts'
import { insertMeta, keysFrom, setMeta, unit } from '../fixtures/statements.ts'
import { stepsFor } from '../schema/migrate.ts'
import { migrations } from '../schema/migrations.ts'
import type { Sabotage, SentUnit } from './messages.ts'
import { openSabotaged, openSqlite } from './open-sqlite.ts'
import { prepareFile } from './prepare-file.ts'
import { Writer } from './writer.ts'

/**
 * How often this thread has waited for something. It does nothing else here:
 * so each wait is for the disk to say that something is on it.
 */
function waitsSoFar(): number {
  const status = readFileSync('/proc/thread-self/status', 'utf8')
  return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1])
}

/** Writes units one by one on this thread; how often the disk was waited for. */
async function waitsFor(units: number, sabotage: Sabotage): Promise<number> {
  const file = join(diskFolder(), 'store.db')
  await prepareFile(file)
  const { sql } = insertMeta('')
  const writer = new Writer(
    {
      role: 'writer',
      file,
      busyMs: 1_000,
      ballastBytes: 0,
      failpoints: undefined,
      steps: stepsFor('sqlite', migrations),
      clockFile: undefined,
      sabotage,
    },
    new Map([[1, sql]]),
  )
  const before = waitsSoFar()
  for (let id = 1; id <= units; id += 1) {
    const values = [`key-${id}`, 'value']
    const statements = [{ statement: 1, values, expects: 1 }]
    const sent = {
      id,
      name: 'one',
      isPatient: false,
      isClosing: false,
      statements,
    }
    const line: SentUnit[] = [sent]
    const [outcome] = writer.write(() => line.pop())
    expect(outcome).toMatchObject({ id, results: [{ changes: 1 }] })
  }
  const waits = waitsSoFar() - before
  writer.close()
  return waits
}

const units = 100

test('F151 each unit that is acknowledged was waited for by the disk at least once', async () => {
  const waits = await waitsFor(units, {})
  console.log(
    `waits for the disk per acknowledged unit: ${(waits / units).toFixed(1)}`,
  )
  expect(waits).toBeGreaterThanOrEqual(units)
})

test('sabotage: with synchronous off the disk is not waited for, and that is noticed', async () => {
  expect(await waitsFor(units, { synchronous: 'OFF' })).toBeLessThan(units)
})

test('the file says itself that it is written ahead', async () => {
  const file = join(diskFolder(), 'store.db')
  const database = await openSqlite({ file })
  await database.write(unit('one', insertMeta('a')))
  await database.close()
  const sqlite = new DatabaseSync(file, { readOnly: true })
  expect(sqlite.prepare('PRAGMA journal_mode').get()).toEqual({
    journal_mode: 'wal',
  })
  sqlite.close()
})

/** Ten units in one group, every other a conflict; what is kept of them. */
async function keptBeside(database: Database): Promise<number> {
  await database.write(unit('first', insertMeta('state', 'open')))
  await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) => {
      const first = insertMeta(`key-${index}`)
      if (index % 2 === 0) return database.write(unit('fits', first))
      return database.write(
        unit('clash', first, setMeta('state', 'closed', 'x')),
      )
    }),
  )
  const kept = await database.read(keysFrom('key-'))
  await database.close()
  return kept.length
}

test('in one group a unit that is a conflict is undone, and only it', async () => {
  const file = join(diskFolder(), 'store.db')
  expect(await keptBeside(await openSqlite({ file }))).toBe(5)
})

test('sabotage: without savepoints a conflict leaves half a unit, and that is noticed', async () => {
  const file = join(diskFolder(), 'store.db')
  const database = await openSabotaged({ file }, { withoutSavepoints: true })
  expect(await keptBeside(database)).not.toBe(5)
})
