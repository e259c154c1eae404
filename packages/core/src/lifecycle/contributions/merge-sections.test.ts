import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCodePoints } from '../../define/code-points.ts'
import type { Contributed } from '../../engine/index.ts'
import { mergeSections } from './merge-sections.ts'
import type { SectionFragment } from './prompt-section.ts'

function by(
  hook: string,
  content: string,
  more: Partial<SectionFragment> = {},
): Contributed<SectionFragment> {
  return {
    by: hook,
    kind: 'section',
    value: { section: 's', content, ...more },
  }
}

const codesOf = ({ diagnostics }: ReturnType<typeof mergeSections>) =>
  diagnostics.map(({ code, hook }) => [code, hook])

const contentsOf = ({ sections }: ReturnType<typeof mergeSections>) =>
  sections.map(({ section, content }) => [section, content])

test('fragments of a section are trimmed and joined by a blank line, by order', () => {
  const merged = mergeSections([
    by('a', ' first\n'),
    by('b', 'second', { order: 100 }),
    by('c', '\tzeroth ', { order: 1 }),
    by('d', 'third', { order: 101 }),
  ])
  expect(contentsOf(merged)).toEqual([
    ['s', 'zeroth\n\nfirst\n\nsecond\n\nthird'],
  ])
  expect(merged.diagnostics).toEqual([])
})

test('a section stands where its first fragment does', () => {
  const merged = mergeSections([
    by('a', 'a', { section: 'one' }),
    by('b', 'b', { section: 'two', order: 5 }),
    by('c', 'c', { section: 'one', order: 9 }),
  ])
  expect(contentsOf(merged)).toEqual([
    ['two', 'b'],
    ['one', 'c\n\na'],
  ])
})

test('every fragment keeps who wrote it, its size, and whether it was cut', () => {
  const merged = mergeSections([
    by('a', '😀😀', { title: 'Memory' }),
    by('b', 'bbbb', { maxCodePoints: 3 }),
  ])
  expect(merged.sections).toEqual([
    {
      section: 's',
      title: 'Memory',
      content: '😀😀\n\nbbb',
      codePoints: 7,
      isCut: true,
      fragments: [
        { hook: 'a', content: '😀😀', codePoints: 2, isCut: false },
        { hook: 'b', content: 'bbb', codePoints: 3, isCut: true },
      ],
    },
  ])
  expect(codesOf(merged)).toEqual([['section.fragment-truncated', 'b']])
})

test('the first title wins, and another one is told', () => {
  const merged = mergeSections([
    by('a', 'a'),
    by('b', 'b', { title: 'secret one' }),
    by('c', 'c', { title: 'secret two' }),
    by('d', 'd', { title: 'secret one' }),
  ])
  expect(merged.sections[0]?.title).toBe('secret one')
  expect(merged.diagnostics).toEqual([
    {
      code: 'section.title-conflict',
      hook: 'c',
      message:
        'What hook "c" adds to section "s" has another title than the first, which is kept.',
    },
  ])
})

test('a fragment that trims to nothing is left out, its title too', () => {
  const merged = mergeSections([
    by('a', ' \n ', { title: 'Empty' }),
    by('b', 'b', { title: 'Full' }),
    by('c', 'c', { section: 'other', maxCodePoints: 0 }),
  ])
  expect(merged.sections).toMatchObject([{ title: 'Full', content: 'b' }])
  expect(codesOf(merged)).toEqual([
    ['section.fragment-omitted', 'a'],
    ['section.fragment-omitted', 'c'],
  ])
})

test('what fills a section exactly, blank lines included, is whole', () => {
  const given = [by('a', '😀😀'), by('b', 'bb')]
  const merged = mergeSections(given, { maxSectionCodePoints: 6 })
  expect(merged.sections).toMatchObject([{ codePoints: 6, isCut: false }])
  expect(merged.diagnostics).toEqual([])
})

test('a full section cuts the fragment at its edge and leaves out the rest', () => {
  const given = [by('a', 'aaa'), by('b', 'bbb'), by('c', 'c')]
  const merged = mergeSections(given, { maxSectionCodePoints: 7 })
  expect(contentsOf(merged)).toEqual([['s', 'aaa\n\nbb']])
  expect(merged.sections[0]?.isCut).toBe(true)
  expect(codesOf(merged)).toEqual([
    ['section.truncated', 'b'],
    ['section.fragment-omitted', 'c'],
  ])
})

test('no blank line is left at the end where nothing fits behind it', () => {
  const given = [by('a', 'aaa'), by('b', 'bbb')]
  for (const maxSectionCodePoints of [3, 4, 5]) {
    const merged = mergeSections(given, { maxSectionCodePoints })
    expect(contentsOf(merged)).toEqual([['s', 'aaa']])
    expect(merged.sections[0]).toMatchObject({ codePoints: 3, isCut: true })
    expect(codesOf(merged)).toEqual([['section.fragment-omitted', 'b']])
  }
})

test('the order decides who is cut', () => {
  const budget = { maxSectionCodePoints: 6 }
  const a = by('a', 'aaa')
  const b = by('b', 'bbb')
  const early = by('b', 'bbb', { order: 0 })
  expect(contentsOf(mergeSections([a, b], budget))).toEqual([['s', 'aaa\n\nb']])
  expect(contentsOf(mergeSections([a, early], budget))).toEqual([
    ['s', 'bbb\n\na'],
  ])
})

test('all sections together have a budget, which the last ones feel', () => {
  const given = ['x', 'y', 'z'].map((section) =>
    by(`in-${section}`, 'abcd', { section }),
  )
  const merged = mergeSections(given, { maxCodePoints: 6 })
  expect(contentsOf(merged)).toEqual([
    ['x', 'abcd'],
    ['y', 'ab'],
  ])
  expect(codesOf(merged)).toEqual([
    ['section.truncated', 'in-y'],
    ['section.omitted', 'in-z'],
  ])
})

test('sections beyond the greatest number are left out, and each author is told', () => {
  const merged = mergeSections(
    [
      by('a', 'a', { section: 'x' }),
      by('b', 'b', { section: 'y' }),
      by('c', 'c', { section: 'y' }),
    ],
    { maxSections: 1 },
  )
  expect(contentsOf(merged)).toEqual([['x', 'a']])
  expect(codesOf(merged)).toEqual([
    ['section.omitted', 'b'],
    ['section.omitted', 'c'],
  ])
})

test.each([
  { maxSections: 0 },
  { maxSectionCodePoints: 0 },
  { maxCodePoints: 0 },
])('a budget of nothing leaves everything out: %j', (budget) => {
  const merged = mergeSections([by('a', 'x')], budget)
  expect(merged.sections).toEqual([])
  expect(codesOf(merged)).toEqual([['section.omitted', 'a']])
})

test('16 sections, 8 000 code points each and 16 000 in all are the default', () => {
  const names = Array.from({ length: 17 }, (_, n) => `s${n}`)
  const short = names.map((section) => by('a', 'x', { section }))
  expect(mergeSections(short).sections).toHaveLength(16)
  const long = names.map((section) => by('a', '😀'.repeat(8_001), { section }))
  const { sections } = mergeSections(long)
  expect(sections.map(({ codePoints }) => codePoints)).toEqual([8_000, 8_000])
})

test('no budget is exceeded, no code point split, no loss unsaid, no content repeated', () => {
  const fragment = fc.record({
    section: fc.constantFrom('x', 'y', 'z'),
    title: fc.constantFrom('secret one', 'secret two'),
    order: fc.integer({ min: 0, max: 2 }),
    maxCodePoints: fc.integer({ min: 1, max: 20 }),
    content: fc.string({ unit: 'binary' }).map((text) => `secret${text}`),
  })
  const room = fc.integer({ min: 0, max: 60 })
  fc.assert(
    fc.property(fc.array(fragment), room, room, (given, all, each) => {
      const { sections, diagnostics } = mergeSections(
        given.map((one, n) => by(`h${n}`, one.content, one)),
        { maxSections: 2, maxSectionCodePoints: each, maxCodePoints: all },
      )
      const sizes = sections.map(({ content }) => countCodePoints(content))
      expect(sections.map(({ codePoints }) => codePoints)).toEqual(sizes)
      expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(each)
      expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(all)
      expect(sections.length).toBeLessThanOrEqual(2)
      expect(sections.every(({ content }) => content.isWellFormed())).toBe(true)
      const whole = sections.flatMap(({ fragments }) =>
        fragments.filter(({ isCut }) => !isCut),
      )
      const losses = diagnostics.filter(
        ({ code }) => code !== 'section.title-conflict',
      )
      expect(new Set(losses.map(({ hook }) => hook)).size).toBe(
        given.length - whole.length,
      )
      expect(JSON.stringify(diagnostics)).not.toContain('secret')
    }),
  )
})
