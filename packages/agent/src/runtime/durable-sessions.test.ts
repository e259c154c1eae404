import { expect, test } from 'vitest'
import type { JournalEntry } from '../ports/store.ts'
import type { Store } from '../store/open-store.ts'
import { durableSessions } from './durable-sessions.ts'

const turnId = 'turn'
const end: JournalEntry = { type: 'step-commit', turnId, messages: [] }
// As far as it is looked at here.
const seal = { type: 'call-seal', turnId, call: {} } as unknown as JournalEntry

function setUp() {
  const written: string[] = []
  const flushes: PromiseWithResolvers<void>[] = []
  // Of a store, what writes the journal.
  const store = {
    sessions: {
      append: async (id: string, entries: readonly JournalEntry[]) => {
        for (const { type } of entries) written.push(`${id} ${type}`)
      },
    },
    records: {
      flush: () => {
        const flush = Promise.withResolvers<void>()
        flushes.push(flush)
        return flush.promise
      },
    },
    audit: { record: () => {} },
  } as unknown as Store
  const sessions = durableSessions(store)
  const append = async (id: string, entries: readonly JournalEntry[]) =>
    await sessions.append(id, entries)
  return { append, written, flushes }
}

test('what waits for records is not overtaken by what comes later in its session', async () => {
  const { append, written, flushes } = setUp()
  const first = append('a', [seal])
  const second = append('a', [end])
  const third = append('a', [seal])
  await append('b', [end])
  expect(written).toEqual(['b step-commit'])
  flushes[1]?.resolve()
  flushes[0]?.resolve()
  await Promise.all([first, second, third])
  const own = ['a call-seal', 'a step-commit', 'a call-seal']
  expect(written.slice(1)).toEqual(own)
  await append('a', [end])
  expect(written).toHaveLength(5)
})

test('records that cannot be kept hold back what needed them, and nothing else', async () => {
  const { append, written, flushes } = setUp()
  const first = append('a', [seal])
  const second = append('a', [end])
  const expected = expect(first).rejects.toThrow('full')
  flushes[0]?.reject(new Error('The disk is full.'))
  await expected
  await second
  expect(written).toEqual(['a step-commit'])
})
