import { describe, expect, test } from 'vitest'
import { growthOf, linear } from '../../../../core/fixtures/time-ratio.ts'
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

  test.each(['/a-', '``` ', '\n```'])(
    'is found in linear time in a text of nothing but %j',
    async (piece) => {
      const growth = await growthOf(80_000, (count) =>
        slashCommandsIn(piece.repeat(count)),
      )
      expect(growth).toBeLessThan(linear)
    },
  )
})
