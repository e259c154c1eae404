import type { ModelSettings } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { fromAiSdk } from '../ai-sdk.ts'
import { ask, callOf, LOOK } from '../fixtures/asking.ts'
import {
  anthropicV3,
  anthropicV4,
  openAiV4,
  type WireModel,
} from '../fixtures/wire-models.ts'
import { streamed } from '../fixtures/wire-replies.ts'
import { startWireServer } from '../fixtures/wire-server.ts'
import { callOptions } from './call-options.ts'

async function sent(
  { events, connect }: WireModel,
  settings: ModelSettings,
): Promise<unknown> {
  await using server = await startWireServer(streamed(events({ text: ['.'] })))
  const model = fromAiSdk(connect(server.url))
  await model.generate(ask('Hello.', settings), callOf())
  return server.requests[0]?.body
}

test.each([anthropicV4, anthropicV3])(
  'settings arrive in the words of the provider: $title',
  async (wire) => {
    const settings: ModelSettings = {
      maxOutputTokens: 50,
      temperature: 0.5,
      stopSequences: ['END'],
      toolChoice: { tool: 'look' },
    }
    expect(await sent(wire, settings)).toMatchObject({
      max_tokens: 50,
      temperature: 0.5,
      stop_sequences: ['END'],
      tool_choice: { type: 'tool', name: 'look' },
    })
  },
)

test('the effort of reasoning is asked for in v4', async () => {
  expect(await sent(openAiV4, { reasoningEffort: 'low' })).toMatchObject({
    reasoning: { effort: 'low' },
  })
})

test('a schema for the reply is asked for', async () => {
  const responseSchema = LOOK.inputSchema
  expect(await sent(openAiV4, { responseSchema })).toMatchObject({
    text: { format: { type: 'json_schema', schema: responseSchema } },
  })
})

test('options of the request go over those of the model, one by one', () => {
  const request = ask('?', { providerOptions: { some: { a: 2 } } })
  const options = callOptions(request, {
    version: 'v3',
    mediaInToolResults: true,
    providerOptions: { some: { a: 1, b: 1 }, other: { c: 1 } },
  })
  expect(options.providerOptions).toEqual({
    some: { a: 2, b: 1 },
    other: { c: 1 },
  })
})

test('without tools there is nothing to choose from', () => {
  const request = { ...ask('?', { toolChoice: 'required' }), tools: [] }
  const rules = { version: 'v4', mediaInToolResults: true } as const
  const options = callOptions(request, rules)
  expect(Object.keys(options)).toEqual(['prompt'])
})

test('v3 has no effort of reasoning', () => {
  const rules = { version: 'v3', mediaInToolResults: true } as const
  const options = callOptions(ask('?', { reasoningEffort: 'low' }), rules)
  expect(options).not.toHaveProperty('reasoning')
})
