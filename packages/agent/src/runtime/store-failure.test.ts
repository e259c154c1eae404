import { describe, expect, test } from 'vitest'
import {
  createMemoryStore,
  type JournalEntry,
  type SessionStore,
} from '../index.ts'
import { noteEnds } from './fixtures/hooks.ts'
import { brief, expectPaired } from './fixtures/paired.ts'
import { eventsOf, openStage } from './fixtures/stage.ts'
import { tool } from './fixtures/tools.ts'

/** A store that fails once, when it is to keep an entry of this type. */
function failingAt(type: JournalEntry['type']): SessionStore {
  const store = createMemoryStore()
  let isBroken = true
  return {
    ...store,
    append(id, entries) {
      if (isBroken && entries.some((entry) => entry.type === type)) {
        isBroken = false
        throw new Error('The disk is full.')
      }
      return store.append(id, entries)
    },
  }
}

const script = [
  { calls: [{ tool: 'read' }] },
  { text: 'One.' },
  { text: 'Two.' },
  { text: 'Three.' },
]

describe('a store that fails', () => {
  test.each(['turn-start', 'step-commit', 'turn-end'] as const)(
    'at %s leaves a session that goes on, and knows no more than the store',
    async (type) => {
      const store = failingAt(type)
      const { say, session } = await openStage(script, {
        tools: [tool('read')],
        store,
        session: { id: 'one' },
      })
      await say('a').catch(() => {})
      await say('b').catch(() => {})
      const stored = await store.load('one')
      expect(brief(stored?.messages ?? [])).toEqual(brief(session.messages))
      expectPaired(session.messages)
    },
  )

  test('and keeps nothing of a turn leaves its input to be given again', async () => {
    const store = createMemoryStore()
    let isFull = true
    const full: SessionStore = {
      ...store,
      append(id, entries) {
        if (isFull) throw new Error('The disk is full.')
        return store.append(id, entries)
      },
    }
    const { session } = await openStage([{ text: 'One.' }], {
      store: full,
      session: { id: 'one' },
    })
    const give = () => session.send('a', { id: 'key' }).result
    const lost = { status: 'failed', error: { code: 'store' } }
    expect(await give()).toMatchObject(lost)
    isFull = false
    expect(await give()).toMatchObject({ status: 'succeeded', text: 'One.' })
    expect(await give()).toMatchObject({ text: 'One.', isDuplicate: true })
  })

  test('at the end of a turn does not let it be told as ended well', async () => {
    const { say, events } = await openStage([{ text: 'One.' }], {
      store: failingAt('turn-end'),
      session: { id: 'one' },
    })
    await say('a').catch(() => {})
    const told = eventsOf(events, 'turn-end').map(({ status }) => status)
    expect(told).not.toContain('succeeded')
  })

  test.each(['turn-start', 'call-seal', 'step-commit', 'turn-end'] as const)(
    'at %s does not keep turn.post_turn from being asked',
    async (type) => {
      const log: string[] = []
      const { say } = await openStage(script, {
        tools: [tool('read')],
        store: failingAt(type),
        session: { id: 'one' },
        hooks: [noteEnds(log)],
      })
      await say('a').catch(() => {})
      expect(log).toHaveLength(1)
    },
  )

  test('before a call runs keeps it from running', async () => {
    const ran: string[] = []
    const read = tool('read', () => {
      ran.push('read')
      return 'read'
    })
    const { say, session } = await openStage(script, {
      tools: [read],
      store: failingAt('call-seal'),
      session: { id: 'one' },
    })
    await say('a').catch(() => {})
    expect(ran).toEqual([])
    expectPaired(session.messages)
  })
})
