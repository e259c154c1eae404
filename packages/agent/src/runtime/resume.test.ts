import { describe, expect, test } from 'vitest'
import type { SendOptions } from '../index.ts'
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
async function writesOfTurn(
  options: SendOptions = {},
): Promise<readonly string[]> {
  const writes: string[] = []
  const store = notingStore(writes)
  const tools = names.map((name) => notedTool(name, [], name === 'again'))
  const session = await live({ store, tools, model: askingModel(names) })
  await session.send('Go.', { id: 'input-1', ...options }).result
  return writes
}

const writes = await writesOfTurn()

/** Another process, with what the first has written before it stopped. */
async function afterCrash(count: number, written = writes) {
  const kept = written.slice(0, count)
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

test.each(['resume', 'send'] as const)(
  'a turn that was to give a value is held to it when it goes on: %s',
  async (how) => {
    const output = { type: 'array' }
    const written = await writesOfTurn({ output })
    const { session } = await afterCrash(2, written)
    const { result } =
      how === 'send'
        ? session.send('Go.', { id: 'input-1', output })
        : session.resume()
    const { status, error } = await result
    expect(status).toBe('failed')
    expect(error?.code).toBe('invalid-output')
  },
)

test('another input with the id of one that was interrupted, or has ended, is a conflict', async () => {
  const conflict = { code: 'input-conflict' }
  for (const count of [2, writes.length]) {
    const { session } = await afterCrash(count)
    const other = () => session.send('Stop.', { id: 'input-1' })
    expect(other).toThrow(expect.objectContaining(conflict))
    const output = { type: 'array' }
    const wanted = () => session.send('Go.', { id: 'input-1', output })
    expect(wanted).toThrow(expect.objectContaining(conflict))
    const same = await session.send('Go.', { id: 'input-1' }).result
    expect(same.status).toBe('succeeded')
    expect(other).toThrow(expect.objectContaining(conflict))
  }
})

test('what goes on is cancelled by the signal that it is given', async () => {
  const { session } = await afterCrash(2)
  const signal = AbortSignal.abort()
  const { result } = session.send('Go.', { id: 'input-1', signal })
  expect((await result).status).toBe('cancelled')
})

test.each(crashes.slice(3))(
  'a call of a later step is told from those that another process made: %d',
  async (count) => {
    const store = await storeAfter(writes.slice(0, count))
    const tools = names.map((name) => notedTool(name, []))
    const model = askingModel([...names, 'again'])
    const session = await live({ name: 'second', store, tools, model })
    await session.resume().result
    expectPaired(session.messages)
    const ids = session.messages.flatMap(({ role, content }) =>
      role === 'tool' ? content.map(({ callId }) => callId) : [],
    )
    expect(ids.length).toBeGreaterThan(names.length)
    expect(new Set(ids).size).toBe(ids.length)
  },
)

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
