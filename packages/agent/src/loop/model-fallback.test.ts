import { defineHook, proceed, respond } from 'hookline'
import { llmError, type ModelErrorCode } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  anthropicEvents,
  anthropicRefusal,
} from '../model/fixtures/anthropic-wire.ts'
import { openAiEvents, openAiRefusal } from '../model/fixtures/openai-wire.ts'
import { endedAfter, streamed } from '../model/fixtures/wire-replies.ts'
import {
  startWireServer,
  type WireReply,
  type WireServer,
} from '../model/fixtures/wire-server.ts'
import { createModelRegistry } from '../model/registry.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { defineTool } from '../tools/define-tool.ts'

const claude = 'anthropic/claude-sonnet-4-5'
const gpt = 'openai/gpt-5'

const look = defineTool({
  name: 'look',
  description: 'Looks at a file.',
  input: { type: 'object', properties: { path: { type: 'string' } } },
  safety: 'read_only',
  execute: () => 'All of it.',
})

/** Asks the other provider, once, if it is worth it. */
const fallback = defineHook({
  name: 'fallback',
  on: llmError,
  run: ({ attempt, error, request }) =>
    attempt === 1 && error.isRetryable
      ? respond({
          type: 'switch_model',
          model: request.model === claude ? gpt : claude,
        })
      : proceed,
})

async function sessionOf(
  model: string,
  { anthropic, openai }: Readonly<Record<'anthropic' | 'openai', WireServer>>,
) {
  const models = createModelRegistry({
    providers: {
      anthropic: { kind: 'anthropic', baseUrl: anthropic.url },
      openai: { kind: 'openai', baseUrl: openai.url },
    },
    env: { ANTHROPIC_API_KEY: 'of-nobody', OPENAI_API_KEY: 'of-nobody' },
  })
  const runtime = createRuntime({ models, hooks: [fallback], tools: [look] })
  await runtime.register({ name: 'main', model, instructions: '' })
  return runtime.openSession({ agent: 'main' })
}

const call = { id: 'call_a', name: 'look', args: ['{"path":"a.txt"}'] }

const failures: readonly [string, WireReply, ModelErrorCode][] = [
  [claude, anthropicRefusal(529, 'overloaded_error'), 'overloaded'],
  [claude, anthropicRefusal(429, 'rate_limit_error'), 'rate_limited'],
  [claude, endedAfter(1, anthropicEvents({ text: ['x'] })), 'unavailable'],
  [gpt, openAiRefusal(500, 'server_error'), 'unavailable'],
  [gpt, openAiRefusal(429, 'rate_limit_exceeded'), 'rate_limited'],
  [gpt, endedAfter(1, openAiEvents({ text: ['x'] })), 'unavailable'],
]

test.each(failures)(
  '%s, when it fails, gives way to the other provider (%#)',
  async (model, failure) => {
    const text = ['From the other.']
    const isClaude = model === claude
    await using anthropic = await startWireServer(
      isClaude ? failure : streamed(anthropicEvents({ text })),
    )
    await using openai = await startWireServer(
      isClaude ? streamed(openAiEvents({ text })) : failure,
    )
    const session = await sessionOf(model, { anthropic, openai })
    const result = await session.send('Hello.').result
    expect(result).toMatchObject({
      status: 'succeeded',
      text: 'From the other.',
    })
    expect(anthropic.requests).toHaveLength(1)
    expect(openai.requests).toHaveLength(1)
  },
)

test('in the middle of a turn, what one provider has called goes on with the other: from anthropic to openai', async () => {
  await using anthropic = await startWireServer(
    streamed(anthropicEvents({ reasoning: 'Hm.', calls: [call] })),
    anthropicRefusal(529, 'overloaded_error'),
  )
  await using openai = await startWireServer(
    streamed(openAiEvents({ text: ['Done.'] })),
  )
  const session = await sessionOf(claude, { anthropic, openai })
  const { text, usage } = await session.send('Look.').result
  expect(text).toBe('Done.')
  expect(usage.inputTokens).toBe(200)
  const { input } = Object(openai.requests[0]?.body)
  expect(input).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'function_call', call_id: 'call_a' }),
      expect.objectContaining({
        type: 'function_call_output',
        call_id: 'call_a',
        output: expect.stringContaining('All of it.'),
      }),
    ]),
  )
})

test('in the middle of a turn, what one provider has called goes on with the other: from openai to anthropic', async () => {
  await using openai = await startWireServer(
    streamed(openAiEvents({ reasoning: 'Hm.', calls: [call] })),
    openAiRefusal(500, 'server_error'),
  )
  await using anthropic = await startWireServer(
    streamed(anthropicEvents({ text: ['Done.'] })),
  )
  const session = await sessionOf(gpt, { anthropic, openai })
  const { text } = await session.send('Look.').result
  expect(text).toBe('Done.')
  expect(anthropic.requests[0]?.body).toMatchObject({
    model: 'claude-sonnet-4-5',
    messages: [
      { role: 'user' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call_a' }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_a' }],
      },
    ],
  })
})

test('when both fail, the turn fails with the last error', async () => {
  await using anthropic = await startWireServer(
    anthropicRefusal(529, 'overloaded_error'),
  )
  await using openai = await startWireServer(
    openAiRefusal(429, 'rate_limit_exceeded'),
  )
  const session = await sessionOf(claude, { anthropic, openai })
  const { status, error } = await session.send('Hello.').result
  expect(status).toBe('failed')
  expect(error?.code).toBe('rate_limited')
})
