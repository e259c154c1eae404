import { describe, expect, test } from 'vitest'
import { readResult } from './read-result.ts'

const block = { type: 'text', text: 'a' }

test('a well-formed result is copied, and frozen throughout', () => {
  const given = {
    content: [
      { type: 'text', text: 'a', providerData: { id: [1] } },
      {
        type: 'image',
        mediaType: 'image/png',
        source: { type: 'base64', data: 'AA' },
      },
      {
        type: 'file',
        mediaType: 'text/csv',
        source: { type: 'url', url: 'u' },
        name: 'n',
      },
    ],
    isError: false,
    data: { rows: [1, 2] },
  }
  const read = readResult(given)
  expect(read).toEqual(given)
  given.data.rows.push(3)
  given.content.pop()
  expect(read).toMatchObject({ data: { rows: [1, 2] } })
  expect(read.content).toHaveLength(3)
  expect(Object.isFrozen(read)).toBe(true)
  expect(read.content.every(Object.isFrozen)).toBe(true)
})

test('an error keeps its kind, and has no data', () => {
  const given = { content: [], isError: true, error: 'denied', data: 1 }
  expect(readResult(given)).toEqual({
    content: [],
    isError: true,
    error: 'denied',
  })
})

test('whoever gives a result cannot say that it was withheld: it is an error of theirs', () => {
  const given = { content: [block], isError: true, error: 'withheld' }
  expect(readResult(given)).toStrictEqual({ ...given, error: 'tool' })
})

test.each([
  'tool',
  'denied',
  'dispatch',
  'timeout',
  'cancelled',
  'unknown_outcome',
])('an error may be of the kind %s', (error) => {
  const given = { content: [block], isError: true, error }
  expect(readResult(given)).toStrictEqual(given)
})

test('what a result does not have is left out, whatever it is', () => {
  const given = {
    content: [{ ...block, extra: () => 1, providerData: undefined }],
    isError: false,
    error: 'tool',
    data: undefined,
    raw: new Map(),
  }
  expect(readResult(given)).toStrictEqual({ content: [block], isError: false })
})

test('an object of a class is read by what it holds itself', () => {
  class Result {
    content = [block]
    isError = false
  }
  expect(readResult(new Result())).toStrictEqual({
    content: [block],
    isError: false,
  })
})

describe('what is no result is a failure of the dispatch that says why', () => {
  const file = {
    type: 'file',
    mediaType: 'a/b',
    source: { type: 'url', url: 'u' },
  }
  const throwing = new Proxy(
    {},
    {
      getOwnPropertyDescriptor() {
        throw new Error('no')
      },
    },
  )
  const accessor = {
    get content() {
      throw new Error('ran')
    },
    isError: false,
  }
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'it is not an object'],
    ['text', 'done', 'it is not an object'],
    ['no content', { isError: false }, '"content" is not a list'],
    ['content that is text', { content: 'a', isError: false }, 'not a list'],
    ['a hole', { content: new Array(2), isError: false }, 'is not an object'],
    ['no isError', { content: [] }, '"isError" is neither'],
    [
      'isError of text',
      { content: [], isError: 'false' },
      '"isError" is neither',
    ],
    ['no kind of error', { content: [], isError: true }, '"error" is none of'],
    [
      'a kind that objects have',
      { content: [], isError: true, error: 'toString' },
      '"error" is none of tool, denied',
    ],
    ['an unknown block', ok([{ type: 'audio' }]), 'none of text, image, file'],
    ['a call', ok([{ type: 'tool_call' }]), 'none of text, image, file'],
    ['text that is none', ok([{ type: 'text', text: 1 }]), 'a "text" is not'],
    ['no source', ok([{ ...file, source: null }]), 'a "source" is not'],
    ['a source unknown', ok([{ ...file, source: {} }]), 'neither base64 nor'],
    ['a name that is none', ok([{ ...file, name: 1 }]), 'a "name" is not text'],
    ['no media type', ok([{ ...file, mediaType: 1 }]), '"mediaType" is not'],
    [
      'data that is none',
      { ...ok([]), data: { a: new Date() } },
      'data.a: gives',
    ],
    ['deep data', { ...ok([]), data: nested(1e5) }, 'deeper than 64'],
    ['an accessor', accessor, '"content" is not a list'],
    ['a proxy that throws', throwing, 'it cannot be read'],
    ['what is inherited', Object.create(ok([])), '"content" is not a list'],
  ])('%s', (_, given, message) => {
    const read = readResult(given)
    expect(read).toMatchObject({ isError: true, error: 'dispatch' })
    expect(JSON.stringify(read.content).replaceAll('\\"', '"')).toContain(
      message,
    )
    expect(Object.isFrozen(read.content)).toBe(true)
  })
})

test('a key named __proto__ in data is refused', () => {
  const data: unknown = JSON.parse('{"__proto__":{"isAdmin":true}}')
  expect(readResult({ ...ok([]), data })).toMatchObject({ error: 'dispatch' })
})

function ok(content: unknown[]) {
  return { content, isError: false }
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}
