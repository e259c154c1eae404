import { expect, test } from 'vitest'
import { createIds } from './ids.ts'

test('a hundred thousand ids all differ, and begin alike', () => {
  const nextId = createIds()
  const ids = Array.from({ length: 100_000 }, () => nextId())
  expect(new Set(ids).size).toBe(ids.length)
  const [random] = String(ids[0]).split('-')
  expect(ids.every((id) => id.startsWith(`${random}-`))).toBe(true)
})

test('two makers do not give the same ids', () => {
  expect(createIds()()).not.toBe(createIds()())
})
