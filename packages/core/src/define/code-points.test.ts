import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countCodePoints, truncate } from './code-points.ts'

const halfPair = '\ud83d'

describe('countCodePoints', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 2],
    ['😀', 1],
    ['a😀b', 3],
    ['👩‍👧', 3],
    [halfPair, 1],
    [`${halfPair}a`, 2],
  ])('%j has %i', (text, count) => {
    expect(countCodePoints(text)).toBe(count)
  })
})

describe('truncate', () => {
  test('leaves a text that fits, and says so', () => {
    expect(truncate('abc', 3)).toEqual({ text: 'abc', cut: false })
    expect(truncate('😀😀', 2)).toEqual({ text: '😀😀', cut: false })
    expect(truncate('', 0)).toEqual({ text: '', cut: false })
  })

  test('cuts after so many code points, and says so', () => {
    expect(truncate('abcd', 3)).toEqual({ text: 'abc', cut: true })
    expect(truncate('abc', 0)).toEqual({ text: '', cut: true })
  })

  test('never cuts a code point in two', () => {
    expect(truncate('😀😀😀', 2)).toEqual({ text: '😀😀', cut: true })
    expect(truncate('a😀b', 2)).toEqual({ text: 'a😀', cut: true })
  })

  test('agrees with the string taken apart', () => {
    const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2 ** 31)
    const numRuns = 2_000
    const property = fc.property(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.nat(14),
      (text, max) => {
        const points = Array.from(text)
        const kept = points.slice(0, max).join('')
        const cut = points.length > max
        expect(truncate(text, max)).toEqual({ text: kept, cut })
        expect(countCodePoints(text)).toBe(points.length)
      },
    )
    process.stdout.write(`code points: seed ${seed}, ${numRuns} texts\n`)
    fc.assert(property, { seed, numRuns })
  })
})
