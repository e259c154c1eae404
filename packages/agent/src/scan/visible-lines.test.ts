import { expect, test } from 'vitest'
import { oneLine, visibleLines } from './visible-lines.ts'

test.each([
  ['  Fix\n\tthe\r\nbuild ', 'Fix the build'],
  ['a\u0000b\u001b[2Jc\u007f\u0085d', 'a b [2Jc d'],
  ['line\u2028break\u2029and\u00a0space\u3000', 'line break and space'],
  ['\u202egnp.exe\u202c \u2066x\u2069\u200f', 'gnp.exe x'],
  ['zero\u200bwidth\ufeff\u00ad\u2060', 'zerowidth'],
  ['hidden\u{e0041}\u{e0042}\u{e007f} tags', 'hidden tags'],
  ['filler\u115f\u3164 \u2800end', 'filler end'],
  ['half \ud83d of \udc4d it', 'half of it'],
  // These belong to what is seen.
  [
    '\u{1f469}\u200d\u{1f4bb} \u2764\ufe0f',
    '\u{1f469}\u200d\u{1f4bb} \u2764\ufe0f',
  ],
  [
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  ],
  ['\u200d\ufe0f\u200c', ''],
  [' \n\t', ''],
  ['', ''],
])('%j is %j in one line', (given, line) => {
  expect(oneLine(given)).toBe(line)
})

test('a long run of what is not seen takes no longer than its length', () => {
  const text = `a${'\u200b \u202e'.repeat(300_000)}b`
  expect(oneLine(text)).toBe('a b')
})

test('lines are what every program takes for one, without empty ones', () => {
  expect(visibleLines(' a \r\nb\u2028\u200b\u2029\n\n\u0085c\u202ed')).toEqual([
    'a',
    'b',
    'cd',
  ])
})
