import { AgentError, type AgentErrorCode } from '@hookline/agent'
import { StoreError, type StoreErrorCode } from '@hookline/agent/durable'
import { expect, test } from 'vitest'
import type { ErrorCode } from '../protocol/errors.ts'
import { translate, translated } from './translate-errors.ts'

test.each([
  ['too-many', 'too-many'],
  ['full', 'unavailable'],
  ['corrupt', 'unavailable'],
  ['closed', 'shutting-down'],
] satisfies [StoreErrorCode, ErrorCode][])(
  'whoever asks for anything is told "%s" of a store as "%s", in the same words',
  async (code, told) => {
    const error = new StoreError(code, 'Why it is so.')
    const expected = { code: told, message: 'Why it is so.', cause: error }
    expect(translate(error)).toMatchObject(expected)
    const { ask } = translated({ ask: () => Promise.reject(error) })
    await expect(ask()).rejects.toMatchObject(expected)
  },
)

test.each([
  ['invalid-config', 'conflict'],
  ['invalid-session-id', 'bad-request'],
  ['invalid-output-schema', 'bad-request'],
  ['unknown-session', 'not-found'],
  ['session-elsewhere', 'conflict'],
  ['session-closed', 'conflict'],
  ['session-ended', 'gone'],
  ['runtime-closed', 'shutting-down'],
] satisfies [AgentErrorCode, ErrorCode][])(
  'whoever asks is told "%s" of the runtime as "%s"',
  (code, told) => {
    const error = new AgentError(code, 'Why it is so.')
    expect(translate(error)).toMatchObject({ code: told })
  },
)

test.each([
  [new StoreError('invalid-statement', 'SELECT secret')],
  [new AgentError('no-receipt', 'It had none.')],
  [new Error('Anything else.')],
])('what is our own mistake stays as it is, for the log: %s', (error) => {
  expect(translate(error)).toBe(error)
})
