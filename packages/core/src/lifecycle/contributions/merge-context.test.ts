import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCodePoints } from '../../define/code-points.ts'
import type { Contributed } from '../../engine/index.ts'
import { mergeContext } from './merge-context.ts'
import type { ContextEntry } from './prompt-context.ts'

function by(
  hook: string,
  content: string,
  more: Partial<ContextEntry> = {},
): Contributed<ContextEntry> {
  const value = { id: `${hook}-entry`, domain: 'memory', content, ...more }
  return { by: hook, kind: 'context', value }
}

const codesOf = ({ diagnostics }: ReturnType<typeof mergeContext>) =>
  diagnostics.map(({ code, hook }) => [code, hook])

const contentsOf = ({ entries }: ReturnType<typeof mergeContext>) =>
  entries.map(({ content }) => content)

test('heavier entries come first; equals stay as given', () => {
  const merged = mergeContext([
    by('a', 'one'),
    by('b', 'two', { weight: 5 }),
    by('c', 'three', { weight: 0 }),
    by('d', 'four', { weight: 5 }),
    by('e', 'five', { weight: -1 }),
  ])
  expect(contentsOf(merged)).toEqual(['two', 'four', 'one', 'three', 'five'])
  expect(merged.diagnostics).toEqual([])
})

test('an entry keeps who wrote it, its size and its sources', () => {
  const sources = ['file:///notes.md']
  const merged = mergeContext([by('a', ' 😀! ', { sources, isDurable: true })])
  expect(merged.entries).toEqual([
    {
      id: 'a-entry',
      domain: 'memory',
      content: '😀!',
      sources,
      isDurable: true,
      hook: 'a',
      codePoints: 2,
      isCut: false,
    },
  ])
})

test('an entry is ephemeral unless it says otherwise', () => {
  expect(mergeContext([by('a', 'x')]).entries[0]?.isDurable).toBe(false)
})

test('an entry is cut to its own maximum, and that is said', () => {
  const merged = mergeContext([by('a', 'abcdef', { maxCodePoints: 4 })])
  expect(merged.entries).toMatchObject([
    { content: 'abcd', codePoints: 4, isCut: true },
  ])
  expect(codesOf(merged)).toEqual([['context.truncated', 'a']])
})

test('what fits exactly is neither cut nor left out', () => {
  const given = [by('a', '😀😀😀'), by('b', 'xyz', { maxCodePoints: 3 })]
  const budget = { maxEntries: 2, maxCodePoints: 6 }
  const merged = mergeContext(given, budget)
  expect(contentsOf(merged)).toEqual(['😀😀😀', 'xyz'])
  expect(merged.diagnostics).toEqual([])
})

test('the entry that exceeds the budget is cut, the next ones are left out', () => {
  const given = [by('a', 'aaa'), by('b', 'bbb'), by('c', 'ccc')]
  const merged = mergeContext(given, { maxCodePoints: 5 })
  expect(contentsOf(merged)).toEqual(['aaa', 'bb'])
  expect(codesOf(merged)).toEqual([
    ['context.truncated', 'b'],
    ['context.omitted', 'c'],
  ])
})

test('the order decides who is cut', () => {
  const a = by('a', 'aaa')
  const b = by('b', 'bbb')
  const budget = { maxCodePoints: 4 }
  expect(contentsOf(mergeContext([a, b], budget))).toEqual(['aaa', 'b'])
  expect(contentsOf(mergeContext([b, a], budget))).toEqual(['bbb', 'a'])
  const heavy = by('b', 'bbb', { weight: 1 })
  expect(contentsOf(mergeContext([a, heavy], budget))).toEqual(['bbb', 'a'])
})

test('entries beyond the greatest number are left out', () => {
  const given = [by('a', 'a'), by('b', 'b'), by('c', 'c')]
  const merged = mergeContext(given, { maxEntries: 2 })
  expect(contentsOf(merged)).toEqual(['a', 'b'])
  expect(codesOf(merged)).toEqual([['context.omitted', 'c']])
})

test('sixteen entries and 12 000 code points are the default', () => {
  const many = Array.from({ length: 17 }, (_, n) => by(`h${n}`, 'x'))
  expect(mergeContext(many).entries).toHaveLength(16)
  const long = mergeContext([by('a', '😀'.repeat(12_001))])
  expect(long.entries[0]).toMatchObject({ codePoints: 12_000, isCut: true })
})

test('what trims to nothing is left out and takes no place', () => {
  const given = [by('a', ' \n\t '), by('b', ''), by('c', 'x')]
  const merged = mergeContext(given, { maxEntries: 1 })
  expect(contentsOf(merged)).toEqual(['x'])
  expect(codesOf(merged)).toEqual([
    ['context.omitted', 'a'],
    ['context.omitted', 'b'],
  ])
})

test.each([{ maxCodePoints: 0 }, { maxEntries: 0 }])(
  'a budget of nothing leaves everything out: %j',
  (budget) => {
    const merged = mergeContext([by('a', 'x'), by('b', 'y')], budget)
    expect(merged.entries).toEqual([])
    expect(codesOf(merged)).toEqual([
      ['context.omitted', 'a'],
      ['context.omitted', 'b'],
    ])
  },
)

test('an entry that allows itself nothing is left out', () => {
  const merged = mergeContext([by('a', 'x', { maxCodePoints: 0 })])
  expect(codesOf(merged)).toEqual([['context.omitted', 'a']])
})

test('a family joined by zero-width joiners is cut between code points', () => {
  const family = '👩‍👩‍👧'
  expect(countCodePoints(family)).toBe(5)
  for (let max = 1; max <= 5; max++) {
    const { entries } = mergeContext([by('a', family)], { maxCodePoints: max })
    expect(entries[0]?.content).toBe(Array.from(family).slice(0, max).join(''))
    expect(entries[0]?.codePoints).toBe(max)
  }
})

test('no budget is exceeded, no code point split, no loss unsaid, no content repeated', () => {
  const content = fc.string({ unit: 'binary', maxLength: 12 })
  const entry = fc.record({
    content: content.map((text) => `secret${text}`),
    weight: fc.integer({ min: 0, max: 2 }),
    maxCodePoints: fc.integer({ min: 0, max: 20 }),
  })
  const max = fc.integer({ min: 0, max: 60 })
  fc.assert(
    fc.property(fc.array(entry), max, (given, maxCodePoints) => {
      const contributed = given.map((one, n) => by(`h${n}`, one.content, one))
      const { entries, diagnostics } = mergeContext(contributed, {
        maxCodePoints,
        maxEntries: 5,
      })
      const sizes = entries.map((one) => countCodePoints(one.content))
      expect(entries.map(({ codePoints }) => codePoints)).toEqual(sizes)
      expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(
        maxCodePoints,
      )
      expect(entries.length).toBeLessThanOrEqual(5)
      expect(entries.every((one) => one.content.isWellFormed())).toBe(true)
      const cut = entries.filter(({ isCut }) => isCut).map(({ hook }) => hook)
      const lost = diagnostics.map(({ hook }) => hook)
      const whole = entries.filter(({ isCut }) => !isCut)
      expect(new Set(lost).size).toBe(given.length - whole.length)
      expect(lost).toEqual(expect.arrayContaining(cut))
      expect(JSON.stringify(diagnostics)).not.toContain('secret')
    }),
  )
})
