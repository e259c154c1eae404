import { expect, test } from 'vitest'
import { isSameData } from './same-data.ts'

test.each<[string, unknown, unknown]>([
  ['texts', 'a', 'a'],
  ['numbers', 1.5, 1.5],
  ['nothing', null, null],
  ['empty objects', {}, {}],
  [
    'keys in another order',
    { a: 1, b: { c: 2, d: 3 } },
    { b: { d: 3, c: 2 }, a: 1 },
  ],
  ['lists', [1, [2, { a: null }]], [1, [2, { a: null }]]],
])('two values with the same %s are the same', (_name, one, other) => {
  expect(isSameData(one, other)).toBe(true)
})

test.each<[string, unknown, unknown]>([
  ['a number and its text', 1, '1'],
  ['nothing and an empty object', null, {}],
  ['an empty list and an empty object', [], {}],
  ['a list and an object with its indices', ['a'], { 0: 'a' }],
  ['lists in another order', [1, 2], [2, 1]],
  ['a longer list', [1], [1, 2]],
  ['a further key', { a: 1 }, { a: 1, b: null }],
  ['another key', { a: 1 }, { b: 1 }],
  ['something deep inside', { a: { b: [1] } }, { a: { b: [99] } }],
  ['a key and what an object inherits', { toString: 1 }, { a: 1 }],
  ['false and zero', { a: false }, { a: 0 }],
])('%s differ', (_name, one, other) => {
  expect(isSameData(one, other)).toBe(false)
  expect(isSameData(other, one)).toBe(false)
})

test('a key named __proto__ counts like any other', () => {
  const one: unknown = JSON.parse('{"__proto__":{"x":1}}')
  const other: unknown = JSON.parse('{"__proto__":{"x":99}}')
  expect(isSameData(one, other)).toBe(false)
  expect(isSameData(one, {})).toBe(false)
})
