import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPayloads } from '../content/create-payloads.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { createRetention } from '../retention/create-retention.ts'
import { shareDatabase } from '../runs/fixtures/share-database.ts'
import {
  commit,
  infoOf,
  said,
  turnEnd,
  turnStart,
} from '../sessions/fixtures/entries.ts'
import { openProcess, rowsOf } from '../sessions/fixtures/open-process.ts'
import { signalsOf } from '../sessions/fixtures/with-signals.ts'
import type { NewMessage } from './inbox.ts'
import { createInbox } from './stored-inbox.ts'

const payloads = createPayloads({
  keys: [{ id: 'one', secret: randomBytes(32) }],
})
const started = Date.UTC(2030, 0, 1)

function message(differs: Partial<NewMessage> = {}): NewMessage {
  const body = { text: 'between us' }
  return { sessionId: 'one', kind: 'send', body, by: 'user:ann', ...differs }
}

forEachDatabase((kit) => {
  const empty = shareDatabase(kit)
  let database: Database
  beforeEach(async () => {
    database = await empty()
    await kit.setNow(database, started)
  })

  /** A process with an inbox, and a session that it has. */
  async function open(worker: string, maxOpen = 1_000) {
    const process = await openProcess(database, worker, { payloads })
    const { signals, told } = signalsOf(process)
    const inbox = createInbox(process.parts, { signals, maxOpen })
    return { ...process, inbox, told }
  }

  test('what one process leaves, another reads, in order, until it is done', async () => {
    const [one, other] = [await open('w1'), await open('w2')]
    await one.store.create(infoOf('one'))
    const ids: string[] = []
    for (const kind of ['send', 'steer', 'cancel']) {
      const { id, isNew } = await other.inbox.put(message({ kind }))
      expect(isNew).toBe(true)
      ids.push(id)
    }
    expect(await one.inbox.read('one')).toEqual(
      ['send', 'steer', 'cancel'].map((kind, at) => ({
        id: ids[at],
        sessionId: 'one',
        kind,
        body: { text: 'between us' },
        by: 'user:ann',
        createdAt: started,
      })),
    )
    expect(await one.inbox.read('two')).toEqual([])
    await one.inbox.done(ids.slice(0, 2))
    await one.inbox.done([...ids.slice(0, 1), 'unknown'])
    const left = await other.inbox.read('one')
    expect(left.map(({ kind }) => kind)).toEqual(['cancel'])
    expect(other.told).toEqual(['inbox', 'inbox', 'inbox'])
  })

  test('F172 the same key is left once, also when it is done already', async () => {
    const { store, inbox } = await open('w1')
    await store.create(infoOf('one'))
    await store.create(infoOf('two'))
    const keyed = message({ key: 'key-1' })
    const { id } = await inbox.put(keyed)
    expect(await inbox.put(keyed)).toEqual({ id, isNew: false })
    await inbox.done([id])
    expect(await inbox.put(keyed)).toEqual({ id, isNew: false })
    expect(await inbox.read('one')).toEqual([])
    for (const other of [
      message({ key: 'key-2' }),
      message({ key: 'key-1', kind: 'steer' }),
      message({ key: 'key-1', sessionId: 'two' }),
      message(),
      message(),
    ]) {
      expect(await inbox.put(other)).toMatchObject({ isNew: true })
    }
  })

  test('the same key with something else is a conflict, also when it is done already', async () => {
    const { store, inbox } = await open('w1')
    await store.create(infoOf('one'))
    const body = { a: 1, b: { c: 2 } }
    const { id } = await inbox.put(message({ key: 'k', body }))
    const conflict = { code: 'conflict' }
    const other = message({ key: 'k', body: { a: 2 } })
    await expect(inbox.put(other)).rejects.toMatchObject(conflict)
    await inbox.done([id])
    await expect(inbox.put(other)).rejects.toMatchObject(conflict)
    // In whatever order it is said, and by whom.
    const same = { b: { c: 2 }, a: 1, actor: { kind: 'user', id: 'eve' } }
    const again = message({ key: 'k', body: same, by: 'user:eve' })
    expect(await inbox.put(again)).toEqual({ id, isNew: false })
    expect(await inbox.read('one')).toEqual([])
  })

  test('whoever left a message learns what became of it', async () => {
    const [one, other] = [await open('w1'), await open('w2')]
    await one.store.create(infoOf('one'))
    const { id } = await other.inbox.put(message())
    const { id: quiet } = await other.inbox.put(message())
    expect(await other.inbox.outcome(id)).toEqual({ isDone: false })
    const outcome = { type: 'ok', value: 'secret' }
    await one.inbox.done([id], outcome)
    await one.inbox.done([quiet])
    // What it became first stays.
    await one.inbox.done([id], { type: 'failed' })
    expect(await other.inbox.outcome(id)).toEqual({ isDone: true, outcome })
    expect(await other.inbox.outcome(quiet)).toEqual({ isDone: true })
    expect(await other.inbox.outcome('unknown')).toBeUndefined()
    const rows = JSON.stringify(await rowsOf(database, 'inbox'))
    expect(rows).not.toContain('secret')
  })

  test('words that the journal takes are done in one with it, or not at all', async () => {
    const { store, inbox } = await open('w1')
    const other = await open('w2')
    await store.create(infoOf('one'))
    const { id } = await inbox.put(message())
    const { id: last } = await inbox.put(message())
    const taken = { ...commit(said('between us')), taken: [id] }
    await store.append('one', [turnStart('t', 1)])
    // Whoever has lost the session takes nothing.
    await store.release('one')
    await other.store.load('one')
    await expect(store.append('one', [taken])).rejects.toMatchObject({
      code: 'session-elsewhere',
    })
    expect(await inbox.read('one')).toHaveLength(2)
    await other.store.append('one', [taken])
    expect((await inbox.read('one')).map((left) => left.id)).toEqual([last])
    await other.store.append('one', [{ ...turnEnd('t'), taken: [last] }])
    expect(await inbox.read('one')).toEqual([])
  })

  test('F172 of many who leave the same key at once, one has left it', async () => {
    const [one, other] = [await open('w1'), await open('w2')]
    await one.store.create(infoOf('one'))
    const puts = Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? one : other).inbox.put(message({ key: 'k' })),
    )
    const outcomes = await Promise.all(puts)
    expect(outcomes.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(outcomes.map(({ id }) => id)).size).toBe(1)
    expect(await one.inbox.read('one')).toHaveLength(1)
  })

  test('T55 what is said is in the payload alone, and gone when it is done', async () => {
    const { store, inbox } = await open('w1')
    await store.create(infoOf('one'))
    const by = 'token ghp_0123456789abcdefghijABCDEFGHIJ012345'
    const { id } = await inbox.put(message({ by, key: 'between us' }))
    expect(JSON.stringify(await rowsOf(database, 'inbox'))).not.toMatch(
      /between us|ghp_/,
    )
    await inbox.done([id])
    expect(await rowsOf(database, 'inbox')).toMatchObject([{ payload: null }])
  })

  describe('nothing is left', () => {
    test('for a session that is not there, or is over', async () => {
      const { store, inbox } = await open('w1')
      const unknown = { name: 'AgentError', code: 'unknown-session' }
      await expect(inbox.put(message())).rejects.toMatchObject(unknown)
      await store.create(infoOf('one'))
      await store.append('one', [{ type: 'session-end', reason: 'closed' }])
      const closed = { name: 'AgentError', code: 'session-ended' }
      await expect(inbox.put(message())).rejects.toMatchObject(closed)
    })

    test('that is too much, or has no proper kind', async () => {
      const { store, inbox } = await open('w1', 3)
      await store.create(infoOf('one'))
      const ids: string[] = []
      for (let at = 0; at < 3; at++) ids.push((await inbox.put(message())).id)
      const full = {
        code: 'too-many',
        message: expect.stringContaining('"one"'),
      }
      await expect(inbox.put(message())).rejects.toMatchObject(full)
      await inbox.done(ids.slice(0, 1))
      await inbox.put(message())
      const large = message({ body: { text: 'x'.repeat(4_000_000) } })
      const odd = ['', 'Two words', 'x'.repeat(65)].map((kind) =>
        message({ kind }),
      )
      for (const wrong of [large, ...odd]) {
        const putting = inbox.put(wrong)
        await expect(putting).rejects.toMatchObject({ code: 'invalid-options' })
      }
    })
  })

  test('F166 sessions wait whose process is gone, the oldest message first', async () => {
    const [one, other] = [await open('w1'), await open('w2')]
    const waiting = async (limit: number, skip?: number) => {
      const listed = await other.inbox.waiting(limit, skip)
      return listed.map(({ sessionId }) => sessionId)
    }
    for (const id of ['one', 'two', 'three']) await one.store.create(infoOf(id))
    await kit.advance(database, 1)
    await other.inbox.put(message({ sessionId: 'two' }))
    await kit.advance(database, 1)
    await other.inbox.put(message({ sessionId: 'one' }))
    await other.inbox.put(message({ sessionId: 'two' }))
    expect(await waiting(10)).toEqual([])
    await one.store.release('one')
    expect(await waiting(10)).toEqual(['one'])
    await kit.advance(database, 15_000)
    expect(await waiting(10)).toEqual(['two', 'one'])
    expect(await waiting(1)).toEqual(['two'])
    expect(await waiting(1, 1)).toEqual(['one'])
    expect(await other.inbox.waiting(1)).toEqual([
      { sessionId: 'two', agent: 'main', kinds: ['send', 'send'] },
    ])
    await other.lease.renew()
    await other.store.load('two')
    expect(await waiting(10)).toEqual(['one'])
    await other.inbox.done((await other.inbox.read('one')).map(({ id }) => id))
    expect(await waiting(10)).toEqual([])
    await expect(other.inbox.waiting(0)).rejects.toThrow('limit')
  })

  test('what is done is removed some time; what is not, only with its session', async () => {
    const { parts, store, inbox } = await open('w1')
    await store.create(infoOf('one'))
    const { id } = await inbox.put(message())
    await inbox.put(message({ kind: 'steer' }))
    await inbox.done([id])
    await kit.advance(database, 10_000)
    const retention = createRetention(parts, { inbox: { maxAgeMs: 5_000 } })
    expect(await retention.run()).toEqual({ inbox: 1 })
    expect(await inbox.read('one')).toMatchObject([{ kind: 'steer' }])
    await store.delete('one')
    expect(await rowsOf(database, 'inbox')).toEqual([])
  })
})
