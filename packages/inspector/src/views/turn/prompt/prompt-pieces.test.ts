import { expect, test } from 'vitest'
import { authorsOf, budgetsOf, promptPieces } from './prompt-pieces.ts'

const base = { hash: '', codePoints: 5, isCut: false }

test('every piece has its author, and its words where they were told', () => {
  const manifest = {
    fragments: [
      { ...base, kind: 'base' as const, id: 'instructions' },
      { ...base, kind: 'base' as const, id: 'gone', plugin: 'os' },
      { ...base, kind: 'section' as const, id: 'rules', hook: 'style' },
      { ...base, kind: 'section' as const, id: 'rules', hook: 'style' },
      { ...base, kind: 'context' as const, id: 'memory', hook: 'recall' },
    ],
  }
  const written = { hook: 'style', point: 'p', subject: 'section', id: 'rules' }
  const texts = [
    { ...written, text: 'One.' },
    { ...written, text: 'Two.' },
    { ...written, subject: 'context', text: 'Never.' },
  ]
  const own = [{ id: 'instructions', content: 'Help.' }]
  const pieces = promptPieces({ manifest, texts }, own)
  expect(pieces.map(({ author, text }) => [author, text])).toEqual([
    ['The agent itself', 'Help.'],
    ['os', undefined],
    ['style', 'One.'],
    ['style', 'Two.'],
    ['recall', undefined],
  ])
  expect(authorsOf(pieces)).toEqual(['os', 'style', 'recall'])
  expect(budgetsOf(manifest)).toEqual([])
  const budgets = { section: 20, context: 30 }
  expect(budgetsOf({ ...manifest, budgets })).toEqual([
    { kind: 'section', used: 10, most: 20 },
    { kind: 'context', used: 5, most: 30 },
  ])
})
