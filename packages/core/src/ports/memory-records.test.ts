import { expect, test } from 'vitest'
import type { EndedRun, HookRecord } from '../engine/index.ts'
import { createMemoryRecords } from './memory-records.ts'

const record: HookRecord = {
  dispatch: 'd',
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
}

const ended = (dispatch: string): EndedRun => {
  return { point: 'p', record: { ...record, dispatch }, ending: {} }
}

/** What a sink of that size keeps of so many records. */
function kept(capacity: number | undefined, count: number): string[] {
  const records = createMemoryRecords(capacity)
  for (let at = 0; at < count; at++) records.end(ended(`d${at}`))
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
  records.end(ended('a'))
  const before = records.all()
  records.end(ended('b'))
  records.end(ended('c'))
  expect(before.map(({ dispatch }) => dispatch)).toEqual(['a'])
})

test('a record is written when it is read, and not before', () => {
  let written = 0
  const run: EndedRun = {
    ...{ point: 'p', ending: {} },
    get record() {
      written++
      return record
    },
  }
  const records = createMemoryRecords(2)
  for (let at = 0; at < 5; at++) records.end(run)
  expect(written).toBe(0)
  expect(records.all()).toEqual([record, record])
  expect(written).toBe(2)
})
