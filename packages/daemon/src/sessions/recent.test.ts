import { expect, test } from 'vitest'
import { Recent } from './recent.ts'

test('the newest are there, and what is twice as old as they may be is not', () => {
  const recent = new Recent<number>(10)
  for (let count = 0; count < 100; count++) recent.set(`key ${count}`, count)
  for (let count = 90; count < 100; count++) {
    expect(recent.get(`key ${count}`)).toBe(count)
  }
  expect(recent.get('key 79')).toBeUndefined()
})

test('what is set again is as it was set last', () => {
  const recent = new Recent<number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  recent.set('a', 3)
  expect([recent.get('a'), recent.get('b')]).toEqual([3, 2])
})
