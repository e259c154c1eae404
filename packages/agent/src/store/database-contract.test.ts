import { expect, test } from 'vitest'
import type { Database } from './database.ts'
import { startChild } from './fixtures/child.ts'
import { type DatabaseKit, forEachDatabase } from './fixtures/databases.ts'
import {
  insertMeta,
  keysFrom,
  plain,
  readMeta,
  setMeta,
  unit,
} from './fixtures/statements.ts'
import type { WriteInput } from './fixtures/write-program.ts'

const program = new URL('./fixtures/write-program.ts', import.meta.url)

async function keysOf(database: Database, prefix: string): Promise<string[]> {
  const rows = await database.read(keysFrom(prefix))
  return rows.map(({ key }) => String(key))
}

function startWriter(
  kit: DatabaseKit,
  database: Database,
  input: Omit<WriteInput, 'place'>,
) {
  return startChild(program, { place: kit.placeOf(database), ...input })
}

forEachDatabase((kit) => {
  test('a unit is done whole or not at all', async () => {
    const database = await kit.open()
    const done = database.write(
      unit('pair', insertMeta('a'), insertMeta('b'), insertMeta('a')),
    )
    await expect(done).rejects.toMatchObject({
      name: 'StoreError',
      code: 'exists',
    })
    expect(await keysOf(database, '')).not.toContain('b')
    await database.write(unit('pair', insertMeta('a'), insertMeta('b')))
    expect(await keysOf(database, '')).toEqual(
      expect.arrayContaining(['a', 'b']),
    )
  })

  test('a statement that changes more or fewer rows than expected undoes its unit', async () => {
    const database = await kit.open()
    await database.write(
      unit('first', insertMeta('a', 'old'), insertMeta('b', 'old')),
    )
    const all = {
      sql: `UPDATE meta SET value = ? WHERE value = ?`,
      values: ['new', 'old'],
    }
    const attempts = [
      unit('none', insertMeta('c'), setMeta('a', 'other', 'new')),
      unit('many', insertMeta('c'), { ...all, expects: 1 }),
      unit('read', insertMeta('c'), { ...readMeta('missing'), expects: 1 }),
      unit('given', insertMeta('c'), {
        ...all,
        sql: `${all.sql} RETURNING key`,
        expects: 1,
      }),
    ]
    for (const attempt of attempts) {
      await expect(database.write(attempt)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(attempt.name),
      })
    }
    expect(await keysOf(database, 'c')).toEqual([])
    expect(await database.read(readMeta('a'))).toEqual([{ value: 'old' }])
  })

  test('a snapshot is of the moment it was asked for, whatever is written meanwhile', async () => {
    const database = await kit.open()
    await database.write(unit('before', insertMeta('a', 'old')))
    const snapshot = await database.snapshot()
    await database.write(unit('after', setMeta('a', 'old', 'new')))
    await database.write(unit('after', insertMeta('b')))
    expect(await snapshot.read(readMeta('a'))).toEqual([{ value: 'old' }])
    expect(await snapshot.read(readMeta('b'))).toEqual([])
    expect(await database.read(readMeta('a'))).toEqual([{ value: 'new' }])
    await snapshot.close()
  })

  test('a snapshot of which a read has failed shows nothing of later', async () => {
    const database = await kit.open()
    const snapshot = await database.snapshot()
    const wrong = snapshot.read({ sql: 'SELECT * FROM nowhere', values: [] })
    await expect(wrong).rejects.toMatchObject({ name: 'StoreError' })
    await expect(snapshot.read(readMeta('a'))).rejects.toMatchObject({
      name: 'StoreError',
    })
    await snapshot.close()
    expect(await database.read(readMeta('a'))).toEqual([])
  })

  test('a database that is closed gives no snapshots', async () => {
    const database = await kit.open()
    await database.close()
    const snapshot = database.snapshot()
    await expect(snapshot).rejects.toMatchObject({ code: 'closed' })
  })

  test('a unit that fails leaves those beside it alone', async () => {
    const database = await kit.open()
    await database.write(unit('first', insertMeta('taken')))
    const broken = [
      insertMeta('taken'),
      setMeta('taken', 'other', 'new'),
      plain('SELECT no_such_column FROM meta'),
    ]
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => {
        const last =
          index % 2 === 0 ? insertMeta(`extra-${index}`) : broken[index % 3]
        return database.write(
          unit('many', insertMeta(`key-${index}`), last ?? insertMeta('')),
        )
      }),
    )
    const statuses = outcomes.map(({ status }) => status)
    expect(statuses).toEqual(
      outcomes.map((_, index) => (index % 2 === 0 ? 'fulfilled' : 'rejected')),
    )
    const codes = outcomes.map(
      (one) => one.status === 'rejected' && one.reason.code,
    )
    expect(new Set(codes)).toEqual(
      new Set([false, 'exists', 'conflict', 'invalid-statement']),
    )
    expect(await keysOf(database, 'key-')).toHaveLength(30)
    expect(await keysOf(database, 'extra-')).toHaveLength(30)
  })

  test('results hold the rows, and how many were changed', async () => {
    const database = await kit.open()
    const results = await database.write(
      unit(
        'all',
        insertMeta('a', '1'),
        insertMeta('b', '1'),
        plain('UPDATE meta SET value = ? WHERE value = ?', '2', '1'),
        plain(
          'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING',
          'a',
          '3',
        ),
        plain('DELETE FROM meta WHERE key = ? RETURNING key, value', 'a'),
        plain('SELECT key, value FROM meta WHERE key = ?', 'b'),
      ),
    )
    expect(results).toEqual([
      { rows: [], changes: 1 },
      { rows: [], changes: 1 },
      { rows: [], changes: 2 },
      { rows: [], changes: 0 },
      { rows: [{ key: 'a', value: '2' }], changes: 1 },
      { rows: [{ key: 'b', value: '2' }], changes: 1 },
    ])
    expect(await database.write(unit('empty'))).toEqual([])
  })

  test('what is acknowledged is read at once, by all who share it', async () => {
    const database = await kit.open()
    const other = await kit.reopen(database)
    for (let index = 0; index < 20; index += 1) {
      await database.write(unit('one', insertMeta(`key-${index}`, `${index}`)))
      const [mine, theirs] = await Promise.all([
        database.read(readMeta(`key-${index}`)),
        other.read(readMeta(`key-${index}`)),
      ])
      expect([mine, theirs]).toEqual([
        [{ value: `${index}` }],
        [{ value: `${index}` }],
      ])
    }
  })

  test('of many who compare and set, one wins', async () => {
    const database = await kit.open()
    const other = await kit.reopen(database)
    await database.write(unit('first', insertMeta('state', 'open')))
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 === 0 ? database : other).write(
          unit(
            'claim',
            setMeta('state', 'open', `by ${index}`),
            insertMeta(`won-${index}`),
          ),
        ),
      ),
    )
    const won = outcomes.flatMap((one, index) =>
      one.status === 'fulfilled' ? [index] : [],
    )
    expect(won).toHaveLength(1)
    expect(await keysOf(database, 'won-')).toEqual([`won-${won[0]}`])
  })

  test('F148 two processes that write at once both get through', async () => {
    const database = await kit.open()
    await database.write(
      unit('cell', plain(insertCell, 'process', 'all', 'count', 0, 0, '')),
    )
    const raise = 'UPDATE cells SET version = version + 1 WHERE name = ?'
    const children = ['left', 'right'].map((name) =>
      startWriter(kit, database, {
        times: 150,
        writers: 5,
        // It reads first: who locks only when it writes would be too late.
        unit: unit(
          'count',
          plain('SELECT version FROM cells'),
          insertMeta(`${name}-{n}`),
          { ...plain(raise, 'count'), expects: 1 },
        ),
      }),
    )
    const endings = await Promise.all(children.map(({ ended }) => ended))
    expect(endings).toEqual([
      { code: 0, signal: null, errors: '' },
      { code: 0, signal: null, errors: '' },
    ])
    for (const { lines } of children) {
      expect(lines.filter((line) => line.includes(' '))).toEqual([])
      expect(lines).toHaveLength(150)
    }
    expect(await database.read(plain('SELECT version FROM cells'))).toEqual([
      { version: 300 },
    ])
    expect(await keysOf(database, 'left-')).toHaveLength(150)
  })

  test('closing waits for all that was asked for, and then nothing more is done', async () => {
    const database = await kit.open()
    const asked = Array.from({ length: 60 }, (_, index) =>
      database.write({
        ...unit('last', insertMeta(`key-${String(index).padStart(2, '0')}`)),
        isPatient: index % 2 === 0,
      }),
    )
    const read = database.read(plain('SELECT 1 AS one'))
    await Promise.all([database.close(), database.close()])
    expect(await read).toEqual([{ one: 1 }])
    await Promise.all(asked)
    const closed = { name: 'StoreError', code: 'closed' }
    await expect(
      database.write(unit('late', insertMeta('late'))),
    ).rejects.toMatchObject(closed)
    await expect(database.read(readMeta('late'))).rejects.toMatchObject(closed)
    const again = await kit.reopen(database)
    expect(await keysOf(again, 'key-')).toHaveLength(60)
    expect(await keysOf(again, 'late')).toEqual([])
  })

  test('a unit sees one time, in whole milliseconds', async () => {
    const database = await kit.open()
    const before = Date.now()
    const rows = await database.read(
      plain(
        'SELECT hookline_now() AS now, hookline_now() / 7 * 7 <= hookline_now() AS fits',
      ),
    )
    const now = Number(rows[0]?.['now'])
    expect(Number.isSafeInteger(now)).toBe(true)
    expect(Math.abs(now - before)).toBeLessThan(5_000)
    expect(rows[0]?.['fits']).toBe(1)
  })
})

const insertCell = `INSERT INTO cells (scope, scope_id, name, version, updated_at, payload)
VALUES (?, ?, ?, ?, ?, ?)`
