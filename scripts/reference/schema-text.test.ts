import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { keyRows, typeText } from './schema-text.mjs'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(`${root}/docs/reference/config.md`, 'utf8')

test('keys that depend on the type of an object are told with it', () => {
  const text = { type: 'string' }
  const schema = {
    properties: {
      handler: {
        type: 'object',
        required: ['type'],
        properties: { type: { enum: ['command', 'http'] } },
        allOf: [
          {
            if: { properties: { type: { const: 'command' } } },
            // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
            then: { properties: { type: text, argv: text } },
          },
          {
            if: { properties: { type: { const: 'http' } } },
            // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
            then: { properties: { type: text, url: text }, required: ['url'] },
          },
        ],
      },
    },
  }
  expect(keyRows(schema)).toEqual([
    '| `handler` | object |  |',
    '| `handler.type` | `command`, `http`, required |  |',
    '| `handler.argv` (`command`) | text |  |',
    '| `handler.url` (`http`) | text, required |  |',
  ])
})

test('one of two shapes is told as either of them', () => {
  const schema = {
    if: { type: 'object' },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: { $ref: '#/definitions/use' },
    else: { $ref: '#/definitions/hook' },
  }
  expect(typeText(schema)).toBe('[hook](#hook), or [use](#use)')
})

test('the page about configuration has the keys of hooks and their handlers', () => {
  const keys = ['on', 'match', 'onFailure', 'timeoutMs', 'handler.argv']
  for (const key of [...keys, 'handler.template', 'handler.export']) {
    expect(page).toContain(`| \`${key}\``)
  }
})
