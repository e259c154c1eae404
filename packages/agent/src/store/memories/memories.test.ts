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
import { createMemories, type Memories } from './memories.ts'
import { wordsOf } from './words.ts'

const oldKey = { id: 'old', secret: randomBytes(32) }
const newKey = { id: 'new', secret: randomBytes(32) }

function memoriesOf(database: Database, payloads: Payloads): Memories {
  let ids = 0
  const prefix = randomBytes(4).toString('hex')
  return createMemories({
    database,
    payloads,
    redactor: createRedactor(),
    nextId: () => `${prefix}-${ids++}`,
    clock: systemClock,
    worker: 'w1',
  })
}

const namesOf = (found: readonly { readonly name: string }[]) =>
  found.map(({ name }) => name)

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

  const remember = (name: string, text: string) =>
    all.remember('main', name, { text })

  test('what is remembered is there until it is forgotten', async () => {
    await kit.setNow(database, 1_000)
    const text = 'Ann likes tea.\u0000 "quoted" 🙂'
    await all.remember('main', 'ann', { text, sessionId: 's1' })
    const memory = {
      agent: 'main',
      name: 'ann',
      text,
      sessionId: 's1',
      createdAt: 1_000,
      updatedAt: 1_000,
    }
    expect(await all.list('main')).toEqual([memory])
    expect(await all.recall('main', 'tea')).toEqual([memory])
    expect(await all.forget('main', 'ann')).toBe(true)
    expect(await all.forget('main', 'ann')).toBe(false)
    expect(await all.recall('main', 'tea')).toEqual([])
    expect(await rowsOf(database, 'memory_words')).toEqual([])
  })

  test('under a known name it takes the place of what was', async () => {
    await kit.setNow(database, 1_000)
    await remember('ann', 'likes tea')
    await kit.setNow(database, 2_000)
    await remember('ann', 'likes coffee')
    const [memory] = await all.list('main')
    expect(memory).toMatchObject({
      text: 'likes coffee',
      createdAt: 1_000,
      updatedAt: 2_000,
    })
    expect(await all.recall('main', 'tea')).toEqual([])
    expect(await all.recall('main', 'coffee')).toEqual([memory])
  })

  test('agents do not know of each other', async () => {
    await remember('ann', 'likes tea')
    await all.remember('other', 'ann', { text: 'likes tea and coffee' })
    expect(await all.recall('main', 'tea')).toHaveLength(1)
    expect(await all.forget('third', 'ann')).toBe(false)
    await all.forget('other', 'ann')
    expect(await all.list('main')).toHaveLength(1)
    expect(await all.list('other')).toEqual([])
  })

  test('what has more of the words, and more often, comes first', async () => {
    await remember('none', 'about something else entirely')
    await remember('one', 'the deploy was on a long and quiet Tuesday evening')
    await remember('both', 'deploy key: ask Bob')
    await remember('often', 'deploy, deploy, deploy with the key, the key')
    for (let at = 0; at < 20; at++)
      await remember(`filler ${at}`, `nothing ${at}`)
    const found = namesOf(await all.recall('main', 'deploy key'))
    expect(found.slice(0, 2).sort()).toEqual(['both', 'often'])
    expect(found).toHaveLength(3)
    expect(
      namesOf(await all.recall('main', 'deploy key', { limit: 1 })),
    ).toEqual(found.slice(0, 1))
  })

  test.each([
    ['case', 'CAFE'],
    ['accents', 'café'],
    ['punctuation', '(café)!'],
    ['its name', 'breakfast'],
  ])('a word is found whatever its %s', async (_, query) => {
    await remember('breakfast', 'Meet at the Café, 9:30.')
    expect(await all.recall('main', query)).toHaveLength(1)
  })

  test('words of other scripts are words', async () => {
    await remember('a', 'Встреча в Москве')
    await remember('b', 'हिन्दी में लिखा')
    expect(namesOf(await all.recall('main', 'москве'))).toEqual(['a'])
    expect(namesOf(await all.recall('main', 'हिन्दी'))).toEqual(['b'])
  })

  test.each([
    '"tea" OR coffee',
    'tea*',
    'tea AND NOT coffee',
    'NEAR(tea coffee, 5)',
    'words : tea',
    'id:tea',
    '^tea',
    '{tea}',
    '-tea',
    '"tea',
    "tea'",
    "'; DROP TABLE memories; --",
    'tea & !coffee | (x',
    'tea:*A <-> coffee',
    'tea\\',
    'tea\u0000',
    '?',
    '$1',
    '',
    ' \n ',
    '🙂',
    'tea '.repeat(5_000),
  ])('T54 %j is words and nothing else', async (query) => {
    await remember('ann', 'likes tea')
    await remember('bob', 'likes cake')
    const found = await all.recall('main', query)
    const isAsked = wordsOf(query).includes('tea')
    expect(namesOf(found)).toEqual(isAsked ? ['ann'] : [])
    expect(await all.list('main')).toHaveLength(2)
  })

  test('T54 a text can be anything', async () => {
    const texts = ["'; DROP TABLE memories; --", "'a':1A", '"', '\\', '%_']
    for (const text of texts) await remember(text, `${text} tea`)
    const found = await all.recall('main', 'tea')
    expect(namesOf(found).sort()).toEqual(texts.toSorted())
  })

  test.each([
    ['no name', '', 'text'],
    ['a name of two lines', 'a\nb', 'text'],
    ['a name that is a secret', 'ghp_abcdefghij0123456789', 'text'],
    ['a name that is too long', 'x'.repeat(201), 'text'],
    ['a text that is too long', 'a', 'x'.repeat(100_001)],
  ])('%s is refused', async (_, name, text) => {
    const error = { code: 'invalid-options' }
    await expect(remember(name, text)).rejects.toMatchObject(error)
    expect(await all.list('main')).toEqual([])
  })

  test('a long text of many words is remembered', async () => {
    const words = Array.from({ length: 15_000 }, (_, at) => `w${at % 7_000}`)
    await remember('long', words.join(' ').slice(0, 100_000))
    expect(await all.recall('main', 'w17')).toHaveLength(1)
    await remember('same', 'tea '.repeat(20_000))
    expect(await all.recall('main', 'tea')).toHaveLength(1)
  })

  test('they are listed by name, in pages', async () => {
    for (const name of ['c', 'a', 'e', 'b', 'd']) await remember(name, 'x')
    const first = await all.list('main', { limit: 2 })
    const second = await all.list('main', { limit: 2, after: 'b' })
    const last = await all.list('main', { limit: 2, after: 'd' })
    const pages = [first, second, last].map(namesOf)
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    await expect(all.list('main', { limit: 0 })).rejects.toThrow()
  })

  test('of those who remember under one name at once, all get through', async () => {
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

  test('T55 no secret gets into the index', async () => {
    const secret = 'sk-ant-api03-abcdefghij7klmnop'
    await remember('ann', `her key is ${secret}, password: hunter2`)
    expect(await dumpDatabase(database, 'others')).not.toMatch(
      /abcdefghij7|hunter2/,
    )
    expect((await all.list('main'))[0]?.text).toContain(secret)
    expect(await all.recall('main', secret)).toEqual([])
  })
}

function keys(kit: DatabaseKit): void {
  test('T60 with a key neither text nor words can be read', async () => {
    const database = await kit.open()
    const payloads = createPayloads({ keys: [oldKey] })
    const text = 'Ann likes peppermint'
    await memoriesOf(database, payloads).remember('main', 'x', { text })
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
