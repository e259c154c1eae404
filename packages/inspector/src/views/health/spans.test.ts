import { expect, test } from 'vitest'
import type { Figures } from '../../data/protocol.ts'
import { latencyText } from './numbers.ts'
import { rangeOf, sumSpans } from './spans.ts'

const minuteMs = 60_000

function figuresOf(hook: string, at: number): Figures {
  const counts = { failures: 1, timeouts: 0, skipped: 0, failedOpen: 1 }
  const span = { at, count: 3, ...counts, p50: 5, p90: 6, p99: 7 }
  return { hook, count: 3, isCut: false, ...counts, spans: [span] }
}

test('a time ends with the span that is under way, and has the same edges all through it', () => {
  const range = rangeOf('1h', 100 * minuteMs + 1)
  expect(range).toEqual({
    since: 41 * minuteMs,
    until: 101 * minuteMs,
    spans: 60,
    spanMs: minuteMs,
  })
  expect(rangeOf('1h', 101 * minuteMs - 1)).toEqual(range)
  expect(rangeOf('1h', 101 * minuteMs)).not.toEqual(range)
})

test('spans are summed over hooks, those without a run too; percentiles are of one hook only', () => {
  const range = rangeOf('1h', 100 * minuteMs)
  const at = range.until - minuteMs
  const one = figuresOf('a', at)
  const sums = sumSpans([one, figuresOf('b', at)], range)
  expect(sums).toHaveLength(60)
  expect(sums[0]).toMatchObject({ at: range.since, calls: 0, p50: null })
  const both = { calls: 6, failed: 2, failedOpen: 2, p50: null }
  expect(sums.at(-1)).toMatchObject({ at, ...both })
  expect(sumSpans([one], range).at(-1)).toMatchObject({ calls: 3, p99: 7 })
})

test.each([
  [0, '0 ms'],
  [0.123, '0.12 ms'],
  [4.56, '4.6 ms'],
  [123.4, '123 ms'],
  [1_234, '1.2 s'],
])('%d ms is written as %s', (ms, text) => {
  expect(latencyText(ms)).toBe(text)
})
