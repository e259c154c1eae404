import fc from 'fast-check'
import { test } from 'vitest'
import { agree, check } from '../fixtures/check-property.ts'
import { countCodePoints, truncate } from '../src/define/code-points.ts'

// Pieces of emoji, halves of pairs in any order, and ordinary letters.
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        'a',
        'é',
        '日',
        '👍',
        '🏽',
        '👩‍👩‍👧',
        '\ud83d',
        '\udc4d',
        '\u200d',
        '\ufe0f',
      ),
    )
    .map((parts) => parts.join('')),
)

test('cutting a text never splits a code point, nor leaves too many', async () => {
  const property = fc.property(
    text,
    fc.integer({ min: -1, max: 40 }),
    (whole, max) => {
      const points = Array.from(whole)
      const { text: kept, cut } = truncate(whole, max)
      agree('the count', countCodePoints(whole), points.length)
      agree('what is kept', kept, points.slice(0, Math.max(0, max)).join(''))
      agree('whether it was cut', cut, points.length > Math.max(0, max))
      agree('again', truncate(kept, max), { text: kept, cut: false })
      const isWithin = countCodePoints(kept) <= Math.max(0, max)
      agree('within the limit', isWithin, true)
    },
  )
  await check('code points', property, { runs: 5_000 })
})
