import { execFileSync } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { ownPostgres } from '../fixtures/own-postgres.ts'
import {
  insertMeta,
  keysFrom,
  plain,
  readMeta,
  setMeta,
  unit,
} from '../fixtures/statements.ts'
import type { PostgresSabotage } from './do-units.ts'
import { openSabotagedPostgres, type PostgresOptions } from './open-postgres.ts'

const own = ownPostgres()
const opened: Database[] = []
let count = 0

async function open(
  options: Partial<PostgresOptions> = {},
  sabotage: PostgresSabotage = {},
): Promise<{ database: Database; schema: string }> {
  count += 1
  const schema = `pool "${count}"`
  const { url } = own().server
  const database = await openSabotagedPostgres(
    { url, schema, ...options },
    sabotage,
  )
  opened.push(database)
  return { database, schema }
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()))
})

/** Patient units wait for a row that somebody holds; whether a gate passes. */
async function passesGate(sabotage: PostgresSabotage): Promise<boolean> {
  const { database, schema } = await open({ poolSize: 4 }, sabotage)
  const most = sabotage.withoutReserve === true ? 4 : 2
  await database.write(unit('first', insertMeta('row')))
  const table = `"${schema.replaceAll('"', '""')}".meta`
  const release = await own().hold(`UPDATE ${table} SET value = 'held'`)
  const blocked = []
  for (let number = 1; number <= most + 2; number += 1) {
    const statement = plain('UPDATE meta SET value = ?', `${number}`)
    blocked.push(
      database.write({ ...unit('patient', statement), isPatient: true }),
    )
    await own().lockWaits(Math.min(number, most))
  }
  let isThrough = false
  const gate = database.write(unit('gate', insertMeta('gate'))).then(() => {
    isThrough = true
  })
  if (most < 4) await gate
  else await own().lockWaits(most)
  const result = isThrough
  await release()
  await Promise.all([gate, ...blocked])
  return result
}

test('F159 patient work that holds all its connections leaves one for what gates', async () => {
  expect(await passesGate({})).toBe(true)
})

test('sabotage: without a connection kept for it a gate waits, and that is noticed', async () => {
  expect(await passesGate({ withoutReserve: true })).toBe(false)
})

test('F160 two units that lock each other out are both done, one of them again', async () => {
  const { database, schema } = await open()
  const name = `"${schema.replaceAll('"', '""')}"`
  await own().ask(`CREATE SEQUENCE ${name}.met`)
  await own().ask(`CREATE FUNCTION ${name}.meet() RETURNS BIGINT LANGUAGE plpgsql AS $$BEGIN
    PERFORM nextval('${name}.met');
    WHILE (SELECT last_value FROM ${name}.met) < 2 LOOP PERFORM pg_sleep(0.01); END LOOP;
    RETURN 1; END$$`)
  await database.write(unit('first', insertMeta('a', ''), insertMeta('b', '')))
  const touch = (key: string, by: string) =>
    plain(`UPDATE meta SET value = value || ? WHERE key = ?`, by, key)
  // Each goes on only when the other has locked its row, too.
  const meet = plain('SELECT meet()')
  await Promise.all([
    database.write(unit('left', touch('a', 'l'), meet, touch('b', 'l'))),
    database.write(unit('right', touch('b', 'r'), meet, touch('a', 'r'))),
  ])
  for (const key of ['a', 'b']) {
    const [row] = await database.read(readMeta(key))
    expect(row?.['value']).toMatch(/^(lr|rl)$/)
  }
  // Two tries, and one again; and one more for each time that the one which
  // tries again is quicker than the other, so that they lock each other out.
  const [met] = await database.read(
    plain('SELECT last_value AS count FROM met'),
  )
  expect(met?.['count']).toBeGreaterThanOrEqual(3)
  // The server counts when it has a moment.
  const deadlocks = 'SELECT sum(deadlocks)::int AS sum FROM pg_stat_database'
  await expect
    .poll(async () => (await own().ask(deadlocks))[0]?.['sum'])
    .toBeGreaterThan(0)
})

test.each([
  ['40001', 3, 'done'],
  ['40P01', 3, 'done'],
  ['40001', 100, 'busy'],
])(
  'F160 a unit that fails with %s %i times is %s',
  async (state, times, outcome) => {
    const { database, schema } = await open()
    const name = `"${schema.replaceAll('"', '""')}"`
    await own().ask(`CREATE SEQUENCE ${name}.tries`)
    await own().ask(`CREATE FUNCTION ${name}.collide() RETURNS BIGINT LANGUAGE plpgsql AS $$BEGIN
    IF nextval('${name}.tries') <= ${times} THEN RAISE EXCEPTION 'collision' USING ERRCODE = '${state}'; END IF;
    RETURN 1; END$$`)
    const written = database.write(
      unit('collide', insertMeta('key-1'), plain('SELECT collide()')),
    )
    const got = await written.then(
      () => 'done',
      (error) => error.code,
    )
    expect(got).toBe(outcome)
    expect(await database.read(keysFrom('key-'))).toHaveLength(
      outcome === 'done' ? 1 : 0,
    )
    const [tries] = await database.read(
      plain('SELECT last_value AS count FROM tries'),
    )
    expect(tries?.['count']).toBe(outcome === 'done' ? times + 1 : 6)
  },
)

test('a statement that takes too long is ended, and its connection goes on', async () => {
  // Made before, with time enough: only what is slow is to take too long.
  const { schema } = await open()
  const { database } = await open({ schema, statementMs: 3_000, poolSize: 1 })
  const slow = database.write(
    unit('slow', insertMeta('key-1'), plain('SELECT pg_sleep(60)')),
  )
  await expect(slow).rejects.toMatchObject({ code: 'busy' })
  await database.write(unit('next', insertMeta('key-2')))
  expect(await database.read(keysFrom('key-'))).toEqual([{ key: 'key-2' }])
})

test('a server that has become read-only refuses to write, goes on reading, and takes writes again later', async () => {
  const { database } = await open({ reconnectMs: 200 })
  await database.write(unit('first', insertMeta('key-1')))
  await own().ask('ALTER SYSTEM SET default_transaction_read_only = on')
  await own().reload()
  await expect(
    database.write(unit('late', insertMeta('key-2'))),
  ).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('read-only'),
  })
  expect(await database.read(keysFrom('key-'))).toHaveLength(1)
  await own().ask('ALTER SYSTEM RESET default_transaction_read_only')
  await own().reload()
  await database.write(unit('again', insertMeta('key-3')))
  expect(await database.read(keysFrom('key-'))).toHaveLength(2)
})

test('units that wait for a connection share it, and one that fails does not harm the others', async () => {
  const { database } = await open({ poolSize: 1 })
  await database.write(unit('first', insertMeta('state', 'open')))
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) =>
      database.write(
        index === 20
          ? unit('clash', insertMeta('half'), setMeta('state', 'closed', ''))
          : unit('fits', insertMeta(`key-${index}`)),
      ),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
    { reason: { code: 'conflict' } },
  ])
  expect(await database.read(keysFrom('key-'))).toHaveLength(39)
  expect(await database.read(readMeta('half'))).toEqual([])
})

test('who may not come in is told what to look at, without the password', async () => {
  const url = own().server.url.replace(
    /postgres:[0-9a-f]+@/,
    'postgres:wrong-secret@',
  )
  const refused = openSabotagedPostgres({ url, schema: 'refused' }, {})
  const error = await refused.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'StoreError', code: 'invalid-options' })
  expect(String(error)).not.toContain('wrong-secret')
})

test('without the package pg it says what to install', () => {
  const program = `
    import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      if (name !== 'pg') return next(name, context)
      throw Object.assign(new Error("Cannot find package 'pg'"), { code: 'ERR_MODULE_NOT_FOUND' })
    } })
    const { openPostgres } = await import(${JSON.stringify(new URL('./open-postgres.ts', import.meta.url))})
    await openPostgres({ url: 'postgres://127.0.0.1:1/x' }).catch(({ code, message }) => console.log(code, message))`
  const args = ['--no-warnings', '--input-type=module', '--eval', program]
  const told = execFileSync(process.execPath, args, { encoding: 'utf8' })
  expect(told).toBe(
    'missing-package Postgres needs the package pg; install it with: npm install pg\n',
  )
})
