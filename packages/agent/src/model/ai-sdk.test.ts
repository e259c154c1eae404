import type { TextEvent } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { fromAiSdk } from './ai-sdk.ts'
import { ask, callOf, outline } from './fixtures/asking.ts'
import { reasoningModels, wireModels } from './fixtures/wire-models.ts'
import { streamed } from './fixtures/wire-replies.ts'
import { startWireServer } from './fixtures/wire-server.ts'

describe.each(wireModels)('$title', ({ events, connect, lengthStop }) => {
  test('text arrives as it comes, bracketed, and whole in the response', async () => {
    const answer = events({ text: ['Hel', 'lo ', 'there'] })
    await using server = await startWireServer(streamed(answer))
    const parts: TextEvent[] = []
    const response = await fromAiSdk(connect(server.url)).generate(
      ask('Say hello.'),
      callOf((part) => void parts.push(part)),
    )
    expect(outline(parts)).toEqual(['[text', 'Hel', 'lo ', 'there', 'text]'])
    expect(response.content).toMatchObject([
      { type: 'text', text: 'Hello there' },
    ])
    expect(response.stopReason).toBe('end_turn')
  })

  test('usage counts what came from a cache as input', async () => {
    await using server = await startWireServer(
      streamed(events({ text: ['x'] })),
    )
    const model = fromAiSdk(connect(server.url))
    const { usage } = await model.generate(ask('Hello.'), callOf())
    expect(usage).toMatchObject({
      inputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: 60,
    })
  })

  test('calls carry their arguments, and stop the response', async () => {
    const answer = events({
      text: ['Let me look.'],
      calls: [
        { id: 'call_a', name: 'look', args: ['{"pa', 'th":"a"}'] },
        { id: 'call_b', name: 'look', args: ['{"path":"b"}'] },
      ],
    })
    await using server = await startWireServer(streamed(answer))
    const model = fromAiSdk(connect(server.url))
    const { content, stopReason } = await model.generate(ask('?'), callOf())
    expect(stopReason).toBe('tool_calls')
    expect(content).toMatchObject([
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_call', id: 'call_a', tool: 'look', args: { path: 'a' } },
      { type: 'tool_call', id: 'call_b', tool: 'look', args: { path: 'b' } },
    ])
  })

  test('a response that is cut short by its length says so', async () => {
    const answer = events({ text: ['An'], stop: lengthStop })
    await using server = await startWireServer(streamed(answer))
    const model = fromAiSdk(connect(server.url))
    const { stopReason } = await model.generate(ask('Hello.'), callOf())
    expect(stopReason).toBe('max_tokens')
  })
})

test.each(reasoningModels)(
  'reasoning is told and kept apart from text: $title',
  async ({ events, connect }) => {
    const answer = events({ reasoning: 'Hm, hm.', text: ['Yes.'] })
    await using server = await startWireServer(streamed(answer))
    const parts: TextEvent[] = []
    const response = await fromAiSdk(connect(server.url)).generate(
      ask('Is it so?'),
      callOf((part) => void parts.push(part)),
    )
    expect(outline(parts)).toEqual([
      '[reasoning',
      'Hm, hm.',
      'reasoning]',
      '[text',
      'Yes.',
      'text]',
    ])
    expect(response.content).toMatchObject([
      { type: 'reasoning', text: 'Hm, hm.' },
      { type: 'text', text: 'Yes.' },
    ])
  },
)
