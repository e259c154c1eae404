import { expect, test } from 'vitest'
import { defineCell } from './define-cell.ts'

const initial = () => 0

test('a cell is global and holds 65 536 characters, unless it says otherwise', () => {
  expect(defineCell('count', { initial })).toEqual({
    name: 'count',
    scope: 'global',
    maxChars: 65_536,
    initial,
  })
})

test('a cell has the scope and the size it was given', () => {
  const given = { initial, scope: 'turn', maxChars: 10 }
  expect(defineCell('count', given)).toEqual({ name: 'count', ...given })
})

test('a cell is frozen', () => {
  expect(Object.isFrozen(defineCell('count', { initial }))).toBe(true)
})
