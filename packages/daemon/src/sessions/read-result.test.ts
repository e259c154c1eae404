import type { Message } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { readResult } from './read-result.ts'

const resultOf = (callId: string, ...texts: readonly string[]): Message => ({
  role: 'tool',
  content: [
    {
      type: 'tool_result',
      callId,
      tool: 'read',
      content: texts.map((text) => ({ type: 'text', text })),
      isError: false,
    },
  ],
})

const asked = { sessionId: 's', callId: 'c1' }

test('a result is read part by part, and its length is known from the first', () => {
  const messages = [resultOf('c0', 'Other.'), resultOf('c1', 'One.', 'Two.')]
  expect(readResult(messages, asked)).toEqual({
    text: 'One.\nTwo.',
    from: 0,
    length: 9,
    isError: false,
  })
  const part = { ...asked, from: 5, limit: 3 }
  expect(readResult(messages, part)).toMatchObject({ text: 'Two', from: 5 })
  const beyond = readResult(messages, { ...asked, from: 99 })
  expect(beyond).toMatchObject({ text: '', from: 9, length: 9 })
})

test('no character is parted, and nothing is lost between two parts', () => {
  const messages = [resultOf('c1', 'a😀b')]
  const first = readResult(messages, { ...asked, limit: 2 })
  expect(first).toMatchObject({ text: 'a😀', from: 0 })
  const from = first.from + first.text.length
  expect(readResult(messages, { ...asked, from }).text).toBe('b')
  const within = readResult(messages, { ...asked, from: 2 })
  expect(within).toMatchObject({ text: '😀b', from: 1 })
})

test('a result that is not there, or not the only one, is not made up', () => {
  const one = resultOf('c1', 'One.')
  expect(() => readResult([], asked)).toThrow(
    expect.objectContaining({ code: 'not-found' }),
  )
  expect(() => readResult([one, one], asked)).toThrow(
    expect.objectContaining({ code: 'conflict' }),
  )
})
