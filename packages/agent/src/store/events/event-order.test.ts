import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Child, startChild } from '../fixtures/child.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { type KitStore, openKitStore } from '../fixtures/open-kit-store.ts'
import type { OpenOptions } from '../fixtures/places.ts'
import type { LoggedEvent } from './event-log.ts'
import type { AppendInput } from './fixtures/append-program.ts'
import { namesOf, readOn } from './fixtures/event-stores.ts'
import { textEvent } from './fixtures/text-event.ts'

const program = new URL('./fixtures/append-program.ts', import.meta.url)

forEachDatabase((kit) => {
  const open = openKitStore(kit)

  function append(
    { database }: KitStore,
    told: Partial<AppendInput> & { readonly sessionId: string },
  ): Child {
    const place = kit.placeOf(database)
    const input: AppendInput = { place, batches: 20, size: 7, ...told }
    return startChild(program, input)
  }

  /** Reads on and on, as a stream does, until it has read all of it. */
  async function follow(
    { events }: KitStore,
    { after, until }: { readonly after: string; readonly until: Promise<void> },
  ) {
    let isOver = false
    const ended = until.finally(() => {
      isOver = true
    })
    const items: LoggedEvent[] = []
    let from = after
    for (let isLast = false; !isLast; ) {
      isLast = isOver
      const page = await readOn(events, { after: from, limit: 10 })
      items.push(...page.items)
      from = page.next
      await nextTick()
    }
    await ended
    return items
  }

  test('whoever follows the log misses nothing of what processes tell at once', async () => {
    const store = await open()
    const after = await store.events.head()
    const sessions = ['a', 'b', 'c', 'd']
    const children = sessions.map((sessionId) => append(store, { sessionId }))
    const end = async () => {
      for (const child of children) {
        expect(await child.ended).toEqual({ code: 0, signal: null, errors: '' })
      }
    }
    const items = await follow(store, { after, until: end() })
    const again = await readOn(store.events, { after })
    expect(items).toEqual(again.items)
    for (const sessionId of sessions) {
      const own = namesOf(items).filter((name) => name.startsWith(sessionId))
      expect(own).toEqual(
        Array.from({ length: 140 }, (_, at) => `${sessionId} ${at + 1}`),
      )
    }
    const places = items.map(({ cursor }) => Number(cursor.split('-')[1]))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(new Set(places).size).toBe(places.length)
  }, 120_000)

  test('one that takes long to commit is waited for, never overtaken', async () => {
    const failpoints = {
      'event.append:before-commit': { do: 'stall', stallMs: 1_000 },
    } as const
    const slow = await open({ driver: { failpoints } })
    const { database } = slow
    const fast = await open({ database })
    const after = await fast.events.head()
    let isOver = false
    const reader = await open({ database })
    const appending = slow.events.append([textEvent('slow', 1)]).finally(() => {
      isOver = true
    })
    const seen: LoggedEvent[] = []
    let from = after
    for (let seq = 1; !isOver; seq++) {
      await fast.events.append([textEvent('fast', seq)])
      const page = await reader.events.read({ after: from })
      seen.push(...page.items)
      from = page.next
    }
    await appending
    seen.push(...(await reader.events.read({ after: from })).items)
    expect(namesOf(seen)).toContain('slow 1')
    expect(namesOf(seen)).toContain('fast 1')
    const all = await readOn(reader.events, { after })
    expect(namesOf(seen)).toEqual(namesOf(all.items))
  }, 60_000)

  test.each(['before-write', 'before-commit', 'after-commit'])(
    'one that is killed at %s leaves a batch whole or not at all, and others go on',
    async (moment) => {
      const store = await open()
      const after = await store.events.head()
      const options: OpenOptions = {
        failpoints: { [`event.append:${moment}`]: { hit: 2, do: 'kill' } },
      }
      const child = append(store, { sessionId: 'gone', options })
      expect(await child.ended).toMatchObject({ signal: 'SIGKILL' })
      await store.events.append([textEvent('here', 1)])
      const { items } = await readOn(store.events, { after })
      const kept = moment === 'after-commit' ? 14 : 7
      expect(namesOf(items)).toEqual([
        ...Array.from({ length: kept }, (_, at) => `gone ${at + 1}`),
        'here 1',
      ])
    },
    60_000,
  )

  test('a log that cannot be written to for a moment is written to afterwards, once', async () => {
    const failpoints = {
      'event.append:before-commit': { do: 'throw' },
      'event.append:after-commit': { hit: 2, do: 'throw' },
    } as const
    const { events } = await open({ driver: { failpoints } })
    const after = await events.head()
    await events.append([textEvent('s1', 1), textEvent('s1', 2)])
    await events.append([textEvent('s1', 3)])
    const { items } = await readOn(events, { after })
    expect(namesOf(items)).toEqual(['s1 1', 's1 2', 's1 3'])
  })
})
