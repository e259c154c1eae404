import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPayloads } from '../content/create-payloads.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { createRetention } from '../retention/create-retention.ts'
import { shareDatabase } from '../runs/fixtures/share-database.ts'
import { infoOf } from '../sessions/fixtures/entries.ts'
import { openProcess, rowsOf } from '../sessions/fixtures/open-process.ts'
import { signalsOf } from '../sessions/fixtures/with-signals.ts'
import { createWakes } from './stored-wakes.ts'
import type { NamedEvent, NewWake } from './wakes.ts'

const payloads = createPayloads({
  keys: [{ id: 'one', secret: randomBytes(32) }],
})
const started = Date.UTC(2030, 0, 1)

const wake = (differs: Partial<NewWake> = {}): NewWake => ({
  event: 'build.failed',
  agent: 'main',
  prompt: 'Look at it.',
  by: 'user:ann',
  ...differs,
})

const event = (differs: Partial<NamedEvent> = {}): NamedEvent => ({
  name: 'build.failed',
  data: { job: 7 },
  depth: 0,
  by: 'user:bob',
  ...differs,
})

forEachDatabase((kit) => {
  const empty = shareDatabase(kit)
  let database: Database
  beforeEach(async () => {
    database = await empty()
    await kit.setNow(database, started)
  })

  async function open(worker: string, limits = {}) {
    const process = await openProcess(database, worker, { payloads })
    const { signals, told } = signalsOf(process)
    const wakes = createWakes(process.parts, { signals, ...limits })
    return { ...process, wakes, told }
  }

  test('an event fires the wakes that wait for it, each time, with what it says', async () => {
    const { wakes, told, store } = await open('w1')
    await store.create(infoOf('one'))
    const first = await wakes.add(wake({ sessionId: 'one' }))
    expect(first).toEqual({
      id: expect.any(String),
      event: 'build.failed',
      agent: 'main',
      sessionId: 'one',
      prompt: 'Look at it.',
      isOnce: false,
      createdAt: started,
      createdBy: 'user:ann',
      fired: 0,
    })
    const { prompt: _, ...short } = wake({ event: 'build.passed' })
    await wakes.add(short)
    expect(await wakes.fire(event())).toEqual({
      id: expect.any(String),
      isNew: true,
      isTooDeep: false,
      held: [],
      woken: 1,
      left: 1,
      wakes: [
        {
          firingId: expect.any(String),
          wakeId: first.id,
          agent: 'main',
          sessionId: 'one',
          prompt: 'Look at it.',
          createdBy: 'user:ann',
          event: {
            name: 'build.failed',
            data: { job: 7 },
            depth: 0,
            by: 'user:bob',
          },
        },
      ],
    })
    expect(told).toEqual(['wakes'])
    expect((await wakes.fire(event())).wakes).toHaveLength(1)
    expect((await wakes.fire(event({ name: 'none' }))).wakes).toEqual([])
    expect(await wakes.get(first.id)).toEqual({ ...first, fired: 2 })
  })

  test('wakes are listed, the newest first, and removed', async () => {
    const { wakes } = await open('w1')
    const added: string[] = []
    for (let at = 0; at < 5; at++) added.push((await wakes.add(wake())).id)
    const first = await wakes.list({ limit: 3 })
    const { next = '' } = first
    const second = await wakes.list({ limit: 3, after: next })
    expect(second.next).toBeUndefined()
    const listed = [...first.items, ...second.items].map(({ id }) => id)
    expect(listed).toEqual(added.toSorted().reverse())
    expect(await wakes.remove(added[0] ?? '')).toBe(true)
    expect(await wakes.remove(added[0] ?? '')).toBe(false)
    expect(await wakes.get(added[0] ?? '')).toBeUndefined()
    expect((await wakes.fire(event())).wakes).toHaveLength(4)
  })

  describe('once', () => {
    test('a wake that fires once fires once, whoever tells what at the same time', async () => {
      const [one, two, three] = [
        await open('w1'),
        await open('w2'),
        await open('w3'),
      ]
      const { id } = await one.wakes.add(wake({ isOnce: true }))
      const all = Array.from({ length: 5 }, (_, at) =>
        [one, two, three].map(({ wakes }) =>
          wakes.fire(event({ data: { at } })),
        ),
      )
      const fired = await Promise.all(all.flat())
      const wakes = fired.flatMap((told) => told.wakes)
      expect(wakes.map(({ wakeId }) => wakeId)).toEqual([id])
      expect(await rowsOf(database, 'firings')).toHaveLength(1)
      expect((await one.wakes.fire(event())).wakes).toEqual([])
    })

    test('F172 the same key fires nothing again, whoever tells it', async () => {
      const [one, other] = [await open('w1'), await open('w2')]
      await one.wakes.add(wake())
      const keyed = event({ key: 'k1' })
      const told = await Promise.all([
        one.wakes.fire(keyed),
        other.wakes.fire(keyed),
        other.wakes.fire(keyed),
      ])
      expect(told.flatMap(({ wakes }) => wakes)).toHaveLength(1)
      expect(told.filter(({ isNew }) => isNew)).toHaveLength(1)
      expect(new Set(told.map(({ id }) => id)).size).toBe(1)
      expect(told.map(({ woken }) => woken)).toEqual([1, 1, 1])
      const changed = one.wakes.fire(event({ key: 'k1', data: { job: 8 } }))
      await expect(changed).rejects.toMatchObject({ code: 'conflict' })
      const another = await one.wakes.fire(event({ key: 'k2' }))
      expect(another.wakes).toHaveLength(1)
    })
  })

  test('an event that too many wakes led to wakes nobody', async () => {
    const { wakes } = await open('w1', { maxDepth: 2 })
    await wakes.add(wake())
    expect((await wakes.fire(event({ depth: 2 }))).wakes).toHaveLength(1)
    expect(await wakes.fire(event({ depth: 3 }))).toMatchObject({
      isTooDeep: true,
      isNew: false,
      wakes: [],
    })
    for (const depth of [-1, 0.5, Number.NaN]) {
      const firing = wakes.fire(event({ depth }))
      await expect(firing).rejects.toMatchObject({ code: 'invalid-options' })
    }
  })

  test('a wake that fires all the time is held for a while', async () => {
    const { wakes } = await open('w1', { maxPerMinute: 3 })
    const { id } = await wakes.add(wake())
    for (let at = 0; at < 3; at++) await wakes.fire(event())
    expect(await wakes.fire(event())).toMatchObject({ wakes: [], held: [id] })
    await kit.advance(database, 60_000)
    expect((await wakes.fire(event())).wakes).toHaveLength(1)
  })

  test('F166 what a process that is gone did not see to is given to one other', async () => {
    const [one, two, three] = [
      await open('w1'),
      await open('w2'),
      await open('w3'),
    ]
    await one.wakes.add(wake())
    const done = await one.wakes.fire(event({ data: { at: 1 } }))
    const left = await one.wakes.fire(event({ data: { at: 2 } }))
    await one.wakes.done(done.wakes.map(({ firingId }) => firingId))
    expect(await two.wakes.left(10)).toEqual([])
    await kit.advance(database, 15_000)
    await Promise.all([two.lease.renew(), three.lease.renew()])
    const seen = await Promise.all([two.wakes.left(10), three.wakes.left(10)])
    expect(seen).toEqual([
      [{ ...left.wakes[0], worker: 'w1' }],
      [{ ...left.wakes[0], worker: 'w1' }],
    ])
    expect(await two.wakes.left(10, 1)).toEqual([])
    const taken = await Promise.all([
      two.wakes.take(seen[0]),
      three.wakes.take(seen[1]),
    ])
    expect(taken.flat()).toEqual(left.wakes)
    await two.wakes.done(left.wakes.map(({ firingId }) => firingId))
    await kit.advance(database, 60_000)
    await three.lease.renew()
    expect(await three.wakes.left(10)).toEqual([])
  })

  test('what a process could not see to stays its own, or is left to others, until somebody has', async () => {
    const [one, two] = [await open('w1'), await open('w2')]
    await one.wakes.add(wake())
    const keyed = event({ key: 'k' })
    const fired = await one.wakes.fire(keyed)
    expect(fired).toMatchObject({ woken: 1, left: 1 })
    const [left] = await one.wakes.left(10)
    expect(left).toEqual({ ...fired.wakes[0], worker: 'w1' })
    expect(await two.wakes.left(10)).toEqual([])
    const { firingId = '' } = left ?? {}
    // It is not theirs to give.
    await two.wakes.giveUp([firingId])
    expect(await two.wakes.left(10)).toEqual([])
    await one.wakes.giveUp([firingId])
    const given = await two.wakes.left(10)
    expect(given).toHaveLength(1)
    expect(await two.wakes.take(given)).toEqual(fired.wakes)
    expect(await one.wakes.left(10)).toEqual([])
    const again = { isNew: false, woken: 1 }
    expect(await one.wakes.fire(keyed)).toMatchObject({ ...again, left: 1 })
    await two.wakes.done([firingId])
    expect(await one.wakes.fire(keyed)).toMatchObject({ ...again, left: 0 })
  })

  test('T55 what is said is in payloads alone', async () => {
    const { wakes } = await open('w1')
    const by = 'token ghp_0123456789abcdefghijABCDEFGHIJ012345'
    await wakes.add(wake({ prompt: 'between us', by }))
    await wakes.fire(event({ data: { x: 'between us' }, key: 'between us' }))
    await wakes.fire(event({ by }))
    for (const table of ['wakes', 'emitted', 'firings']) {
      const rows = await rowsOf(database, table)
      expect(rows.length, table).toBeGreaterThan(0)
      expect(JSON.stringify(rows)).not.toMatch(/between us|ghp_/)
    }
  })

  test('there are only so many wakes, and of one event', async () => {
    const { wakes } = await open('w1')
    const add = (event: string) => wakes.add(wake({ event }))
    for (let at = 0; at < 100; at++) await add('one')
    await expect(add('one')).rejects.toMatchObject({ code: 'too-many' })
    const others = Array.from({ length: 900 }, (_, at) => add(`two-${at}`))
    await Promise.all(others)
    await expect(add('three')).rejects.toMatchObject({ code: 'too-many' })
    const [newest] = (await wakes.list({ limit: 1 })).items
    await wakes.remove(newest?.id ?? '')
    await add('three')
  })

  test('a wake that cannot be is refused', async () => {
    const { wakes, store } = await open('w1')
    const invalid = { code: 'invalid-options' }
    for (const wrong of [
      wake({ event: 'Two words' }),
      wake({ event: '' }),
      wake({ agent: '' }),
      wake({ agent: 'a'.repeat(201) }),
      wake({ prompt: 'p'.repeat(20_001) }),
    ]) {
      await expect(wakes.add(wrong)).rejects.toMatchObject(invalid)
    }
    const large = event({ data: { text: 'x'.repeat(1_000_000) } })
    await expect(wakes.fire(large)).rejects.toMatchObject(invalid)
    await expect(wakes.list({ limit: 0 })).rejects.toMatchObject(invalid)
    const unknown = { code: 'unknown-session' }
    const ofNone = wake({ sessionId: 'none' })
    await expect(wakes.add(ofNone)).rejects.toMatchObject(unknown)
    await store.create(infoOf('over'))
    await store.append('over', [{ type: 'session-end', reason: 'closed' }])
    const ofOver = wake({ sessionId: 'over' })
    await expect(wakes.add(ofOver)).rejects.toMatchObject(unknown)
  })

  test('wakes of a session go with it; what was seen to is removed some time', async () => {
    const { wakes, store, parts } = await open('w1')
    await store.create(infoOf('one'))
    await wakes.add(wake({ sessionId: 'one' }))
    await wakes.add(wake({ isOnce: true }))
    const { wakes: fired } = await wakes.fire(event())
    await wakes.done(fired.slice(0, 1).map(({ firingId }) => firingId))
    await kit.advance(database, 10_000)
    const rule = { maxAgeMs: 5_000 }
    const rules = { firings: rule, emitted: rule, wakes: rule }
    expect(await createRetention(parts, rules).run()).toEqual({
      firings: 1,
      emitted: 1,
      wakes: 1,
    })
    expect(await wakes.list()).toMatchObject({ items: [{ sessionId: 'one' }] })
    await store.delete('one')
    expect(await rowsOf(database, 'wakes')).toEqual([])
  })
})
