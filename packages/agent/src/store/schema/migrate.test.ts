import { expect, test } from 'vitest'
import { startChild } from '../fixtures/child.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { openPlace } from '../fixtures/places.ts'
import { insertMeta, plain, readMeta, unit } from '../fixtures/statements.ts'
import type { WriteInput } from '../fixtures/write-program.ts'
import type { Migration } from './migration.ts'
import { migrations } from './migrations.ts'

const program = new URL('../fixtures/write-program.ts', import.meta.url)

const second: Migration = {
  version: 1_000,
  name: 'second',
  sql: `CREATE TABLE notes (id TEXT PRIMARY KEY); INSERT INTO notes (id) VALUES ('made; once');`,
  only: { sqlite: '', postgres: '' },
}
const third: Migration = {
  version: 1_001,
  name: 'third',
  sql: `ALTER TABLE notes ADD COLUMN words TEXT; UPDATE notes SET words = 'filled';`,
  only: {
    sqlite: 'CREATE TABLE here (x TEXT);',
    postgres: 'CREATE TABLE there (x TEXT);',
  },
}
const broken: Migration = {
  version: 1_002,
  name: 'broken',
  sql: 'CREATE TABLE half (x TEXT); INSERT INTO no_such_table VALUES (1);',
  only: { sqlite: '', postgres: '' },
}
const extended = [...migrations, second, third]

const readVersions = plain(
  'SELECT version, name FROM migrations ORDER BY version',
)
const readNotes = plain('SELECT id, words FROM notes')

forEachDatabase((kit) => {
  test('a database goes from version to version, and keeps what is in it', async () => {
    const database = await kit.open()
    await database.write(unit('set', insertMeta('kept', 'yes')))
    const newer = await kit.reopen(database, { migrations: extended })
    expect(await newer.read(readNotes)).toEqual([
      { id: 'made; once', words: 'filled' },
    ])
    expect(await newer.read(readMeta('kept'))).toEqual([{ value: 'yes' }])
    expect(await newer.read(readVersions)).toEqual(
      extended.map(({ version, name }) => ({ version, name })),
    )
    const again = await kit.reopen(database, { migrations: extended })
    expect(await again.read(readNotes)).toHaveLength(1)
  })

  test('F154 a database of a newer program is refused, and left as it is', async () => {
    const database = await kit.open({ migrations: extended })
    await expect(kit.reopen(database)).rejects.toMatchObject({
      name: 'StoreError',
      code: 'newer-schema',
      message: expect.stringContaining('1001'),
    })
    expect(await database.read(readVersions)).toHaveLength(extended.length)
  })

  test('a migration that is not the one that was applied is refused', async () => {
    const database = await kit.open({ migrations: extended })
    const edited = { ...second, sql: `${second.sql} ` }
    const changed = kit.reopen(database, {
      migrations: [...migrations, edited, third],
    })
    await expect(changed).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('1000'),
    })
    const missing = kit.reopen(database, { migrations: [...migrations, third] })
    await expect(missing).rejects.toMatchObject({ code: 'corrupt' })
  })

  test('a migration that fails leaves nothing behind', async () => {
    const database = await kit.open()
    const failing = kit.reopen(database, { migrations: [...extended, broken] })
    await expect(failing).rejects.toMatchObject({ code: 'invalid-statement' })
    expect(await database.read(readVersions)).toHaveLength(extended.length)
    const half = database.read(plain('SELECT * FROM half'))
    await expect(half).rejects.toMatchObject({ code: 'invalid-statement' })
  })

  test('many processes that migrate at once do it once', async () => {
    const database = await kit.open()
    const place = kit.placeOf(database)
    const opened = await Promise.all(
      Array.from({ length: 4 }, () =>
        openPlace(place, { migrations: extended }),
      ),
    )
    for (const one of opened) expect(await one.read(readNotes)).toHaveLength(1)
    await Promise.all(opened.map((one) => one.close()))
  })

  test('processes that open a new database at once make it once', async () => {
    const place = await kit.newPlace()
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => openPlace(place)),
    )
    for (const one of opened) {
      expect(await one.read(readVersions)).toHaveLength(migrations.length)
    }
    await Promise.all(opened.map((one) => one.close()))
  })

  test.each([
    '1000:before-write',
    '1000:before-commit',
    '1001:before-write',
    '1001:before-commit',
  ])(
    'F155 a migration killed at %s is done again by who opens next',
    async (moment) => {
      const database = await kit.open()
      const input: WriteInput = {
        place: kit.placeOf(database),
        options: {
          migrations: extended,
          failpoints: { [`migrate.${moment}`]: { do: 'kill' } },
        },
        times: 0,
        unit: unit('none'),
      }
      expect(await startChild(program, input).ended).toMatchObject({
        signal: 'SIGKILL',
      })
      const applied = await database.read(readVersions)
      expect(applied).toHaveLength(
        migrations.length + (moment.startsWith('1001') ? 1 : 0),
      )
      const again = await kit.reopen(database, { migrations: extended })
      expect(await again.read(readNotes)).toEqual([
        { id: 'made; once', words: 'filled' },
      ])
    },
  )
})
