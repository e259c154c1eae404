import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

test.each([
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after-ms': '40' }, 40],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
  [{ 'retry-after': '-1' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after-ms': 'soon', 'retry-after': '1' }, 1000],
  [{}, undefined],
])('%o is %s ms', (headers, ms) => {
  expect(retryAfterMs(headers)).toBe(ms)
})

test('a date is a wait from now on', () => {
  const date = new Date(Date.now() + 60_000).toUTCString()
  expect(retryAfterMs({ 'retry-after': date })).toBeGreaterThan(50_000)
})
