import { describe, expect, test } from 'vitest'
import type { StreamItem } from '../protocol/schemas/events.ts'
import type { EventStream } from './event-stream.ts'
import { namingHook, permissionEnd } from './fixtures/naming-hook.ts'
import { eventOf, openLog, readItem, readSeqs } from './fixtures/open-log.ts'

const all = { isWhole: true }
const ofS = { isWhole: true, sessionId: 's' }
const upTo = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => from + index)

describe.each(['sqlite', 'postgres'] as const)('on %s', (dialect) => {
  test('a stream has what comes, of its session alone', async () => {
    const { hub, tell } = await openLog(dialect)
    const own = await hub.open(ofS, {})
    const both = await hub.open(all, {})
    await tell(2, 's')
    await tell(1, 'other')
    await tell(1, 's')
    expect(await readSeqs(own, 3)).toEqual([1, 2, 4])
    expect(await readSeqs(both, 4)).toEqual([1, 2, 3, 4])
  })

  test('F192 a stream goes on from its cursor, and from the start', async () => {
    const { hub, tell } = await openLog(dialect)
    await tell(700)
    const whole = await hub.open(ofS, { fromStart: true })
    expect(await readSeqs(whole, 3)).toEqual([1, 2, 3])
    const { cursor: after } = await readItem(whole)
    const rest = await hub.open(ofS, { after })
    await tell(2)
    expect(await readSeqs(rest, 698)).toEqual(upTo(698, 5))
  })

  test('what is there now is read to its end, and not waited beyond it', async () => {
    const { hub, tell } = await openLog(dialect)
    await tell(450)
    await tell(1, 'other')
    const untilNow = true
    const whole = await hub.open(ofS, { fromStart: true, untilNow })
    const { cursor: after } = await readItem(whole)
    expect(await readSeqs(whole, 449)).toEqual(upTo(449, 2))
    expect(await whole.next()).toEqual({ done: true, value: undefined })
    // Also where the newest are at hand.
    const live = await hub.open(ofS, {})
    await tell(1)
    await readItem(live)
    const rest = await hub.open(ofS, { after, untilNow })
    expect(await readSeqs(rest, 450)).toEqual([...upTo(449, 2), 452])
    expect((await rest.next()).done).toBe(true)
    const none = await hub.open(ofS, { untilNow })
    expect((await none.next()).done).toBe(true)
    live.end()
    expect(hub.size).toBe(0)
  })

  test('whoever joins while much is told misses nothing and has nothing twice', async () => {
    const { hub, tell } = await openLog(dialect)
    await hub.open(all, {})
    await tell(50)
    const { items } = await hub.log.read({ limit: 20 })
    const after = items[9]?.cursor
    const telling = (async () => {
      for (let batch = 0; batch < 30; batch++) {
        await tell(5, 'other')
        await tell(5)
      }
    })()
    const joining = Array.from({ length: 20 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index))
      const stream = await hub.open(ofS, { after })
      return await readSeqs(stream, 190)
    })
    await telling
    const expected = [
      ...upTo(40, 11),
      ...Array.from({ length: 30 }, (_, batch) =>
        upTo(5, 56 + batch * 10),
      ).flat(),
    ]
    for (const seqs of await Promise.all(joining)) {
      expect(seqs).toEqual(expected)
    }
  })

  test('F193 whoever is too slow is told how many were left out, and from where they can be read', async () => {
    const bounds = { maxItems: 10 }
    const { hub, tell, store } = await openLog(dialect, { bounds })
    const slow = await hub.open(ofS, {})
    const quick = await hub.open(ofS, {})
    await tell(1)
    expect(await readSeqs(slow, 1)).toEqual([1])
    for (let count = 0; count < 5; count++) await tell(5)
    await tell(3, 'other')
    // The hub has read all of it, and whoever did not read is behind.
    const head = await store.events.head()
    await expect.poll(() => hub.cursor).toBe(head)
    expect(await readSeqs(quick, 10)).toEqual(upTo(10, 17))
    const lagged = await readItem(slow)
    expect(lagged).toMatchObject({ type: 'lagged', missed: 15 })
    expect(await readSeqs(slow, 10)).toEqual(upTo(10, 17))
    const again = await hub.open(ofS, { after: lagged.cursor })
    expect(await readSeqs(again, 1)).toEqual([17])
  })

  test('a cursor that the log does not know is answered with a reset, and the oldest there is', async () => {
    const { hub, tell } = await openLog(dialect)
    await tell(3)
    const stream = await hub.open(ofS, { after: 'abc-7' })
    expect(await readItem(stream)).toMatchObject({ type: 'reset' })
    expect(await readSeqs(stream, 3)).toEqual([1, 2, 3])
  })
})

test('those who do not run the daemon see of hooks only what is theirs to see', async () => {
  const isVisible = (hook: string) => hook === 'shown'
  const { hub, store } = await openLog('sqlite', { isVisible })
  const users = await hub.open({ isWhole: false }, {})
  const owners = await hub.open({ isWhole: true }, {})
  const edit = { type: 'hook-inject', point: 'p', subject: 'context' } as const
  await store.events.append([
    { ...eventOf(1), ...edit, hook: 'hidden' },
    { ...eventOf(2), ...edit, hook: 'shown' },
    eventOf(3),
  ])
  expect(await readSeqs(users, 2)).toEqual([2, 3])
  expect(await readSeqs(owners, 3)).toEqual([1, 2, 3])
  const later = await hub.open({ isWhole: false }, { fromStart: true })
  expect(await readSeqs(later, 2)).toEqual([2, 3])
})

test('of a hook that somebody may not see a stream tells what it did without its name', async () => {
  const isVisible = (hook: string) => hook === 'shown'
  const { hub, store } = await openLog('sqlite', { isVisible })
  const users = await hub.open({ isWhole: false }, {})
  const others = await hub.open({ isWhole: false }, {})
  const owners = await hub.open({ isWhole: true }, {})
  const answers = (['shown', 'hidden'] as const).flatMap((name, index) =>
    namingHook(name, 1 + index * 3),
  )
  const byAnn = permissionEnd(7)
  await store.events.append([...answers, byAnn])
  const read = async (stream: EventStream) => {
    const items: StreamItem[] = []
    while (items.length < 7) items.push(await readItem(stream))
    return items
  }
  const eventsOf = (items: readonly StreamItem[]) =>
    items.map((item) => (item.type === 'event' ? item.event : undefined))
  const whole = await read(owners)
  expect(eventsOf(whole)).toEqual([...answers, byAnn])
  const seen = await read(users)
  const unseen = 'a hook that you may not see'
  expect(eventsOf(seen)).toEqual([
    ...namingHook('shown', 1),
    ...namingHook(unseen, 4, { kind: 'hook' }),
    byAnn,
  ])
  // What is the same for all is one object, and so is what users see instead.
  const same = whole.map((item, index) => item === seen[index])
  expect(same).toEqual([true, true, true, false, false, false, true])
  const again = await read(others)
  expect(again.every((item, index) => item === seen[index])).toBe(true)
  const later = await hub.open({ isWhole: false }, { fromStart: true })
  expect(eventsOf(await read(later))).toEqual(eventsOf(seen))
})

test('streams end and leave nothing behind', async () => {
  const { hub, tell, store } = await openLog('sqlite')
  const streams = await Promise.all(
    Array.from({ length: 50 }, () => hub.open(ofS, {})),
  )
  const waiting = streams.map((stream) => stream.next())
  expect(hub.size).toBe(50)
  for (const stream of streams) stream.end()
  for (const one of await Promise.all(waiting)) expect(one.done).toBe(true)
  expect(hub.size).toBe(0)
  // Nobody reads the log any more, and whoever comes next has it all.
  const before = await store.events.head()
  await tell(2)
  const next = await hub.open(ofS, { after: before })
  expect(await readSeqs(next, 2)).toEqual([1, 2])
})

test('a log that fails is told, tried again, and nothing is missed', async () => {
  let isBroken = false
  let pages = 0
  const errors: unknown[] = []
  const { store, tell } = await openLog('sqlite')
  const { hub } = await openLog('sqlite', {
    log: {
      head: () => store.events.head(),
      onAppend: (listener) => store.events.onAppend(listener),
      read: async (options) => {
        if (isBroken) throw new Error('The disk is gone.')
        const page = await store.events.read(options)
        pages++
        return page
      },
    },
    onError: (error) => errors.push(error),
  })
  const stream = await hub.open(ofS, {})
  // It looks once when it begins, and would see what is told meanwhile.
  await expect.poll(() => pages).toBeGreaterThan(0)
  isBroken = true
  await tell(2)
  await expect.poll(() => errors.length).toBeGreaterThan(0)
  hub.announce('events-unavailable', {})
  expect(await readItem(stream)).toMatchObject({ name: 'events-unavailable' })
  isBroken = false
  expect(await readSeqs(stream, 2)).toEqual([1, 2])
})
