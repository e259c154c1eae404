import { expect, test } from 'vitest'
import { defineKind } from './define-kind.ts'

const limits = { depth: 4, keys: 10, chars: 100 }

test('a kind makes contributions that carry its name', () => {
  const note = defineKind<{ text: string }>()('note')
  expect(note({ text: 'a' })).toEqual({ kind: 'note', value: { text: 'a' } })
  expect(note.kind).toBe('note')
})

test('a kind is for hooks that are waited for, unless it says otherwise', () => {
  expect(defineKind<string>()('note').unwaited).toBe(false)
  expect(defineKind<string>()('note', { unwaited: true }).unwaited).toBe(true)
})

test('a kind without rules takes any data, and nothing else', () => {
  const note = defineKind<unknown>()('note')
  expect(note.seal({ any: ['thing', 1, null] }, limits).problem).toBeUndefined()
  expect(note.seal(new Date(), limits).problem).toBe('is not-data')
  expect(note.seal([[[[[]]]]], limits).problem).toBe('is too-deep')
  expect(note.seal('x'.repeat(101), limits).problem).toBe('is too-large')
})

test('a kind says in its own words what is wrong with data', () => {
  const check = (value: unknown) => (value === '' ? 'is empty' : undefined)
  const note = defineKind<string>()('note', { check })
  expect(note.seal('', limits).problem).toBe('is empty')
  expect(note.seal('a', limits).problem).toBeUndefined()
})

test('what is no data never reaches the rules of a kind', () => {
  const check = () => 'was looked at'
  const note = defineKind<unknown>()('note', { check })
  expect(note.seal(new Map(), limits).problem).toBe('is not-data')
})

test('a kind seals a frozen copy, whoever keeps the original', () => {
  const value = { list: [1] }
  const sealed = defineKind<object>()('note').seal(value, limits)
  value.list.push(2)
  expect(sealed).toEqual({ value: { list: [1] } })
  expect(Object.isFrozen(Object(sealed).value.list)).toBe(true)
})

test('a live kind may hold functions, and its plain parts are frozen', () => {
  const tools = defineKind<object>()('tools', { live: true })
  const value = { tools: [{ dispatch: () => 'done' }] }
  expect(tools.seal(value, limits).problem).toBeUndefined()
  expect(value.tools[0]?.dispatch()).toBe('done')
  expect(() => value.tools.pop()).toThrow(TypeError)
})

test('a kind is frozen', () => {
  expect(Object.isFrozen(defineKind<string>()('note'))).toBe(true)
})
