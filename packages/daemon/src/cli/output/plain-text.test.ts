import { expect, test } from 'vitest'
import {
  createPlainStream,
  plainJson,
  plainLine,
  plainText,
} from './plain-text.ts'

test('what would move the cursor or change the screen is shown instead', () => {
  expect(plainText('a\x1b[2Jb\x07c\x9bd')).toBe('a\\u{1b}[2Jb\\u{07}c\\u{9b}d')
})

test('what would turn the direction of writing is shown instead', () => {
  expect(plainText('\u202egnp.exe\u2066')).toBe('\\u{202e}gnp.exe\\u{2066}')
})

test('lines and tabs stay, and returns that would overwrite a line do not', () => {
  expect(plainText('a\tb\r\nc\rd')).toBe('a\tb\nc\\u{0d}d')
})

test('emoji, joined ones too, and scripts of all kinds stay as they are', () => {
  const text = 'né 日本語 👩‍👩‍👧 עברית'
  expect(plainText(text)).toBe(text)
})

test('a line is one line, whatever was in it', () => {
  expect(plainLine('  a\n\n  b\r\n\tc \x1b')).toBe('a b c \\u{1b}')
})

test('JSON without controls is read as the same', () => {
  const value = { text: 'a\u009b\u202e\u007f\n', list: ['\ud83d\ude00'] }
  const json = plainJson(JSON.stringify(value))
  expect(json).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(json)).toEqual(value)
})

test('a character in two pieces is one, and no piece hides a control', () => {
  const plain = createPlainStream()
  const pieces = ['a\ud83d', '\ude00b\r', '\nc\x1b', '[31m']
  expect(pieces.map(plain).join('')).toBe('a😀b\nc\\u{1b}[31m')
})
