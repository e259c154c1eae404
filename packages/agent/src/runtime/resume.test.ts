import { describe, expect, test } from 'vitest'
import {
  askingModel,
  entriesIn,
  live,
  notedTool,
  notingStore,
  storeAfter,
} from './fixtures/crashes.ts'
import { expectPaired } from './fixtures/paired.ts'

const names = ['once', 'again', 'last']

/** What a whole turn writes, one write after the other. */
async function writesOfTurn(): Promise<readonly string[]> {
  const writes: string[] = []
  const store = notingStore(writes)
  const tools = names.map((name) => notedTool(name, [], name === 'again'))
  const session = await live({ store, tools, model: askingModel(names) })
  await session.send('Go.', { id: 'input-1' }).result
  return writes
}

const writes = await writesOfTurn()

/** Another process, with what the first has written before it stopped. */
async function afterCrash(count: number) {
  const kept = writes.slice(0, count)
  const ran: string[] = []
  const tools = names.map((name) => notedTool(name, ran, name === 'again'))
  const store = await storeAfter(kept)
  const model = askingModel(names)
  const session = await live({ name: 'second', store, tools, model })
  return { session, ran, store, known: entriesIn(kept) }
}

const crashes = writes.map((_, count) => count)

describe('a turn that was interrupted after so many writes', () => {
  test('writes what it is about to do before it does it', () => {
    expect(entriesIn(writes)).toEqual([
      ...['turn-start', 'step-open', 'seal call-once'],
      ...['seal call-again', 'seal call-last'],
      ...['end call-once', 'end call-again', 'end call-last'],
      ...['step-commit', 'step-commit', 'turn-end'],
    ])
  })

  test.each(crashes.slice(1))('goes on to its end: %d', async (count) => {
    const { session, store } = await afterCrash(count)
    const { status, text } = await session.resume().result
    expect(status).toBe('succeeded')
    expect(text).toContain('once=')
    expectPaired(session.messages)
    const stored = await store.load('s')
    expect(stored?.messages).toEqual(session.messages)
    expect(stored?.openTurn).toBeUndefined()
  })

  test.each(crashes.slice(1))(
    'F145 repeats no call that may have run, unless it may be repeated: %d',
    async (count) => {
      const { session, ran, known } = await afterCrash(count)
      const { text } = await session.resume().result
      for (const name of names) {
        const isEnded = known.includes(`end call-${name}`)
        const isSealed = known.includes(`seal call-${name}`)
        const isRun = name === 'again' ? !isEnded : !isSealed
        expect(ran.includes(name), name).toBe(isRun)
        const isUnknown = isSealed && !isEnded && name !== 'again'
        expect(text.includes(`${name}=The process stopped`)).toBe(isUnknown)
      }
    },
  )

  test.each(crashes.slice(1))(
    'is brought to an end when something else is said: %d',
    async (count) => {
      const { session, ran, known, store } = await afterCrash(count)
      const { status } = await session.send('Something else.').result
      expect(status).toBe('succeeded')
      expectPaired(session.messages)
      const stored = await store.load('s')
      expect(stored?.messages).toEqual(session.messages)
      // Of the first turn nothing more is run, and if it has acted it is told.
      const hasActed = known.some((entry) => entry.startsWith('seal'))
      expect(ran).toEqual(hasActed ? [] : names)
      const history = JSON.stringify(session.messages)
      expect(history.includes('[turn failed: The process')).toBe(hasActed)
      expect(history.includes('Go.')).toBe(hasActed)
    },
  )
})

test('F139 an input that comes again goes on with the turn that it began', async () => {
  const { session } = await afterCrash(2)
  const { turnId } = session.interrupted ?? {}
  const { result } = session.send('Go.', { id: 'input-1' })
  expect(await result).toMatchObject({ status: 'succeeded', turnId })
  expect(session.interrupted).toBeUndefined()
  expect(session.messages.filter(({ role }) => role === 'user')).toHaveLength(1)
})

test('what was interrupted can be looked at before it goes on', async () => {
  const { session } = await afterCrash(2)
  expect(session.interrupted).toMatchObject({
    inputId: 'input-1',
    questions: [],
  })
})

test('a session that was not interrupted has nothing to go on with', async () => {
  const { session } = await afterCrash(writes.length)
  expect(session.interrupted).toBeUndefined()
  expect(() => session.resume()).toThrow('No turn of session "s"')
})
