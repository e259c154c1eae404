import { expect, test } from 'vitest'
import { textWidth } from './text-width.ts'
import { wrapText } from './wrap-text.ts'

test('lines are broken between words, and the rest is set in', () => {
  const text = wrapText('one two three four', { width: 10, indent: 2 })
  expect(text).toBe('one two\n  three\n  four')
})

test('a word that fits nowhere is broken, also between wide characters', () => {
  const text = wrapText('ab 世界世界世界 cd', { width: 7, indent: 0 })
  const lines = text.split('\n')
  expect(lines.join('').replaceAll(' ', '')).toBe('ab世界世界世界cd')
  expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(7)
  expect(wrapText('x'.repeat(9), { width: 4, indent: 0 })).toBe('xxxx\nxxxx\nx')
})

test('what is cut is marked', () => {
  const options = { width: 8, indent: 0, maxLines: 2 }
  expect(wrapText('one two three four', options)).toBe('one two\nthree …')
  expect(wrapText('one two', options)).toBe('one two')
})

test('with no room at all, nothing hangs and nothing is lost', () => {
  const text = wrapText('ab 世', { width: 1, indent: 5 })
  expect(text.replaceAll(/\s/g, '')).toBe('ab世')
})

test('without a width it is one line', () => {
  const text = 'word '.repeat(100).trim()
  expect(wrapText(text, { width: Infinity, indent: 3 })).toBe(text)
})
