import { describe, expect, test } from 'vitest'
import { slashCommandsIn } from './slash.ts'

describe('a line that asks for a skill', () => {
  test.each([
    ['/cook', [['cook', '']]],
    ['/cook soup for two', [['cook', 'soup for two']]],
    ['  /cook  soup ', [['cook', 'soup']]],
    ['/make-tea\tgreen', [['make-tea', 'green']]],
    [
      '/cook soup\n/make-tea green',
      [
        ['cook', 'soup'],
        ['make-tea', 'green'],
      ],
    ],
    ['Please:\n/cook soup\nThanks.', [['cook', 'soup']]],
    [
      '/cook soup\r\n/cook stew',
      [
        ['cook', 'soup'],
        ['cook', 'stew'],
      ],
    ],
    ['/cook "a /b c"', [['cook', '"a /b c"']]],
    ['', []],
    ['/', []],
    ['/ cook', []],
    ['//cook', []],
    ['/Cook', []],
    ['/cook/soup', []],
    ['/usr/bin/env', []],
    ['/cook.', []],
    ['/cook-', []],
    ['/-cook', []],
    ['/a--b', []],
    ['say /cook', []],
    ['`/cook`', []],
    ['```\n/cook\n```', []],
    ['```sh\n/cook\n```\n/make-tea', [['make-tea', '']]],
    ['```\n/cook', []],
  ])('%j', (text, expected) => {
    const found = slashCommandsIn(text).map(({ name, args }) => [name, args])
    expect(found).toEqual(expected)
  })

  test('is found in no time in any text', () => {
    const text = `${'/a-'.repeat(50_000)}\n${'``` '.repeat(10_000)}\n${'\n```'.repeat(10_000)}`
    const begun = performance.now()
    slashCommandsIn(text)
    // A pattern that backtracks would take minutes.
    expect(performance.now() - begun).toBeLessThan(5_000)
  })
})
