import { expect, test } from 'vitest'
import { fromAiSdk } from '../ai-sdk.ts'
import { ask, callOf } from '../fixtures/asking.ts'
import { finish, scriptedModel, toolCall } from '../fixtures/scripted-stream.ts'
import { stopReasonOf, usageOf } from './finish.ts'

test.each([
  ['stop', 'end_turn', false, 'end_turn'],
  ['stop', 'stop_sequence', false, 'stop_sequence'],
  ['stop', 'stop', true, 'tool_calls'],
  ['tool-calls', 'tool_use', true, 'tool_calls'],
  ['tool-calls', 'tool_use', false, 'end_turn'],
  ['length', 'max_tokens', true, 'max_tokens'],
  ['content-filter', 'refusal', false, 'refusal'],
  ['other', 'compaction', false, 'other'],
] as const)(
  '%s (%s), open calls: %s, is %s',
  (unified, raw, isOpen, reason) => {
    expect(stopReasonOf({ unified, raw }, isOpen)).toBe(reason)
  },
)

test('a total that is missing is the sum of its parts', () => {
  const usage = usageOf({
    inputTokens: { noCache: 1, cacheRead: 2, cacheWrite: 4 },
    outputTokens: { text: 8, reasoning: 16 },
  })
  expect(usage).toEqual({
    inputTokens: 7,
    outputTokens: 24,
    cacheReadTokens: 2,
    cacheWriteTokens: 4,
    reasoningTokens: 16,
  })
})

test('counts that are no numbers count for nothing', () => {
  const usage = usageOf({
    inputTokens: { total: Number.NaN, cacheRead: -1 },
    outputTokens: {},
  })
  expect(usage).toEqual({ inputTokens: 0, outputTokens: 0 })
})

test('a response that ended by an error is a failure', async () => {
  const model = fromAiSdk(scriptedModel([toolCall('a', '{}'), finish('error')]))
  const call = Promise.resolve(model.generate(ask('?'), callOf()))
  await expect(call).rejects.toMatchObject({ error: { code: 'unavailable' } })
})

test.each([
  ['v3', 'AQID', { type: 'base64', data: 'AQID' }],
  ['v3', new Uint8Array([1, 2, 3]), { type: 'base64', data: 'AQID' }],
  ['v4', { type: 'data', data: 'AQID' }, { type: 'base64', data: 'AQID' }],
  [
    'v4',
    { type: 'data', data: new Uint8Array([1, 2, 3]) },
    { type: 'base64', data: 'AQID' },
  ],
  [
    'v4',
    { type: 'url', url: new URL('https://example.com/a') },
    { type: 'url', url: 'https://example.com/a' },
  ],
] as const)('a file of %s is a block: %o', async (version, data, source) => {
  const parts = [
    { type: 'file', mediaType: 'image/png', data },
    { type: 'file', mediaType: 'text/csv', data },
    finish(),
  ]
  const model = fromAiSdk(scriptedModel(parts, { version }))
  const { content } = await model.generate(ask('?'), callOf())
  expect(content).toEqual([
    { type: 'image', mediaType: 'image/png', source },
    { type: 'file', mediaType: 'text/csv', source },
  ])
})
