import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startChild } from '../fixtures/child.ts'
import { diskFolder } from '../fixtures/disk-folder.ts'
import { insertMeta, keysFrom, plain, unit } from '../fixtures/statements.ts'
import type { WriteInput } from '../fixtures/write-program.ts'
import { openSqlite } from './open-sqlite.ts'

const program = new URL('../fixtures/write-program.ts', import.meta.url)

/** Writes a little in a process of its own; that one ends well, or is killed. */
async function writeIn(
  file: string,
  ending: 'killed' | 'closed',
): Promise<void> {
  const options =
    ending === 'killed'
      ? { failpoints: { 'one:before-notify': { hit: 3, do: 'kill' as const } } }
      : {}
  const input: WriteInput = {
    place: { dialect: 'sqlite', file },
    options,
    times: 3,
    unit: unit('one', insertMeta('key-{n}')),
  }
  const { signal } = await startChild(program, input).ended
  expect(signal).toBe(ending === 'killed' ? 'SIGKILL' : null)
}

/** Ruins a page that nobody reads when the file is opened. */
function damage(file: string): void {
  const sqlite = new DatabaseSync(file)
  sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const row = sqlite
    .prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'runs_by_time'`)
    .get()
  sqlite.close()
  const descriptor = openSync(file, 'r+')
  const offset = (Number(row?.['rootpage']) - 1) * 4_096
  writeSync(descriptor, Buffer.alloc(64, 0xff), 0, 64, offset)
  closeSync(descriptor)
}

test('after a process was killed the file is checked, and used if it is sound', async () => {
  const file = join(diskFolder(), 'store.db')
  await writeIn(file, 'killed')
  const database = await openSqlite({ file })
  expect(await database.read(keysFrom('key-'))).toHaveLength(3)
  expect(await database.read(keysFrom('open/'))).toHaveLength(1)
  await database.close()
})

test('after a process was killed a damaged file is refused', async () => {
  const file = join(diskFolder(), 'store.db')
  await writeIn(file, 'killed')
  damage(file)
  for (const attempt of ['first', 'again']) {
    await expect(openSqlite({ file }), attempt).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('restore a backup'),
    })
  }
})

test('after a good end it is not checked: that would take its time every time', async () => {
  const file = join(diskFolder(), 'store.db')
  await writeIn(file, 'closed')
  damage(file)
  const database = await openSqlite({ file })
  expect(await database.read(keysFrom('key-'))).toHaveLength(3)
  const ruined = database.read(plain('SELECT id FROM runs ORDER BY started_at'))
  await expect(ruined).rejects.toMatchObject({ code: 'corrupt' })
  await database.close()
})

test('a process that still has the file open is no reason to check it', async () => {
  const file = join(diskFolder(), 'store.db')
  const first = await openSqlite({ file })
  await first.write(unit('one', insertMeta('a')))
  const second = await openSqlite({ file })
  expect(await second.read(keysFrom('open/'))).toHaveLength(2)
  await second.close()
  expect(await first.read(keysFrom('open/'))).toHaveLength(1)
  await first.close()
})
