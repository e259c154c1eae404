import { expect, test } from 'vitest'
import { parseExact } from './parse-exact.ts'

test.each([
  '{}',
  '[]',
  '"a: b"',
  '{ "a": { "a": [1, -1.5, 1e3, true, null] }, "b": "{\\"a\\": 1, \\"a\\": 2}" }',
  '{ "a\\"": 1, "a": 9007199254740991 }',
])('what is sent as it stands there is taken: %s', (text) => {
  expect(parseExact(text)).toEqual(JSON.parse(text))
})

test.each([
  ['{ "n": 9007199254740993 }', '9007199254740993 cannot be kept'],
  ['[-1e400]', '-1e400 cannot be kept'],
  ['{ "n": [-0] }', '-0 cannot be kept'],
  ['{ "a": 1, "b": 2, "a": 3 }', 'A name stands there twice'],
  ['{ "a": { "b": 1, "b": 1 } }', 'A name stands there twice'],
  ['{ "a": 1, "\\u0061": 2 }', 'A name stands there twice'],
  ['{ "a": ', 'Unexpected end'],
])('T47 what would be sent as something else is refused: %s', (text, words) => {
  expect(() => parseExact(text)).toThrow(words)
})
