import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberPlaceholders } from './postgres/placeholders.ts'
import { fromStoredText, toStoredText } from './stored-text.ts'

const codeUnit = fc
  .integer({ min: 0, max: 0xffff })
  .map((code) => String.fromCharCode(code))
const odd = fc.constantFrom('\0', '\ue000', '\ud800', '\udfff', '0', 'a', '😀')
const anyText = fc.string({ unit: fc.oneof(codeUnit, odd) })

test('every text survives, and what is stored is valid and without zeros', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const stored = toStoredText(text)
      expect(fromStoredText(stored)).toBe(text)
      expect(stored.isWellFormed()).toBe(true)
      expect(stored).not.toContain('\0')
    }),
    { numRuns: 2_000 },
  )
})

test('different texts are stored differently', () => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      expect(toStoredText(one) === toStoredText(other)).toBe(one === other)
    }),
    { numRuns: 2_000 },
  )
})

test('common text is stored as it is', () => {
  expect(toStoredText('grüß 😀\n')).toBe('grüß 😀\n')
})

test('placeholders are numbered, except in quotes and comments', () => {
  const sql = `SELECT '?', "a?", 'it''s ?' -- what?
    FROM t WHERE a = ? AND b = ?`
  expect(numberPlaceholders(sql)).toBe(
    sql.replace('a = ?', 'a = $1').replace('b = ?', 'b = $2'),
  )
})
