import { randomBytes } from 'node:crypto'
import { systemClock } from 'hookline'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPayloads } from '../content/create-payloads.ts'
import { createRedactor } from '../content/create-redactor.ts'
import { dumpDatabase } from '../content/fixtures/canaries.ts'
import { type Payloads, plainPayloads } from '../content/payloads.ts'
import type { Database } from '../database.ts'
import { type DatabaseKit, forEachDatabase } from '../fixtures/databases.ts'
import { emptied, rowsOf } from '../sessions/fixtures/open-process.ts'
import { memoriesContract } from './fixtures/memories-contract.ts'
import { namesOf } from './fixtures/memories-kit.ts'
import {
  createMemories,
  type Memories,
  type MemoriesOptions,
} from './memories.ts'

const oldKey = { id: 'old', secret: randomBytes(32) }
const newKey = { id: 'new', secret: randomBytes(32) }

function memoriesOf(
  database: Database,
  payloads: Payloads,
  options?: MemoriesOptions,
): Memories {
  let ids = 0
  const prefix = randomBytes(4).toString('hex')
  const parts = {
    database,
    payloads,
    redactor: createRedactor(),
    nextId: () => `${prefix}-${ids++}`,
    clock: systemClock,
    worker: 'w1',
  }
  return createMemories(parts, options)
}

forEachDatabase((kit) => {
  describe('plain', () => memories(kit, plainPayloads))
  describe('encrypted', () => memories(kit, createPayloads({ keys: [oldKey] })))
  describe('keys', () => keys(kit))
})

function memories(kit: DatabaseKit, payloads: Payloads): void {
  let database: Database
  let all: Memories
  beforeAll(async () => {
    database = await kit.open()
  })
  beforeEach(async () => {
    all = memoriesOf(await emptied(database), payloads)
  })

  memoriesContract({
    make: async (options) => memoriesOf(database, payloads, options),
    setNow: (nowMs) => kit.setNow(database, nowMs),
  })

  test('what is forgotten or superseded leaves no words', async () => {
    await all.remember('main', 'home', { text: 'lives in Porto' })
    await all.remember('main', 'home', { text: 'lives in Ghent' })
    expect(await rowsOf(database, 'memory_words')).toHaveLength(1)
    await all.forget('main', 'home')
    expect(await rowsOf(database, 'memory_words')).toEqual([])
    expect(await rowsOf(database, 'memories')).toEqual([])
  })

  test('of several processes that remember at once, all get through', async () => {
    const others = [all, memoriesOf(database, payloads)]
    const writes = others.flatMap((one, who) =>
      Array.from({ length: 5 }, (_, at) =>
        one.remember('main', 'ann', { text: `tea ${who} ${at}` }),
      ),
    )
    await Promise.all(writes)
    expect(await all.list('main')).toHaveLength(1)
    expect(await rowsOf(database, 'memory_words')).toHaveLength(1)
  })

  test('agents whose names look the same without their secrets are two', async () => {
    const [one, two] = [
      'sk-ant-api03-aaaaaaaaaaaaaaaa',
      'sk-ant-api03-bbbbbbbbbbbbbbbb',
    ]
    await all.remember(one, 'x', { text: 'tea' })
    expect(await all.recall(two, 'tea')).toEqual([])
    expect(await all.recall(one, 'tea')).toHaveLength(1)
  })

  test('a name that is a secret, or two lines, is refused', async () => {
    for (const name of ['ghp_abcdefghij0123456789', 'a\nb']) {
      await expect(
        all.remember('main', name, { text: 'x' }),
      ).rejects.toMatchObject({ code: 'invalid-options' })
    }
  })

  test('T55 no secret gets into the index', async () => {
    const secret = 'sk-ant-api03-abcdefghij7klmnop'
    const text = `her key is ${secret}, password: hunter2`
    await all.remember('main', 'ann', { text })
    await all.remember('main', undefined, { text })
    expect(await dumpDatabase(database, 'others')).not.toMatch(
      /abcdefghij7|hunter2/,
    )
    expect((await all.list('main'))[0]?.text).toContain(secret)
    expect(await all.recall('main', secret)).toEqual([])
  })

  test('T60 a text with a secret has no digest to try guesses against', async () => {
    await all.remember('main', undefined, { text: 'password: hunter2' })
    await all.remember('main', undefined, { text: 'likes tea' })
    const rows = await rowsOf(database, 'memories', 'created_at, id')
    expect(rows.map(({ digest }) => digest === null)).toEqual([true, false])
  })
}

function keys(kit: DatabaseKit): void {
  test('T60 with a key neither text nor words can be read', async () => {
    const database = await kit.open()
    const payloads = createPayloads({ keys: [oldKey] })
    const text = 'Ann likes peppermint'
    await memoriesOf(database, payloads).remember('main', undefined, { text })
    const dumps = [
      await dumpDatabase(database, 'others'),
      await dumpDatabase(database, 'payloads'),
    ]
    expect(dumps.join('\n')).not.toMatch(/peppermint|likes/i)
  })

  test('after a change of keys all is found, and what is written has the new one', async () => {
    const database = await kit.open()
    const before = createPayloads({ keys: [oldKey] })
    const after = createPayloads({ keys: [newKey, oldKey] })
    const later = createPayloads({ keys: [newKey] })
    await memoriesOf(database, before).remember('main', 'a', { text: 'tea' })
    const both = memoriesOf(database, after)
    await both.remember('main', 'b', { text: 'tea' })
    expect(namesOf(await both.recall('main', 'tea')).sort()).toEqual(['a', 'b'])
    const found = await memoriesOf(database, later).recall('main', 'tea')
    expect(namesOf(found)).toEqual(['b'])
  })
}
