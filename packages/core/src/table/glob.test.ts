import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { growthOf, linear } from '../../fixtures/time-ratio.ts'
import { compileGlob } from './glob.ts'

/** Which of the texts a pattern matches. */
function matched(pattern: string, ...texts: readonly string[]): string[] {
  return texts.filter(compileGlob(pattern))
}

test('a star stands for any run of characters, also none', () => {
  const texts = ['git', 'git push', 'git\npush', 'digit', 'gi']
  expect(matched('git*', ...texts)).toEqual(['git', 'git push', 'git\npush'])
  expect(matched('*', '', 'x', 'a/b\n')).toEqual(['', 'x', 'a/b\n'])
})

test('stars may stand anywhere and in a row', () => {
  const texts = ['ab', 'aXb', 'aXbY', 'XaYb', 'abab']
  expect(matched('a*b', ...texts)).toEqual(['ab', 'aXb', 'abab'])
  expect(matched('*a*b*', ...texts)).toEqual(texts)
  expect(matched('a**b', ...texts)).toEqual(['ab', 'aXb', 'abab'])
})

test('a question mark stands for exactly one character', () => {
  expect(matched('a?c', 'ac', 'abc', 'a?c', 'abbc')).toEqual(['abc', 'a?c'])
  expect(matched('??', '', 'a', 'ab', 'abc')).toEqual(['ab'])
})

test('the whole text must match', () => {
  expect(matched('b?', 'abc', 'bc', 'bcd')).toEqual(['bc'])
})

test('case counts', () => {
  expect(matched('Ba*', 'Bash', 'bash', 'BASH')).toEqual(['Bash'])
})

test.each('.[]+^$|()\\-!/#,'.split(''))('%s stands for itself', (mark) => {
  const pattern = `a${mark}b*`
  expect(matched(pattern, `a${mark}b`, 'aXb', 'ab', 'aab')).toEqual([
    `a${mark}b`,
  ])
})

describe('braces', () => {
  test('give alternatives', () => {
    const tools = ['read', 'write', 'edit', 'reader']
    expect(matched('{read,write}', ...tools)).toEqual(['read', 'write'])
    expect(matched('{read,edit}*', ...tools)).toEqual([
      'read',
      'edit',
      'reader',
    ])
  })

  test('combine with each other', () => {
    const texts = ['a1', 'a2', 'b1', 'b2', 'c1', 'ab12']
    expect(matched('{a,b}{1,2}', ...texts)).toEqual(['a1', 'a2', 'b1', 'b2'])
  })

  test('may hold nothing, one thing, or wildcards', () => {
    expect(matched('a{,b}', 'a', 'ab', 'a,b')).toEqual(['a', 'ab'])
    expect(matched('a{b}', 'ab', 'a{b}')).toEqual(['ab'])
    expect(matched('{a*,?b}', 'axx', 'xb', 'xbx')).toEqual(['axx', 'xb'])
  })

  test('that close without having been opened stand for themselves', () => {
    expect(matched('a}*', 'a}', 'a')).toEqual(['a}'])
  })

  test.each(['{', '{a', 'a{b,c', '{a}{b', '{a,b}*{'])(
    '%s is an error: not closed',
    (pattern) => {
      expect(() => compileGlob(pattern)).toThrow(/closed/)
    },
  )

  test.each(['{a{b}}', '{a,{b,c}}', '{{a}}'])(
    '%s is an error: nested',
    (pattern) => {
      expect(() => compileGlob(pattern)).toThrow(/nested/)
    },
  )

  test('give at most 64 patterns', () => {
    const two = '{a,b}'
    expect(matched(two.repeat(6), 'ababab', 'abc')).toEqual(['ababab'])
    expect(() => compileGlob(two.repeat(7))).toThrow(/more than 64/)
    const listOf = (length: number) => `{${Array(length).fill('x').join()}}`
    expect(matched(listOf(64), 'x')).toEqual(['x'])
    expect(() => compileGlob(listOf(65))).toThrow(/more than 64/)
  })

  test('that would give a billion patterns are refused at once', () => {
    // To make them takes longer than a test may, and more memory than there is.
    expect(() => compileGlob('{a,b}'.repeat(30))).toThrow(/more than 64/)
  })
})

describe('hostile patterns', () => {
  test.each([
    ['*a*a*a*a*a*a*a*b', false],
    [`${'*a'.repeat(500)}*b`, false],
    [`*${'a'.repeat(500)}b`, false],
    [`${'*?'.repeat(500)}b`, false],
    [`${'*'.repeat(5_000)}b`, false],
    [`${'*a'.repeat(500)}*`, true],
    [`${'{*a,a*}'.repeat(6)}b`, false],
  ])('%.20s… takes linear time (%#)', async (pattern, isMatch) => {
    const fits = compileGlob(pattern)
    const growth = await growthOf(16_000, (size) =>
      expect(fits('a'.repeat(size))).toBe(isMatch),
    )
    expect(growth).toBeLessThan(linear)
  })
})

test('a pattern agrees with the regular expression it stands for', () => {
  const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2 ** 31)
  const numRuns = 5_000
  const part = fc.constantFrom('*', '?', 'a', 'b', '.', '{a,b}', '{*a,}')
  const meanings = new Map([
    ['*', '[^]*'],
    ['?', '[^]'],
    ['.', '\\.'],
    ['{a,b}', '(?:a|b)'],
    ['{*a,}', '(?:[^]*a|)'],
  ])
  const property = fc.property(
    fc.array(part, { maxLength: 6 }),
    fc.string({ unit: fc.constantFrom('a', 'b', '.', '\n'), maxLength: 8 }),
    (parts, text) => {
      const source = parts.map((one) => meanings.get(one) ?? one).join('')
      const isMatch = new RegExp(`^${source}$`).test(text)
      expect(compileGlob(parts.join(''))(text)).toBe(isMatch)
    },
  )
  process.stdout.write(`glob: seed ${seed}, ${numRuns} patterns\n`)
  fc.assert(property, { seed, numRuns })
})
