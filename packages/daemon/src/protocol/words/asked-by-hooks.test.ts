import { expect, test } from 'vitest'
import { askedByHooks, canLast } from './asked-by-hooks.ts'

const asked = (...names: string[]) => ({
  questions: names.map((by) => ({ by })),
})

test('a yes can last where the policy asks, and hooks ask again', () => {
  expect(canLast(asked('policy'))).toBe(true)
  expect(askedByHooks(asked('policy'))).toEqual([])
  const both = asked('policy', 'budget')
  expect(canLast(both)).toBe(true)
  expect(askedByHooks(both)).toEqual(['budget'])
})

test('where only hooks ask, it could not', () => {
  expect(canLast(asked('budget', 'approval'))).toBe(false)
  expect(canLast(asked('unseen', 'unseen'))).toBe(false)
})

test('hooks that have one name for whoever asks are named once', () => {
  const both = asked('policy', 'unseen', 'budget', 'unseen')
  expect(askedByHooks(both)).toEqual(['unseen', 'budget'])
  expect(canLast(both)).toBe(true)
})
