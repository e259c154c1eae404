import { setImmediate as soon } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Client } from '../../protocol/client.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { StreamItem } from '../../protocol/schemas/events.ts'
import { findPending } from './ask-approval.ts'
import { type Asker, Asking } from './asking.ts'
import { followTurn } from './follow-turn.ts'
import { startReading } from './start-reading.ts'

function event(type: string, more: object = {}): StreamItem {
  const place = { seq: 1, sessionId: 's', turnId: 't1', path: ['main'] }
  // Only what a test is about is written down.
  return {
    type: 'event',
    cursor: '1',
    at: 0,
    event: { ...place, type, ...more },
  } as unknown as StreamItem
}

async function* stream(...items: StreamItem[]) {
  yield* items
}

/** The few operations that a test needs. */
function clientOf(operations: Partial<Client>): Client {
  return operations as Client
}

const followed = { sessionId: 's', onItem() {} }

test('a turn is followed to its own end', async () => {
  const end = await followTurn({
    ...followed,
    client: clientOf({}),
    turnId: 't2',
    items: stream(
      event('turn-end', { turnId: 't1', status: 'failed' }),
      event('turn-end', {
        turnId: 't2',
        status: 'succeeded',
        path: ['main', 'inner'],
        sessionId: 'inner',
      }),
      event('turn-end', { turnId: 't2', status: 'limited', reason: 'steps' }),
    ),
  })
  expect(end).toEqual({ turnId: 't2', status: 'limited', reason: 'steps' })
})

test('an end that the stream left out is looked up', async () => {
  const turns = [{ id: 't1', status: 'cancelled', error: null }]
  const client = clientOf({
    // Of a turn, nothing else is looked at.
    listTurns: async () => ({ items: turns }) as never,
  })
  const end = await followTurn({
    ...followed,
    client,
    turnId: 't1',
    items: stream({ type: 'lagged', cursor: '9', missed: 400 }, event('x')),
  })
  expect(end).toEqual({ turnId: 't1', status: 'cancelled' })
})

test('a stream that ends first says nothing about the turn', async () => {
  const client = clientOf({})
  const items = stream(event('turn-start'))
  expect(await followTurn({ ...followed, client, items })).toBeUndefined()
})

test('a stream is opened before anybody waits for its first item', async () => {
  let isOpen = false
  const items = startReading(
    (async function* () {
      isOpen = true
      yield 1
      yield 2
    })(),
  )
  expect(isOpen).toBe(true)
  const got: number[] = []
  for await (const item of items) got.push(item)
  expect(got).toEqual([1, 2])
})

interface Asked {
  readonly id: string
  readonly args?: object | undefined
  readonly signal: AbortSignal
  readonly done: () => void
}

const pending: Partial<Client> = {
  getApproval: async () => ({ state: 'pending' }) as never,
}

function setUp(questions: { callId: string }[] = []) {
  const asked: Asked[] = []
  const errors: string[] = []
  const ask = (id: string, signal: AbortSignal, args?: object) =>
    new Promise<void>((done) => {
      asked.push({ id, args, signal, done })
    })
  const asker: Asker = {
    askApproval: ({ id, args }, signal) => ask(id, signal, args),
    askQuestions: ({ callId }, signal) => ask(callId, signal),
  }
  const client = clientOf({
    ...pending,
    listQuestions: async () => ({ items: questions }) as never,
    listApprovals: async () =>
      ({
        items: [
          { id: 'old', state: 'pending' },
          { id: 'done', state: 'used' },
        ],
      }) as never,
  })
  const asking = new Asking({
    client,
    sessionId: 's',
    asker,
    onError: (message) => errors.push(message),
  })
  return { asking, asked, errors }
}

const wanted = (id: string) =>
  event('permission-start', { question: { id, call: { args: {} } } })

test('one thing is asked at a time, each of them once', async () => {
  const { asking, asked } = setUp()
  for (const id of ['a', 'b', 'a']) asking.see(wanted(id))
  await soon()
  expect(asked.map(({ id }) => id)).toEqual(['a'])
  asked[0]?.done()
  await soon()
  expect(asked.map(({ id }) => id)).toEqual(['a', 'b'])
  asked[1]?.done()
  await asking.close()
  expect(asked).toHaveLength(2)
})

test('what is answered elsewhere is withdrawn, and what waits is not asked', async () => {
  const { asking, asked } = setUp()
  asking.see(wanted('a'))
  asking.see(wanted('b'))
  await soon()
  asking.see(event('permission-end', { questionId: 'b' }))
  asking.see(event('permission-end', { questionId: 'a' }))
  expect(asked[0]?.signal.aborted).toBe(true)
  asked[0]?.done()
  await asking.close()
  expect(asked.map(({ id }) => id)).toEqual(['a'])
})

test('questions are looked up when the daemon says that there are some', async () => {
  const { asking, asked } = setUp([{ callId: 'call-1' }])
  const data = { sessionId: 's', callId: 'call-1' }
  asking.see({ type: 'notice', at: 0, name: 'questions-asked', data })
  await soon()
  expect(asked.map(({ id }) => id)).toEqual(['call-1'])
  asking.see({ type: 'notice', at: 0, name: 'questions-answered', data })
  expect(asked[0]?.signal.aborted).toBe(true)
  asked[0]?.done()
  await asking.close()
})

test('a question whose event is too large for the stream is asked once a notice tells of it', async () => {
  const { asking, asked } = setUp()
  const about = { sessionId: 's', turnId: 't1', callId: 'c1', tool: 'write' }
  const large = { ...about, type: 'permission-start', seq: 3, chars: 9_000_000 }
  asking.see({ type: 'notice', at: 0, name: 'event-too-large', data: large })
  const data = { ...about, approvalId: 'a', agent: 'main' }
  asking.see({ type: 'notice', at: 0, name: 'approval-asked', data })
  await soon()
  expect(asked.map(({ id }) => id)).toEqual(['a'])
  asked[0]?.done()
  await asking.close()
})

test('a question that both its event and a notice tell of is asked once, with what could be changed', async () => {
  const { asking, asked } = setUp()
  const call = { args: { path: 'a' } }
  const data = { sessionId: 's', approvalId: 'a' }
  // The log of an older daemon may have them in this order.
  asking.see({ type: 'notice', at: 0, name: 'approval-asked', data })
  asking.see(event('permission-start', { question: { id: 'a', call } }))
  await soon()
  expect(asked).toMatchObject([{ id: 'a', args: { path: 'a' } }])
  asked[0]?.done()
  await asking.close()
  expect(asked).toHaveLength(1)
})

test('after a gap, all that waits is asked', async () => {
  const { asking, asked } = setUp()
  asking.see({ type: 'reset', cursor: '5', reason: 'too old' })
  await soon()
  expect(asked.map(({ id }) => id)).toEqual(['old'])
  asked[0]?.done()
  await asking.close()
})

test('an asker that fails is told of, and the next one is asked', async () => {
  const errors: string[] = []
  const asked: string[] = []
  const asking = new Asking({
    client: clientOf(pending),
    sessionId: 's',
    asker: {
      async askApproval({ id }) {
        asked.push(id)
        if (id === 'a') throw new ProtocolError('not-allowed', 'You may not.')
      },
      async askQuestions() {},
    },
    onError: (message) => errors.push(message),
  })
  asking.see(wanted('a'))
  asking.see(wanted('b'))
  await soon()
  await soon()
  expect({ asked, errors }).toEqual({
    asked: ['a', 'b'],
    errors: ['You may not.'],
  })
})

test('a question that is told of before it is kept is waited for', async () => {
  let looks = 0
  const client = clientOf({
    async getApproval() {
      if (++looks < 3) throw new ProtocolError('not-found', 'There is none.')
      return { id: 'a', state: 'pending' } as never
    },
  })
  const { signal } = new AbortController()
  expect(await findPending(client, 'a', signal)).toMatchObject({ id: 'a' })
  expect(looks).toBe(3)
  expect(await findPending(client, 'a', AbortSignal.abort())).toBeUndefined()
})
