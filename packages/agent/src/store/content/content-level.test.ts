import { expect, test } from 'vitest'
import { contentAt } from './content-level.ts'
import { createRedactor } from './create-redactor.ts'

const redactor = createRedactor()
const value = { text: 'hello', password: 'hunter2', 'sk-ant-abcdef1234': [1] }

test('nothing is kept at none', () => {
  expect(contentAt('none', value, redactor)).toBeUndefined()
})

test('the shape is kept at metadata, and no value', () => {
  const keys = ['text', 'password', '[redacted]']
  expect(contentAt('metadata', value, redactor)).toEqual({
    type: 'object',
    keys,
  })
  const shapes = ['text', [1, 2], 7, null].map((one) =>
    contentAt('metadata', one, redactor),
  )
  expect(shapes).toEqual([
    { type: 'text', chars: 4 },
    { type: 'list', length: 2 },
    { type: 'number' },
    { type: 'object' },
  ])
})

test.each(['redacted', 'full'] as const)(
  'outside of payloads all but the secrets is kept at %s',
  (level) => {
    expect(contentAt(level, value, redactor)).toEqual({
      text: 'hello',
      password: '[redacted]',
      '[redacted]': [1],
    })
  },
)
