import { expect, test } from 'vitest'
import { ageText, durationText, preciseDuration } from './times.tsx'

test.each([
  [0.4, '0 ms'],
  [999, '999 ms'],
  [1_500, '1.5 s'],
  [30_000, '30 s'],
  [61_000, '1 min 1 s'],
  [120_000, '2 min'],
  [3_600_000 * 2 + 60_000 * 5, '2 h 5 min'],
  [86_400_000 * 6 + 3_600_000 * 23, '6 d 23 h'],
])('%d ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test.each([
  [0, '0 ms'],
  [0.123, '0.12 ms'],
  [5.25, '5.3 ms'],
  [7, '7 ms'],
  [12.6, '13 ms'],
  [3_250, '3.25 s'],
  [3_000, '3 s'],
  [61_000, '1 min 1 s'],
])('%d ms are %s where it matters', (ms, text) => {
  expect(preciseDuration(ms)).toBe(text)
})

test.each([
  [10_000, 'now'],
  [-5_000, 'now'],
  [60_000, '1 min'],
  [3_600_000, '1 h'],
  [86_400_000 * 3, '3 d'],
])('%d ms ago is %s', (ms, text) => {
  expect(ageText(1_000_000_000_000 - ms, 1_000_000_000_000)).toBe(text)
})
