import { describe, expect, test } from 'vitest'
import { readPrinted } from './printed.ts'

test.each([
  ['a sentence', 'All is well.'],
  ['a sentence with brackets', 'Use {name} and { id: 1 }.'],
  ['what another program has', 'Config:\n{\n  "name": "x"\n}\nUse it.'],
  ['half of what another program has', 'Config:\n{\n  "name": {\nUse it.'],
])('%s is text where it is not what the product means', (_, text) => {
  expect(readPrinted(text, ['decision'])).toEqual({ type: 'text', text })
})

test.each([
  ['an object', 'Config:\n{"name":"x",}'],
  ['half of one', 'Config:\n{"name":"x"'],
  ['a word of an answer in a text', 'Config:\n{"name":"no "decision"",}'],
  ['an answer in a line', 'Print {"decision":"block",} to deny.'],
  ['an answer that is quoted', 'Print\n  "{"decision":"block",}"\nto deny.'],
])('%s with a mistake is text where it is no answer', (_, text) => {
  expect(readPrinted(text, ['decision'])).toEqual({ type: 'text', text })
})

test('an answer with a mistake is one that nobody can read, whatever comes before it', () => {
  const text = 'looking\n{\n  "decision" : "block",\n}'
  const printed = readPrinted(text, ['decision'])
  expect(printed.type).toBe('broken')
})

/** It takes less than one; where it goes wrong, more than a minute. */
const mostMs = 20_000

describe('a megabyte is read in no time, however it is made:', () => {
  const chars = 1_000_000
  test.each([
    ['documents on one line', '{}'],
    ['documents with a key', '{"a":1} '],
    ['documents far apart', `{}${' '.repeat(1_000)}`],
    ['what is no document', '{x}'],
    ['what looks like one', '{"x}'],
    ['half of documents', '{"a":\n'],
    ['brackets that open', '{'],
    ['brackets that open lines', '{\n'],
    ['lines of spaces', `\n${' '.repeat(1_000)}{`],
    ['one in another', '{"a":'],
  ])('%s', (_, piece) => {
    const text = `log ${piece.repeat(Math.ceil(chars / piece.length))}`
    const startedMs = performance.now()
    readPrinted(text)
    readPrinted(text, ['decision'])
    expect(performance.now() - startedMs).toBeLessThan(mostMs)
  })
})
