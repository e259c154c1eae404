import { describe, expect, test } from 'vitest'
import { cleanText } from './clean-text.ts'

const code = (text: string) =>
  Array.from(text, (one) => one.codePointAt(0)?.toString(16)).join(' ')

describe('T25 what a hook says to people and models is printable', () => {
  const kept: readonly [string, string][] = [
    ['plain text', 'Not allowed: rm -rf /'],
    ['lines and tabs', 'one\n\ttwo'],
    ['letters of every script', 'né 日本語 עברית العربية 😀'],
    ['joined emoji', '👩‍👩‍👧'],
    ['a soft hyphen and a no-break space', 'a\u00adb\u00a0c'],
  ]
  test.each(kept)('%s stays as it is', (_, text) => {
    expect(cleanText(text, 100)).toBe(text)
  })

  const removed: readonly [string, string, string][] = [
    ['NUL', 'a\0b', 'ab'],
    ['backspace', 'safe\b\b\b\bevil', 'safeevil'],
    ['carriage return', 'line\rover', 'lineover'],
    ['vertical tab and form feed', 'a\u000b\u000cb', 'ab'],
    ['escape', '\u001b[2J\u001b]8;;http://x\u0007link', '[2J]8;;http://xlink'],
    ['delete', 'a\u007fb', 'ab'],
    ['the 8-bit CSI and other C1 controls', 'a\u009b31mb\u0080', 'a31mb'],
    ['overrides of direction', 'a\u202db\u202ec\u202c', 'abc'],
    ['embeddings of direction', 'a\u202ab\u202bc', 'abc'],
    ['isolates', 'a\u2066b\u2067c\u2068d\u2069', 'abcd'],
    ['marks of direction', 'a\u200eb\u200f', 'ab'],
  ]
  test.each(removed)('%s is removed', (_, text, cleaned) => {
    expect(code(cleanText(text, 100))).toBe(code(cleaned))
  })

  test('half a surrogate pair is replaced', () => {
    expect(cleanText('a\ud83db', 100)).toBe('a\ufffdb')
    expect(cleanText('a\ude00b', 100)).toBe('a\ufffdb')
    expect(cleanText('a\ud83d', 100)).toBe('a\ufffd')
  })

  test('blanks around it are removed', () => {
    expect(cleanText(' \n text \t', 100)).toBe('text')
  })

  test('all of nothing is nothing', () => {
    for (const text of ['', ' ', '\0\0', '\u202e']) {
      expect(cleanText(text, 100)).toBe('')
    }
  })
})

describe('F031 what a hook says is bounded', () => {
  test('up to its limit it is whole', () => {
    expect(cleanText('12345', 5)).toBe('12345')
  })

  test('beyond its limit it is cut, and that is said', () => {
    expect(cleanText('123456', 5)).toBe('12345…')
  })

  test('what the cleaning removes does not make room for more', () => {
    expect(cleanText(`${'\0'.repeat(3)}456`, 5)).toBe('45…')
  })

  test('a text of many megabytes is cut before it is cleaned', () => {
    expect(cleanText('\u202e'.repeat(2 ** 24), 10)).toBe('…')
  })
})
