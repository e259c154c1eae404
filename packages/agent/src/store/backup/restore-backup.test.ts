import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../database.ts'
import { startChild } from '../fixtures/child.ts'
import { type DatabaseKit, forEachDatabase } from '../fixtures/databases.ts'
import {
  type DatabasePlace,
  makePlace,
  openPlace,
  removePlace,
} from '../fixtures/places.ts'
import { smallDisk } from '../fixtures/small-disk.ts'
import { openStore } from '../open-store.ts'
import { fillSession } from '../retention/fixtures/fill.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import { backupSqlite } from './backup-sqlite.ts'
import { dump, exported, fillStore } from './fixtures/filled-store.ts'
import { restoreBackup } from './restore-backup.ts'

vi.setConfig({ testTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'hookline-restore-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function linesFile(name: string, database: Database): Promise<string> {
  const file = join(folder, name)
  writeFileSync(file, (await exported(database)).join(''))
  return file
}

const program = new URL('./fixtures/restore-program.ts', import.meta.url)

/** All there is at a place, by what it is called. */
async function namesAt(place: DatabasePlace) {
  if (place.dialect === 'sqlite') {
    return readdirSync(dirname(place.file))
      .filter((name) => !/-(wal|shm|ballast)$/.test(name))
      .sort()
  }
  const database = await openPlace(place)
  const rows = await database.read({
    sql: "SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE ? || '%' ORDER BY nspname",
    values: [place.schema],
  })
  await database.close()
  return rows.map(({ name }) => String(name))
}

/** A store with a session in it, which nobody has open. */
async function usedPlace(kit: DatabaseKit) {
  const place = await kit.newPlace()
  const database = await openPlace(place)
  await fillSession(database, 'mine')
  const before = await dump(database)
  await database.close()
  const look = async () => {
    const again = await openPlace(place)
    const now = await dump(again)
    await again.close()
    return now
  }
  return { place, before, look }
}

forEachDatabase((kit) => {
  test('a backup takes the place of a store, which is kept under another name', async () => {
    const source = await kit.open()
    await fillStore(source)
    const from = await linesFile(`replace-${kit.name}.jsonl`, source)
    const { place, before, look } = await usedPlace(kit)
    const options = { store: { database: place } }
    await expect(restoreBackup(from, options)).rejects.toMatchObject({
      code: 'exists',
    })
    expect(await look()).toEqual(before)
    const { moved } = await restoreBackup(from, { ...options, replaces: true })
    expect(await look()).toEqual(await dump(source))
    const [name = ''] = moved
    const aside: DatabasePlace =
      place.dialect === 'sqlite'
        ? { dialect: 'sqlite', file: name }
        : { ...place, schema: name }
    const old = await openPlace(aside)
    expect(await dump(old)).toEqual(before)
    await old.close()
    if (aside.dialect === 'postgres') await removePlace(aside)
  })

  test('a backup fills what is not there, or empty, from whichever engine it is', async () => {
    const other = await makePlace(kit.name === 'sqlite' ? 'postgres' : 'sqlite')
    const source = await openPlace(other)
    await fillStore(source)
    const from = await linesFile(`across-${kit.name}.jsonl`, source)
    const rows = await dump(source)
    await source.close()
    await removePlace(other)
    const place = await kit.newPlace()
    const { moved } = await restoreBackup(from, { store: { database: place } })
    expect(moved).toEqual([])
    const store = await openStore({ database: place })
    expect(await dump(store.parts.database)).toEqual(rows)
    await store.close()
  })

  test('a store that somebody has open is not replaced', async () => {
    const source = await kit.open()
    await fillStore(source)
    const from = await linesFile(`open-${kit.name}.jsonl`, source)
    const { place, look, before } = await usedPlace(kit)
    const store = await openStore({ database: place })
    const restoring = restoreBackup(from, {
      store: { database: place },
      replaces: true,
    })
    await expect(restoring).rejects.toMatchObject({ code: 'busy' })
    await store.close()
    expect(await look()).toEqual(before)
  })

  test('a backup that is cut or changed leaves what is there, and nothing beside it', async () => {
    const source = await kit.open()
    await fillStore(source)
    const from = await linesFile(`damaged-${kit.name}.jsonl`, source)
    const whole = readFileSync(from)
    const { place, look, before } = await usedPlace(kit)
    const names = await namesAt(place)
    const flipped = Buffer.from(whole)
    const at = whole.indexOf('turn-start')
    flipped[at] = (flipped[at] ?? 0) ^ 1
    const cut = whole.subarray(0, whole.lastIndexOf('{"type":"end"'))
    for (const bytes of [cut, whole.subarray(0, -20), flipped]) {
      writeFileSync(from, bytes)
      const restoring = restoreBackup(from, {
        store: { database: place },
        replaces: true,
      })
      await expect(restoring).rejects.toMatchObject({ code: 'corrupt' })
      expect(await look()).toEqual(before)
      expect(await namesAt(place)).toEqual(names)
    }
  })

  test('a restore that is killed leaves what is there, and can be begun again', async () => {
    const source = await kit.open()
    await fillStore(source)
    const from = await linesFile(`killed-${kit.name}.jsonl`, source)
    const { place, look, before } = await usedPlace(kit)
    for (const hit of [1, 5, 12]) {
      const failpoints = {
        'backup.restore:before-commit': { do: 'kill', hit },
      } as const
      const database = { ...place, failpoints }
      const child = startChild(program, { from, database })
      expect((await child.ended).signal).toBe('SIGKILL')
      expect(await look()).toEqual(before)
    }
    const child = startChild(program, { from, database: place })
    expect(await child.ended).toMatchObject({ code: 0, errors: '' })
    expect(await look()).toEqual(await dump(source))
    const [name = ''] = JSON.parse(child.lines[0] ?? '[]')
    expect(name).toContain('before')
    if (place.dialect === 'postgres')
      await removePlace({ ...place, schema: name })
  })
})

test('a schema of Postgres that has tables of others is left alone', async () => {
  const place = await makePlace('postgres')
  const database = await openPlace(place)
  const from = await linesFile('foreign.jsonl', database)
  await database.write({
    name: 'test.foreign',
    statements: [{ sql: 'CREATE TABLE theirs (id BIGINT)', values: [] }],
  })
  const restoring = restoreBackup(from, {
    store: { database: place },
    replaces: true,
  })
  await expect(restoring).rejects.toMatchObject({
    message: expect.stringContaining('"theirs"'),
  })
  const rows = await database.read({ sql: 'SELECT * FROM theirs', values: [] })
  expect(rows).toEqual([])
  await database.close()
  await removePlace(place)
})

describe('a SQLite file', () => {
  test('whose names were half changed is opened by nobody, until it is restored again', async () => {
    const file = join(folder, 'half.db')
    const database = await openSqlite({ file })
    await fillSession(database, 'mine')
    await database.close()
    const from = join(folder, 'half-backup.db')
    await backupSqlite({ from: file, to: from })
    // As a process that was killed between two names leaves them.
    const made = `${file}.restoring`
    const aside = `${file}.before-x`
    writeFileSync(`${file}-restore`, JSON.stringify({ made, aside }))
    writeFileSync(made, '')
    renameSync(file, aside)
    await expect(openSqlite({ file })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('restore it again'),
    })
    expect(existsSync(file)).toBe(false)
    const store = { database: { file } }
    const { moved } = await restoreBackup(from, { store, replaces: true })
    expect(existsSync(aside)).toBe(false)
    expect(moved[0]).toContain('.before-')
    const again = await openSqlite({ file })
    expect((await dump(again))['sessions']).toHaveLength(1)
    await again.close()
  })

  test('is left as it is where the disk is too small for the new one', async () => {
    const big = await openSqlite({ file: join(folder, 'big.db') })
    await fillStore(big)
    const lines = await linesFile('big.jsonl', big)
    await big.close()
    const copy = join(folder, 'big-backup.db')
    await backupSqlite({ from: join(folder, 'big.db'), to: copy })
    for (const from of [lines, copy]) {
      const disk = mkdtempSync(join(folder, 'disk-'))
      const file = join(disk, 'store.db')
      const before = smallDisk(disk, 1)
      // What is there has no name of ours: it only has to stay.
      const script = `echo mine > "${file}"; chmod 600 "${file}"; head -c 700000 /dev/zero > "${disk}/filler"; "$@"; cd "${disk}"; echo *; cat store.db`
      const words = ['sh', '-c', script, 'sh']
      const child = startChild(
        program,
        { from, database: { file } },
        { before: [...before, ...words] },
      )
      expect(await child.ended).toMatchObject({ code: 0, errors: '' })
      const [code, names, text] = child.lines
      expect(['full', 'ENOSPC']).toContain(code)
      expect(names).toBe('filler store.db')
      expect(text).toBe('mine')
    }
  })
})
