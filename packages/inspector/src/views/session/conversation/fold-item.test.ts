import { expect, test } from 'vitest'
import type { StreamItem } from '../../../data/protocol.ts'
import { type Conversation, emptyConversation } from './conversation.ts'
import { foldItem } from './fold-item.ts'

let seq = 0

function event(type: string, more: object = {}): StreamItem {
  seq++
  const place = { seq, sessionId: 's', turnId: 't1', path: ['main'] }
  // Only what a test is about is written down.
  return {
    type: 'event',
    cursor: `c-${seq}`,
    at: seq,
    event: { ...place, type, ...more },
  } as unknown as StreamItem
}

const fold = (...items: StreamItem[]): Conversation =>
  items.reduce(foldItem, emptyConversation)

const start = () => event('turn-start', { turn: 1, origin: 'user' })
const call = { id: 'c1', tool: 'write', args: { path: 'a' } }

test('deltas of one block are one text, until it ends', () => {
  const { turns } = fold(
    start(),
    event('text-delta', { id: 'b1', text: 'Hel' }),
    event('text-delta', { id: 'b1', text: 'lo' }),
    event('text-delta', { id: 'b2', text: 'Bye' }),
    event('text-end', { id: 'b1' }),
  )
  expect(turns[0]?.entries).toMatchObject([
    { type: 'text', text: 'Hello', isOpen: false },
    { type: 'text', text: 'Bye', isOpen: true },
  ])
})

test('a call is one entry from its question to its result, with what hooks made of it', () => {
  const { turns } = fold(
    start(),
    event('permission-start', { question: { id: 'q1', call } }),
    event('permission-end', {
      questionId: 'q1',
      decision: { type: 'allow' },
      by: { kind: 'person', name: 'user:ann' },
    }),
    event('tool-start', { call }),
    event('tool-delta', { callId: 'c1', progress: '50%' }),
    event('hook-replace', {
      hook: 'h',
      point: 'tool.post_call',
      subject: 'result',
      id: 'c1',
    }),
    event('tool-end', {
      callId: 'c1',
      tool: 'write',
      status: 'executed',
      elapsedMs: 3,
      result: { content: [], isError: false },
    }),
  )
  expect(turns[0]?.entries).toMatchObject([
    {
      type: 'call',
      callId: 'c1',
      state: 'executed',
      progress: '50%',
      question: { id: 'q1', by: { kind: 'person', name: 'user:ann' } },
      edits: [{ hook: 'h', title: 'changed the result' }],
    },
  ])
  expect(turns[0]?.entries).toHaveLength(1)
})

const notice = (name: string, data: object) =>
  ({
    type: 'notice',
    cursor: `n-${name}`,
    at: 1,
    name,
    data: { turnId: 't1', ...data },
  }) as unknown as StreamItem

test('what is too large for an event is still asked about, and still ends', () => {
  const about = { callId: 'c1', tool: 'write', chars: 10_000_000 }
  const asked = fold(
    start(),
    notice('event-too-large', { type: 'permission-start', ...about }),
    notice('approval-asked', { approvalId: 'q1', ...about }),
  )
  expect(asked.turns[0]?.entries).toMatchObject([
    { type: 'call', tool: 'write', state: 'asked', question: { id: 'q1' } },
  ])
  const ended = foldItem(
    asked,
    notice('event-too-large', {
      type: 'tool-end',
      status: 'executed',
      ...about,
    }),
  )
  expect(ended.turns[0]?.entries).toMatchObject([
    {
      state: 'executed',
      hasLargeResult: true,
      edits: [{}, { title: expect.stringMatching(/10,0/) }],
    },
  ])
})

test('a text that is longer than a page holds is cut, and says so', () => {
  const piece = 'x'.repeat(1_500_000)
  const { turns } = fold(
    start(),
    event('text-delta', { id: 'b1', text: piece }),
    event('text-delta', { id: 'b1', text: piece }),
  )
  const [entry] = turns[0]?.entries ?? []
  expect(entry).toMatchObject({ type: 'text', isCut: true })
  expect(entry?.type === 'text' && entry.text.length).toBe(2_000_000)
})

test('a question that an event has told is not asked twice', () => {
  const before = fold(
    start(),
    event('permission-start', { question: { id: 'q1', call } }),
  )
  const again = { approvalId: 'q1', callId: 'c1', tool: 'write' }
  expect(foldItem(before, notice('approval-asked', again))).toBe(before)
})

test('nothing of a turn goes on when it is over, and its reason is kept', () => {
  const { turns } = fold(
    start(),
    event('text-delta', { id: 'b1', text: 'Hel' }),
    event('tool-start', { call }),
    event('usage-delta', { usage: { inputTokens: 3, outputTokens: 4 } }),
    event('turn-end', { status: 'cancelled', reason: 'Enough.' }),
  )
  expect(turns[0]).toMatchObject({
    status: 'cancelled',
    reason: 'Enough.',
    tokens: 7,
    entries: [{ isOpen: false }, { state: 'cancelled' }],
  })
})

test('what sub-agents do is told apart, and their end is not the end', () => {
  const path = ['main', 'helper']
  const { turns } = fold(
    start(),
    event('turn-input', { path, content: [], isSteering: false }),
    event('text-delta', { path, id: 'b1', text: 'Inner' }),
    event('text-delta', { id: 'b1', text: 'Outer' }),
    event('turn-end', { path, status: 'succeeded' }),
  )
  expect(turns[0]?.status).toBe('running')
  expect(turns[0]?.entries).toMatchObject([
    { text: 'Inner', within: ['helper'] },
    { text: 'Outer', within: [] },
  ])
})

test('what the log no longer has is known to be missing', () => {
  const late = event('tool-start', { turnId: 't0', call })
  expect(fold(late)).toEqual({ turns: [], isCut: true })
  const again = fold(start(), {
    type: 'reset',
    cursor: 'c-9',
    reason: 'It is gone.',
  })
  expect(again).toEqual({ turns: [], isCut: true })
})

test('a turn that goes on elsewhere is still one turn', () => {
  const { turns } = fold(start(), event('text-delta', { id: 'b', text: 'x' }), {
    ...start(),
  })
  expect(turns).toHaveLength(1)
  expect(turns[0]?.entries).toHaveLength(1)
})

test('however much is told, what is kept has an end', () => {
  let conversation = emptyConversation
  for (let turn = 1; turn <= 400; turn++) {
    const turnId = `t${turn}`
    conversation = foldItem(conversation, event('turn-start', { turn, turnId }))
  }
  expect(conversation.turns).toHaveLength(100)
  expect(conversation.isCut).toBe(true)
  for (let count = 0; count < 3_000; count++) {
    const id = `b${count}`
    const delta = event('text-delta', { turnId: 't400', id, text: 'x' })
    conversation = foldItem(conversation, delta)
  }
  expect(conversation.turns.at(-1)?.entries).toHaveLength(2_000)
})
