import type { MediaBlock, ToolResult } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { limitResult } from './limit-result.ts'

const text = (said: string): ToolResult => ({
  content: [{ type: 'text', text: said }],
  isError: false,
})

function textOf({ content }: ToolResult): string {
  return content[0]?.type === 'text' ? content[0].text : ''
}

test('a result within the limit is returned as it is', () => {
  const small = text('a'.repeat(10))
  expect(limitResult(small, 1_000)).toBe(small)
  expect(limitResult(small, 10)).toBe(small)
  expect(limitResult(small, 9)).not.toBe(small)
})

test('bytes count, not characters', () => {
  const euros = text('€'.repeat(10))
  expect(limitResult(euros, 30)).toBe(euros)
  expect(limitResult(euros, 29).isError).toBe(true)
})

test('a result that is too large says how large it is, and what to do', () => {
  const limited = limitResult(text('x'.repeat(5_000)), 2_000)
  expect(limited).toMatchObject({ isError: true, error: 'tool' })
  expect(textOf(limited)).toBe(
    `The result is too large: 5000 bytes, and the limit is 2000. Ask for less, such as a range or with a filter. It begins:\n${'x'.repeat(1_024)}`,
  )
  expect(Object.isFrozen(limited.content[0])).toBe(true)
})

test('the head is cut between code points', () => {
  const head = textOf(limitResult(text(`a${'😀'.repeat(999)}`), 2_000))
  expect(head.endsWith(`a${'😀'.repeat(255)}`)).toBe(true)
  expect(head.isWellFormed()).toBe(true)
})

test('a limit below the head cuts the head too', () => {
  expect(textOf(limitResult(text('abcdef'), 3))).toMatch(/It begins:\nabc$/)
})

test('an error that is too large stays the error that it is', () => {
  const failed: ToolResult = {
    content: [{ type: 'text', text: 'x'.repeat(100) }],
    isError: true,
    error: 'timeout',
  }
  expect(limitResult(failed, 50)).toMatchObject({ error: 'timeout' })
})

const long = 'x'.repeat(100)
test.each<[string, ToolResult]>([
  ['data', { content: [], isError: false, data: { long } }],
  ['bytes', media({ type: 'base64', data: long })],
  ['an address', media({ type: 'url', url: `data:${long}` })],
  ['a name', media({ type: 'url', url: '' }, long)],
  [
    'provider data',
    {
      content: [{ type: 'text', text: '', providerData: [long] }],
      isError: false,
    },
  ],
])('%s counts', (_, result) => {
  expect(limitResult(result, 99)).toMatchObject({ isError: true })
  expect(limitResult(result, 200)).toBe(result)
})

function media(
  source: Extract<MediaBlock, { type: 'file' }>['source'],
  name = '',
): ToolResult {
  const block: MediaBlock = { type: 'file', mediaType: 'a/b', source, name }
  return { content: [block], isError: false }
}
