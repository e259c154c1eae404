import { expect, test } from 'vitest'
import type { HookRecord } from '../engine/index.ts'
import { createMemoryRecords } from './memory-records.ts'

const record = (dispatch: string): HookRecord => ({
  dispatch,
  inside: undefined,
  scope: {},
  point: 'p',
  hook: 'h',
  handler: { id: 'h', kind: 'code', version: '0' },
  visibility: 'internal',
  mode: 'enforce',
  attempt: 1,
  state: 'completed',
  note: undefined,
  startedAt: 0,
  latencyMs: 0,
  answer: 'proceed',
  reason: undefined,
  decided: false,
  failure: undefined,
  policy: undefined,
  failedOpen: false,
  contributions: [],
  diagnostics: [],
})

/** What a sink of that size keeps of so many records. */
function kept(capacity: number | undefined, count: number): string[] {
  const records = createMemoryRecords(capacity)
  for (let at = 0; at < count; at++) records.end(record(`d${at}`))
  return records.all().map(({ dispatch }) => dispatch)
}

test.each([
  [0, ''],
  [2, 'd0 d1'],
  [3, 'd0 d1 d2'],
  [4, 'd1 d2 d3'],
  [6, 'd3 d4 d5'],
  [8, 'd5 d6 d7'],
])('a sink for three keeps the newest of %i, oldest first', (count, names) => {
  expect(kept(3, count).join(' ')).toBe(names)
})

test('a sink for one keeps the last', () => {
  expect(kept(1, 5)).toEqual(['d4'])
})

test('a sink keeps 256 unless it is told otherwise', () => {
  expect(kept(undefined, 256)).toHaveLength(256)
  const names = kept(undefined, 3_000)
  expect(names).toHaveLength(256)
  expect([names[0], names.at(-1)]).toEqual(['d2744', 'd2999'])
})

test('what was read does not change with later records', () => {
  const records = createMemoryRecords(2)
  records.end(record('a'))
  const before = records.all()
  records.end(record('b'))
  records.end(record('c'))
  expect(before.map(({ dispatch }) => dispatch)).toEqual(['a'])
})
