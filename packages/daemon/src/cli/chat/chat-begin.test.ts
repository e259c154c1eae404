import { expect, test } from 'vitest'
import type { Client } from '../../protocol/client.ts'
import type { SessionDetail } from '../../protocol/schemas/sessions.ts'
import { Chat, type ChatOptions } from './chat.ts'

test('whoever goes on with an interrupted turn is there to be asked before it does, and leaves', async () => {
  const order: string[] = []
  const never = Promise.withResolvers<void>()
  const used: Partial<Client> = {
    // A stream that opens late.
    async *watchSession(_, { signal } = {}) {
      signal?.addEventListener('abort', () => never.resolve())
      await never.promise
    },
    attend: async ({ isLeaving = false }) => {
      order.push(isLeaving ? 'leave' : 'arrive')
      return { ok: true }
    },
    resume: async () => {
      order.push('resume')
      return { sessionId: 's', status: 'started', turnId: 't' }
    },
  }
  const asking = { see: () => {}, look: () => {}, close: async () => {} }
  const options = {
    client: used,
    screen: { note: () => {}, setBusy: () => {}, ask: () => {} },
    style: (_: unknown, text: string) => text,
    createAsking: () => asking,
    view: () => {},
  }
  // No more than this is used to begin and to end.
  const chat = new Chat(options as unknown as ChatOptions)
  const session = { id: 's', state: 'interrupted' }
  await chat.begin(session as SessionDetail)
  await chat.end()
  expect(order).toEqual(['arrive', 'resume', 'leave'])
})
