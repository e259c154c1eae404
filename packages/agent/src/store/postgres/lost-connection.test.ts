import { afterEach, expect, test, vi } from 'vitest'
import type { Database } from '../database.ts'
import { ownPostgres } from '../fixtures/own-postgres.ts'
import {
  insertMeta,
  keysFrom,
  plain,
  readMeta,
  unit,
} from '../fixtures/statements.ts'
import { startProxy, type TcpProxy } from '../fixtures/tcp-proxy.ts'
import type { PostgresSabotage } from './do-units.ts'
import { openSabotagedPostgres } from './open-postgres.ts'

const own = ownPostgres()
const opened: Database[] = []
const proxies: TcpProxy[] = []
let count = 0

/** Through a line that can be cut; the schema is a new one. */
async function openThroughProxy(
  options: { statementMs?: number; reconnectMs?: number } = {},
  sabotage: PostgresSabotage = {},
): Promise<{ database: Database; proxy: TcpProxy }> {
  const proxy = await startProxy(own().server.port)
  proxies.push(proxy)
  const url = own().server.url.replace(
    /:\d+\/postgres$/,
    `:${proxy.port}/postgres`,
  )
  count += 1
  const schema = `lost_${count}`
  // Made before, with time enough: only what is cut off is to take too long.
  const made = await openSabotagedPostgres({ url, schema }, {})
  await made.close()
  const database = await openSabotagedPostgres(
    { url, schema, ...options },
    sabotage,
  )
  opened.push(database)
  return { database, proxy }
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()))
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()))
})

test('F157 a commit whose answer was lost is looked up, not done again', async () => {
  const { database, proxy } = await openThroughProxy()
  const held = proxy.holdInTransaction()
  const written = database.write(
    unit('one', insertMeta('key-1'), insertMeta('key-2')),
  )
  await held
  proxy.loseNextAnswer()
  proxy.passOn()
  expect(await written).toHaveLength(2)
  expect(await database.read(keysFrom('key-'))).toHaveLength(2)
})

test('sabotage: who does it again blindly is told that it exists, and that is noticed', async () => {
  const { database, proxy } = await openThroughProxy({}, { blindRetry: true })
  const held = proxy.holdInTransaction()
  const written = database.write(unit('one', insertMeta('key-1')))
  const outcome = written.then(
    () => 'done',
    (error) => error.code,
  )
  await held
  proxy.loseNextAnswer()
  proxy.passOn()
  expect(await outcome).toBe('exists')
})

test('F157 a transaction that the server ended is done once more, and once only', async () => {
  const { database, proxy } = await openThroughProxy()
  await database.write(unit('first', insertCounter))
  const held = proxy.holdInTransaction()
  const written = database.write(unit('one', raiseCounter, insertMeta('key-1')))
  await held
  const process = await own().idleInTransaction()
  await own().ask('SELECT pg_terminate_backend($1)', [process])
  expect(await written).toHaveLength(2)
  expect(await database.read(readCounter)).toEqual([{ version: 1 }])
})

test('F157 the server restarts in the middle: nothing acknowledged is lost, nothing is done twice', async () => {
  const { database } = await openThroughProxy({ reconnectMs: 30_000 })
  await database.write(unit('first', insertCounter))
  let done = 0
  const write = async (writer: number) => {
    for (let number = 0; number < 60; number += 1) {
      const key = `key-${writer}-${number}`
      await database.write(unit('one', raiseCounter, insertMeta(key)))
      done += 1
    }
  }
  const writers = Promise.all(
    Array.from({ length: 6 }, (_, index) => write(index)),
  )
  while (done < 60) await database.read(readCounter)
  await own().server.halt('fast')
  await own().server.start()
  while (done < 180) await database.read(readCounter)
  await own().server.halt('kill')
  await own().server.start()
  await writers
  expect(await database.read(readCounter)).toEqual([{ version: 360 }])
  expect(await database.read(keysFrom('key-'))).toHaveLength(360)
}, 60_000)

const statementMs = 10_000
const nextTurn = () => new Promise((done) => setImmediate(done))

/** Does something; the last of so many questions is not answered in its time. */
async function inVain<T>(questions: number, work: () => Promise<T>) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const asked = () =>
    timers.mock.calls.filter(([, ms]) => ms === 2 * statementMs).length
  try {
    const done = work()
    while (asked() < questions) await nextTurn()
    vi.advanceTimersByTime(2 * statementMs)
    return { done }
  } finally {
    timers.mockRestore()
    vi.useRealTimers()
  }
}

test('F158 a line that passes nothing on is given up, before the commit and in it', async () => {
  const { database, proxy } = await openThroughProxy({ statementMs })
  await database.write(unit('first', insertCounter))
  proxy.freeze()
  const before = await inVain(1, () =>
    database.write(unit('two', raiseCounter)),
  )
  await before.done
  const raised = unit('one', raiseCounter, insertMeta('key-1'))
  const inCommit = await inVain(2, async () => {
    const held = proxy.holdInTransaction()
    const written = database.write(raised)
    await held
    proxy.freeze()
    proxy.passOn()
    await written
  })
  await inCommit.done
  proxy.freeze()
  const read = await inVain(1, () => database.read(readCounter))
  expect(await read.done).toEqual([{ version: 2 }])
  expect(await database.read(readMeta('key-1'))).toHaveLength(1)
})

test('a server that stays away is reported in time, and used again when it is back', async () => {
  const { database } = await openThroughProxy({ reconnectMs: 300 })
  await database.write(unit('first', insertMeta('key-1')))
  await own().server.halt('fast')
  const away = { name: 'StoreError', code: 'unavailable' }
  await expect(
    database.write(unit('one', insertMeta('key-2'))),
  ).rejects.toMatchObject(away)
  await expect(database.read(readMeta('key-1'))).rejects.toMatchObject(away)
  await own().server.start()
  await database.write(unit('one', insertMeta('key-3')))
  const kept = await database.read(keysFrom('key-'))
  expect(kept).toEqual([{ key: 'key-1' }, { key: 'key-3' }])
})

test('a unit takes two round trips, however many statements it has', async () => {
  const { database, proxy } = await openThroughProxy()
  const write = (from: number, to: number) => {
    const keys = Array.from(
      { length: to - from },
      (_, index) => `key-${from + index}`,
    )
    return database.write(unit('many', ...keys.map((key) => insertMeta(key))))
  }
  await write(0, 1)
  const before = proxy.turns
  await write(1, 2)
  const one = proxy.turns - before
  await write(2, 22)
  const twenty = proxy.turns - before - one
  console.log(
    `round trips of a unit: ${one} for one statement, ${twenty} for twenty`,
  )
  expect([one, twenty]).toEqual([2, 2])
})

const insertCounter = plain(
  `INSERT INTO cells (scope, scope_id, name, version, updated_at, payload)
   VALUES ('process', 'all', 'count', 0, 0, '')`,
)
const raiseCounter = {
  ...plain('UPDATE cells SET version = version + 1'),
  expects: 1,
}
const readCounter = plain('SELECT version FROM cells')
