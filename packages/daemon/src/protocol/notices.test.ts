import { expect, test } from 'vitest'
import { readNotice } from './notices.ts'
import type { StreamItem } from './schemas/events.ts'

function notice(name: string, data?: unknown): StreamItem {
  return { type: 'notice', at: 0, name, data }
}

test('a notice is read by its name, with the session that it is about', () => {
  const data = { sessionId: 's', inputId: 'i', reason: 'Too late.' }
  const item = notice('input-dropped', data)
  expect(readNotice(item, 'input-dropped')).toEqual(data)
  expect(readNotice(item, 'approval-asked')).toBeUndefined()
  const gap: StreamItem = { type: 'lagged', cursor: '1', missed: 2 }
  expect(readNotice(gap, 'input-dropped')).toBeUndefined()
})

test('what another daemon tells otherwise is not read, and the rest of it is', () => {
  const data = { approvalId: 7, callId: 'c', tool: null, isNew: true }
  const told = readNotice(notice('approval-asked', data), 'approval-asked')
  expect(told).toEqual({ callId: 'c' })
})

test.each([undefined, null, 'text', 5, [], ['c']])(
  'a notice with %j for its data tells nothing, and breaks nothing',
  (data) => {
    const item = notice('questions-answered', data)
    expect(readNotice(item, 'questions-answered')).toEqual({})
  },
)

test('a list is read where all that is in it are objects', () => {
  const read = (questions: unknown) =>
    readNotice(notice('questions-asked', { questions }), 'questions-asked')
  expect(read([{ id: 'q' }])).toEqual({ questions: [{ id: 'q' }] })
  expect(read([{ id: 'q' }, 'q'])).toEqual({})
  expect(read({ id: 'q' })).toEqual({})
})

test('what may be absent is read where it is there', () => {
  const data = {
    type: 'tool-end',
    turnId: 't',
    seq: 1,
    chars: 9,
    tool: 'write',
  }
  const item = notice('event-too-large', data)
  expect(readNotice(item, 'event-too-large')).toEqual(data)
})
