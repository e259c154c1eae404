import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { diskFolder } from '../fixtures/disk-folder.ts'
import { insertMeta, keysFrom, readMeta, unit } from '../fixtures/statements.ts'
import { openSqlite } from './open-sqlite.ts'

test('F148 who waits too long for another writer is told so, reads go on, and so does it afterwards', async () => {
  const file = join(diskFolder(), 'store.db')
  const database = await openSqlite({ file, busyMs: 50 })
  await database.write(unit('one', insertMeta('key-1')))
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  const outcomes = await Promise.allSettled([
    database.write(unit('two', insertMeta('key-2'))),
    database.write({ ...unit('three', insertMeta('key-3')), isPatient: true }),
  ])
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { code: 'busy' } },
    { status: 'rejected', reason: { code: 'busy' } },
  ])
  expect(await database.read(readMeta('key-1'))).toHaveLength(1)
  other.exec('ROLLBACK')
  other.close()
  await database.write(unit('four', insertMeta('key-4')))
  const kept = await database.read(keysFrom('key-'))
  expect(kept.map(({ key }) => key)).toEqual(['key-1', 'key-4'])
  await database.close()
})

test('F148 a writer that has to wait gets its turn when the other is done', async () => {
  const file = join(diskFolder(), 'store.db')
  const database = await openSqlite({ file })
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  const written = database.write(unit('one', insertMeta('key-1')))
  // Answered by the reader, while the writer waits.
  expect(await database.read(keysFrom('key-'))).toEqual([])
  other.exec('COMMIT')
  other.close()
  await written
  expect(await database.read(keysFrom('key-'))).toHaveLength(1)
  await database.close()
})
