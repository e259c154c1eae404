import { describe, expect, test } from 'vitest'
import { diffLines } from './diff-lines.ts'
import { foldDiff } from './fold-diff.ts'
import { printValue } from './print-value.ts'

const signs = { same: ' ', removed: '-', added: '+' }
const draw = (before: string, after: string) =>
  diffLines(before.split(''), after.split(''))
    .map(({ type, text }) => signs[type] + text)
    .join('')

/** Always the same numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

describe('a diff of lines', () => {
  test('names the fewest that changed', () => {
    expect(draw('abc', 'abc')).toBe(' a b c')
    expect(draw('abc', 'axc')).toBe(' a-b+x c')
    expect(draw('', 'ab')).toBe('+a+b')
    expect(draw('ab', '')).toBe('-a-b')
    expect(draw('abcabba', 'cbabac').replaceAll(/ ./g, '')).toHaveLength(10)
  })

  test('gives both sides back, whatever they are', () => {
    const next = numbers(7)
    for (let round = 0; round < 2_000; round++) {
      const side = () =>
        Array.from({ length: next(12) }, () => 'abcd'[next(4)] ?? '')
      const [before, after] = [side(), side()]
      const lines = diffLines(before, after)
      const texts = (left: string) =>
        lines.filter(({ type }) => type !== left).map(({ text }) => text)
      expect([texts('added'), texts('removed')]).toEqual([before, after])
    }
  })

  test('gives up on what has nothing in common, in little time', () => {
    const side = (name: string) =>
      Array.from({ length: 20_000 }, (_, at) => `${name} ${at}`)
    const startedAt = performance.now()
    const lines = diffLines(side('old'), side('new'))
    expect(lines).toHaveLength(40_000)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })
})

test('what is the same is folded, but for what is around a change', () => {
  const before = Array.from({ length: 40 }, (_, at) => `${at}`)
  const rows = foldDiff(diffLines(before, before.with(20, 'new')))
  expect(
    rows.map((row) =>
      row.type === 'fold' ? row.lines.length : `${row.type} ${row.text}`,
    ),
  ).toEqual([
    17,
    'same 17',
    'same 18',
    'same 19',
    'removed 20',
    'added new',
    'same 21',
    'same 22',
    'same 23',
    16,
  ])
  expect(rows[4]).toMatchObject({ before: 21, after: undefined })
  expect(rows[5]).toMatchObject({ before: undefined, after: 21 })
})

describe('a value is printed', () => {
  test('as people read it', () => {
    const value = { a: [1, 'x'], text: 'one\ntwo', none: null, empty: {} }
    expect(printValue(value).text).toBe(`{
  "a": [
    1,
    "x"
  ],
  "text": """
    one
    two
    """,
  "none": null,
  "empty": {}
}`)
    expect(printValue('plain\ntext').text).toBe('plain\ntext')
    expect(printValue(undefined).text).toBe('undefined')
  })

  test('up to a length, however large and deep it is', () => {
    const huge = Array.from({ length: 1_000_000 }, () => 'x'.repeat(100))
    const { text, isCut } = printValue(huge)
    expect([text.length, isCut]).toEqual([200_000, true])
    let deep: unknown = 'end'
    for (let depth = 0; depth < 50_000; depth++) deep = [deep]
    expect(printValue(deep).text).toContain('…')
    expect(printValue('x'.repeat(300_000))).toMatchObject({ isCut: true })
  })
})
