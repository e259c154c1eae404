import { expect, test } from 'vitest'
import { defineTool } from './define-tool.ts'
import { definitionHash } from './definition-hash.ts'

const spec = {
  name: 'read',
  description: 'Reads.',
  input: { type: 'object', title: 'a' },
  safety: 'read_only',
  execute: () => 'done',
} as const

const hashOf = (part: object) =>
  definitionHash(defineTool({ ...spec, ...part }))

test('tools that say the same have one hash, whatever the order of keys', () => {
  const input = { title: 'a', type: 'object' }
  expect(hashOf({ input, execute: () => 'other' })).toBe(hashOf({}))
  expect(hashOf({})).toMatch(/^[0-9a-f]{64}$/)
})

test.each([
  { name: 'write' },
  { description: 'Writes.' },
  { input: { type: 'object' } },
  { safety: 'mutating' },
  { idempotent: true },
  { timeoutMs: 5 },
])('a tool that says %j has another hash', (part) => {
  expect(hashOf(part)).not.toBe(hashOf({}))
})

test('a tool that can be changed is hashed anew', () => {
  const tool = { ...defineTool(spec) }
  const before = definitionHash(tool)
  tool.description = 'Reads another.'
  expect(definitionHash(tool)).not.toBe(before)
})
