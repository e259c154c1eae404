import { expect, test } from 'vitest'
import { captureOutput } from '../fixtures/captured-output.ts'
import { type Column, renderFields, renderTable } from './table.ts'
import { cutToWidth, padToWidth, textWidth } from './text-width.ts'

interface Row {
  readonly name: string
  readonly text: string
  readonly at: number
}

const columns: readonly Column<Row>[] = [
  { header: 'NAME', value: ({ name }) => name },
  {
    header: 'AT',
    value: ({ at }) => `${at} s`,
    exact: ({ at }) => at,
    align: 'right',
  },
  { header: 'TEXT', value: ({ text }) => text, canShrink: true },
]

const rows: readonly Row[] = [
  { name: 'one', text: 'short', at: 5 },
  {
    name: '日本',
    text: 'a text that is longer than there is room for',
    at: 120,
  },
]

test('columns stand below each other, by what the terminal shows', () => {
  expect(renderTable(rows, columns, { width: 80 })).toBe(
    [
      'NAME     AT  TEXT',
      'one     5 s  short',
      '日本  120 s  a text that is longer than there is room for',
    ].join('\n'),
  )
})

test('what may shrink gives way, and is marked as cut', () => {
  const lines = renderTable(rows, columns, { width: 30 }).split('\n')
  expect(lines.map(textWidth)).toEqual([17, 18, 30])
  expect(lines[2]).toBe('日本  120 s  a text that is l…')
})

test('what rows have in common stands above them once, for people', () => {
  const grouped: readonly Column<Row>[] = [
    { header: 'AT', value: ({ at }) => `at ${at}`, isHeading: true },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'TEXT', value: ({ text }) => text, canShrink: true },
  ]
  const some = [
    { name: 'a', text: 'one', at: 1 },
    { name: 'b', text: 'a longer text', at: 1 },
    { name: 'c', text: 'three', at: 2 },
  ]
  expect(renderTable(some, grouped, { width: 18 })).toBe(
    [
      '  NAME  TEXT',
      'at 1',
      '  a     one',
      '  b     a longer …',
      'at 2',
      '  c     three',
    ].join('\n'),
  )
  expect(renderTable(some, grouped).split('\n')[2]).toBe('at 2\tc\tthree')
})

test('a column that nobody has a value in is not shown, and programs get it', () => {
  const some: readonly Column<Row>[] = [
    { header: 'NAME', value: ({ name }) => name },
    { header: 'WHY', value: () => undefined, isOptional: true },
    { header: 'AT', value: ({ at }) => at, isForPrograms: true },
  ]
  expect(renderTable(rows.slice(0, 1), some, { width: 80 })).toBe('NAME\none')
  expect(renderTable(rows.slice(0, 1), some)).toBe('one\t\t5')
})

test('programs get whole values with tabs between them, and no heading', () => {
  expect(renderTable(rows, columns)).toBe(
    'one\t5\tshort\n日本\t120\ta text that is longer than there is room for',
  )
})

test('no cell breaks out of its row', () => {
  const bad = [{ name: 'a\tb\nc', text: '\x1b[31mred', at: 1 }]
  expect(renderTable(bad, columns)).toBe('a b c\t1\t\\u{1b}[31mred')
})

test('nothing is printed where there are no rows and nobody looks', () => {
  const { output, written } = captureOutput()
  output.table([], columns)
  expect(written.stdout).toBe('')
})

test('fields without a value are left out', () => {
  const fields = [
    ['agent', 'main'],
    ['about', undefined],
    ['id', 0],
  ] as const
  expect(renderFields(fields)).toBe('agent  main\nid     0')
})

test.each([
  ['abc', 3],
  ['日本', 4],
  ['é', 1],
  ['👩‍👩‍👧', 2],
  ['✅ ok', 5],
  ['⚠️', 2],
])('%s takes %i columns', (text, width) => {
  expect(textWidth(text)).toBe(width)
})

test('a wide character is not cut in half', () => {
  expect(cutToWidth('日本語', 4)).toBe('日…')
  expect(cutToWidth('日本語', 6)).toBe('日本語')
  expect(padToWidth('日', 4, 'right')).toBe('  日')
})
