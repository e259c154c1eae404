import { freezeDeep } from 'hookline'
import { expect, test } from 'vitest'
import { createInputHash } from './input-hash.ts'

const hash = createInputHash()

test('equal data have equal hashes, whatever the order of their keys', () => {
  const one = { a: 1, b: [{ c: 2, d: 3 }] }
  const other = { b: [{ d: 3, c: 2 }], a: 1 }
  expect(hash(one)).toBe(hash(other))
  expect(hash(freezeDeep(one))).toBe(hash(other))
})

test('data that differ anywhere have different hashes', () => {
  const values = [
    {},
    [],
    '',
    null,
    'a',
    ['a'],
    [['a']],
    [{}],
    [{ a: 1 }],
    [{ a: 2 }],
    [{ a: 1 }, { a: 1 }],
    { a: [{ a: 1 }] },
    { a: [{ a: { a: [{ b: 1 }] } }] },
    { a: [{ a: { a: [{ b: 2 }] } }] },
    { a: { b: { c: { d: [{ e: 1 }] } } } },
    { a: { b: { c: { d: [{ e: 2 }] } } } },
    { b: [{ a: 1 }] },
    `#${hash({ a: 1 })}`,
    [`#${hash({ a: 1 })}`],
  ]
  expect(new Set(values.map(hash)).size).toBe(values.length)
})

test('what is undefined is as good as not there', () => {
  expect(hash({ a: 1, b: undefined })).toBe(hash({ a: 1 }))
})

test('data that can still change are hashed as they are now', () => {
  const value = { list: [{ a: 1 }] }
  const before = hash(value)
  value.list[0] = { a: 2 }
  expect(hash(value)).not.toBe(before)
})

test('a conversation that grew is not read again, only what is new in it', () => {
  let reads = 0
  const message = (text: string) =>
    Object.freeze({
      role: 'user',
      get text() {
        reads++
        return text
      },
    })
  const messages = [message('a'), message('b')]
  hash(Object.freeze({ request: { messages } }))
  reads = 0
  const longer = [...messages, message('c')]
  hash(Object.freeze({ request: { messages: longer } }))
  expect(reads).toBe(1)
})
