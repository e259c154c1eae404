import { expect, test } from 'vitest'
import { splitHostile } from './split-hostile.ts'

const shown = (text: string) =>
  splitHostile(text)
    .map((part) => part.text)
    .join('')

test.each([
  ['\u001b[31mred', '␛[31mred'],
  ['safe\u202Etxt.exe', 'safe‹U+202E›txt.exe'],
  ['a\u200bb\ufeffc', 'a‹U+200B›b‹U+FEFF›c'],
  ['a\u2066b\u2069', 'a‹U+2066›b‹U+2069›'],
  ['nul\u0000', 'nul␀'],
  ['over\rwritten', 'over␍written'],
  ['half \ud800 a pair', 'half ‹U+D800› a pair'],
  ['tag \u{e0041}', 'tag ‹U+E0041›'],
  ['\u0085\u009b', '‹U+0085›‹U+009B›'],
])('%j is shown as %j', (text, expected) => {
  expect(shown(text)).toBe(expected)
})

test.each([
  'Plain words, with\ta tab\nand lines.\r\nOf all kinds.',
  'Ünïcödé, 漢字, עברית, emoji 👩🏽 and math ∑',
])('%j is shown as it is', (text) => {
  expect(splitHostile(text)).toEqual([{ isHidden: false, text }])
})

test('what is hidden is told apart, so that it can be drawn differently', () => {
  expect(splitHostile('a\u202eb')).toEqual([
    { isHidden: false, text: 'a' },
    { isHidden: true, text: '‹U+202E›', name: 'U+202E' },
    { isHidden: false, text: 'b' },
  ])
})
