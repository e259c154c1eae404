import type { MediaBlock, Message, ToolResultBlock } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { fromAiSdk } from '../ai-sdk.ts'
import { ask, callOf } from '../fixtures/asking.ts'
import { finish, scriptedModel } from '../fixtures/scripted-stream.ts'
import {
  anthropicV3,
  anthropicV4,
  compatible,
  type WireModel,
} from '../fixtures/wire-models.ts'
import { streamed } from '../fixtures/wire-replies.ts'
import { startWireServer } from '../fixtures/wire-server.ts'
import { promptOf } from './prompt.ts'

const rules = { version: 'v4', mediaInToolResults: true } as const

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image: MediaBlock = {
  type: 'image',
  mediaType: 'image/png',
  source: { type: 'base64', data: PIXEL },
}
const linked: MediaBlock = {
  type: 'image',
  mediaType: 'image/png',
  source: { type: 'url', url: 'https://example.com/a.png' },
}
const paper: MediaBlock = {
  type: 'file',
  mediaType: 'application/pdf',
  name: 'a.pdf',
  source: { type: 'base64', data: 'JVBERi0xLjQ=' },
}

const say = (text: string): MediaBlock => ({ type: 'text', text })
const user = (...content: readonly MediaBlock[]): Message => ({
  role: 'user',
  content,
})

function resultOf(...content: readonly MediaBlock[]): readonly Message[] {
  const call = { type: 'tool_call', id: 'c', tool: 'look', args: {} } as const
  const result: ToolResultBlock = {
    type: 'tool_result',
    callId: 'c',
    tool: 'look',
    content,
    isError: false,
  }
  return [
    user(say('?')),
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [result] },
  ]
}

/** What the provider is sent for these messages. */
async function sent(
  { events, connect }: WireModel,
  messages: readonly Message[],
  options: { mediaInToolResults?: boolean } = {},
): Promise<unknown> {
  await using server = await startWireServer(streamed(events({ text: ['.'] })))
  const model = fromAiSdk(connect(server.url), options)
  await model.generate(ask(messages), callOf())
  return server.requests[0]?.body
}

describe.each([anthropicV4, anthropicV3])('$title', (wire) => {
  test('images and files of the user are sent as they are', async () => {
    const body = await sent(wire, [user(say('Look.'), image, linked, paper)])
    expect(body).toMatchObject({
      messages: [
        {
          content: [
            { type: 'text', text: 'Look.' },
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: PIXEL },
            },
            {
              type: 'image',
              source: { type: 'url', url: 'https://example.com/a.png' },
            },
            {
              type: 'document',
              title: 'a.pdf',
              source: { type: 'base64', media_type: 'application/pdf' },
            },
          ],
        },
      ],
    })
  })

  test('images and files of a result are sent as they are', async () => {
    const messages = resultOf(say('Here:'), image, linked, paper)
    expect(await sent(wire, messages)).toMatchObject({
      messages: [
        {},
        {},
        {
          content: [
            {
              type: 'tool_result',
              content: [
                { type: 'text', text: 'Here:' },
                { type: 'image', source: { type: 'base64', data: PIXEL } },
                { type: 'image', source: { type: 'url' } },
                { type: 'document', source: { type: 'base64' } },
              ],
            },
          ],
        },
      ],
    })
  })
})

test('where results are only text, their images follow from the user', async () => {
  const messages = [...resultOf(say('Here:'), image), user(say('Go on.'))]
  const body = await sent(compatible, messages, { mediaInToolResults: false })
  const url = `data:image/png;base64,${PIXEL}`
  expect(body).toMatchObject({
    messages: [
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', content: 'Here:\n[image/png]' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url } },
          { type: 'text', text: 'Go on.' },
        ],
      },
    ],
  })
})

test('system text is one message, and comes first', () => {
  const messages: readonly Message[] = [
    { role: 'system', content: [{ type: 'text', text: 'One.' }] },
    user(say('Hello.')),
    { role: 'system', content: [{ type: 'text', text: 'Two.' }] },
  ]
  expect(promptOf(messages, rules)).toEqual([
    { role: 'system', content: 'One.\n\nTwo.' },
    { role: 'user', content: [{ type: 'text', text: 'Hello.' }] },
  ])
})

test('options of a block of system text hold up to its end', () => {
  const providerData = { anthropic: { cacheControl: { type: 'ephemeral' } } }
  const content = [
    { type: 'text', text: 'One.' },
    { type: 'text', text: 'Two.', providerData },
    { type: 'text', text: 'Three.' },
  ] as const
  expect(promptOf([{ role: 'system', content }], rules)).toEqual([
    {
      role: 'system',
      content: 'One.\n\nTwo.',
      providerOptions: providerData,
    },
    { role: 'system', content: 'Three.' },
  ])
})

test('neighbours of one role are one message, and what is blank is left out', () => {
  const messages: readonly Message[] = [
    user(say('One.'), say(' \n')),
    user(say('')),
    user(say('Two.')),
    { role: 'assistant', content: [] },
    user(say('Three.')),
  ]
  expect(promptOf(messages, rules)).toEqual([
    {
      role: 'user',
      content: [say('One.'), say('Two.'), say('Three.')],
    },
  ])
})

test('thoughts that nothing was said after are not sent back', () => {
  const thought = { type: 'reasoning', text: 'Hm.' } as const
  const messages: readonly Message[] = [
    user(say('One.')),
    { role: 'assistant', content: [thought, { type: 'text', text: ' ' }] },
  ]
  expect(promptOf(messages, rules)).toEqual([
    { role: 'user', content: [say('One.')] },
  ])
})

test('an address that is no URL is refused before anybody is asked', async () => {
  const broken: MediaBlock = {
    ...linked,
    source: { type: 'url', url: 'a.png' },
  }
  const model = fromAiSdk(scriptedModel([finish()]))
  const call = Promise.resolve(model.generate(ask([user(broken)]), callOf()))
  await expect(call).rejects.toMatchObject({
    error: { code: 'invalid_request', isRetryable: false },
  })
})
