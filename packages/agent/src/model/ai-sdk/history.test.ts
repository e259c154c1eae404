import type { Message } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { fromAiSdk } from '../ai-sdk.ts'
import { ask, callOf } from '../fixtures/asking.ts'
import { SIGNATURE } from '../fixtures/wire-answer.ts'
import {
  anthropicV3,
  anthropicV4,
  compatible,
  openAiV3,
  openAiV4,
  type WireModel,
} from '../fixtures/wire-models.ts'
import { streamed } from '../fixtures/wire-replies.ts'
import { startWireServer } from '../fixtures/wire-server.ts'
import type { ProviderMetadata } from './provider-data.ts'

const QUESTION: readonly Message[] = [
  { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
  { role: 'user', content: [{ type: 'text', text: 'What is in a?' }] },
]

/** Two rounds: the model calls a tool, and then sees the result. */
async function twoRounds(
  { events, connect }: WireModel,
  { isError, options }: { isError: boolean; options?: ProviderMetadata },
): Promise<unknown> {
  const call = { id: 'call_a', name: 'look', args: ['{"path":"a"}'] }
  await using server = await startWireServer(
    streamed(events({ reasoning: 'I look.', text: ['Wait.'], calls: [call] })),
    streamed(events({ text: ['It is empty.'] })),
  )
  const model = fromAiSdk(connect(server.url), {
    ...(options && { providerOptions: options }),
  })
  const { content } = await model.generate(ask(QUESTION), callOf())
  const result: Message = {
    role: 'tool',
    content: [
      {
        type: 'tool_result',
        callId: 'call_a',
        tool: 'look',
        content: [{ type: 'text', text: 'nothing' }],
        isError,
      },
    ],
  }
  const messages = [
    ...QUESTION,
    { role: 'assistant', content },
    result,
  ] as const
  await model.generate(ask(messages), callOf())
  return server.requests[1]?.body
}

describe.each([anthropicV4, anthropicV3])('$title', (wire) => {
  test('the history goes back with the signature of its reasoning', async () => {
    expect(await twoRounds(wire, { isError: false })).toMatchObject({
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'What is in a?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'I look.', signature: SIGNATURE },
            { type: 'text', text: 'Wait.' },
            {
              type: 'tool_use',
              id: 'call_a',
              name: 'look',
              input: { path: 'a' },
            },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_a', content: 'nothing' },
          ],
        },
      ],
      tools: [{ name: 'look', description: 'Looks at a file.' }],
    })
  })

  test('the error of a tool is marked as one', async () => {
    expect(await twoRounds(wire, { isError: true })).toMatchObject({
      messages: [
        {},
        {},
        {
          content: [
            { type: 'tool_result', content: 'nothing', is_error: true },
          ],
        },
      ],
    })
  })
})

describe.each([openAiV4, openAiV3])('$title', (wire) => {
  test('the history goes back by content, with the encrypted reasoning', async () => {
    const options = { openai: { store: false } }
    expect(await twoRounds(wire, { isError: false, options })).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [{ text: 'What is in a?' }] },
        {
          type: 'reasoning',
          encrypted_content: SIGNATURE,
          summary: [{ type: 'summary_text', text: 'I look.' }],
        },
        { role: 'assistant', content: expect.anything() },
        {
          type: 'function_call',
          call_id: 'call_a',
          name: 'look',
          arguments: '{"path":"a"}',
        },
        {
          type: 'function_call_output',
          call_id: 'call_a',
          output: 'nothing',
        },
      ],
    })
  })
})

test('chat completions get the history as their own kinds of messages', async () => {
  expect(await twoRounds(compatible, { isError: false })).toMatchObject({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is in a?' },
      {
        role: 'assistant',
        content: 'Wait.',
        tool_calls: [
          {
            id: 'call_a',
            function: { name: 'look', arguments: '{"path":"a"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_a', content: 'nothing' },
    ],
  })
})
