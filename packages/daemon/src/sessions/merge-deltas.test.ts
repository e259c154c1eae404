import type { AgentEvent } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { mergeDeltas } from './merge-deltas.ts'

let seq = 0
function delta(id: string, text: string, sessionId = 's'): AgentEvent {
  const place = { seq: ++seq, sessionId, turnId: 't', path: ['main'] }
  return { type: 'text-delta', id, text, ...place }
}

const textsOf = (events: readonly AgentEvent[]) =>
  events.map((event) =>
    event.type === 'text-delta' ? `${event.id}:${event.text}` : event.type,
  )

test('pieces of a text that follow each other are one, with the number of the last', () => {
  const events = [delta('a', 'x'), delta('a', 'y'), delta('b', 'z')]
  const merged = mergeDeltas(events)
  expect(textsOf(merged)).toEqual(['a:xy', 'b:z'])
  expect(merged[0]?.seq).toBe(events[1]?.seq)
})

test('what comes between two pieces of one session stays between them', () => {
  const end: AgentEvent = { ...delta('a', ''), type: 'text-end', id: 'a' }
  const merged = mergeDeltas([delta('a', 'x'), end, delta('a', 'y')])
  expect(textsOf(merged)).toEqual(['a:x', 'text-end', 'a:y'])
})

test('sessions do not keep each other from it', () => {
  const events = [
    delta('a', 'x', 'one'),
    delta('a', '1', 'two'),
    delta('a', 'y', 'one'),
    delta('a', '2', 'two'),
  ]
  expect(textsOf(mergeDeltas(events))).toEqual(['a:xy', 'a:12'])
})

test('no text grows without end', () => {
  const long = 'x'.repeat(40_000)
  const merged = mergeDeltas([delta('a', long), delta('a', long)])
  expect(merged).toHaveLength(2)
})
