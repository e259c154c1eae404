import { expect, test } from 'vitest'
import { eventRow } from './event-row.ts'
import { textEvent } from './fixtures/text-event.ts'

test('what is too large by far is told of without writing all of it first', () => {
  const written: unknown[] = []
  const payloads = {
    write(body: unknown) {
      written.push(body)
      return JSON.stringify(body)
    },
    read: () => undefined,
    wordForms: () => [],
  }
  const event = textEvent('s1', 7, 'y'.repeat(8_000_001))
  const row = eventRow(event, { payloads, nextId: () => 'e1' })
  expect(row).toMatchObject({ kind: 'notice', sessionId: 's1' })
  const data = { seq: 7, type: 'text-delta', chars: expect.any(Number) }
  expect(written).toMatchObject([{ name: 'event-too-large', data }])
})
