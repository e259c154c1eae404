import type { Message, ModelContent, ToolCallBlock } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { isInvalidArgs } from '../../ports/invalid-args.ts'
import { fromAiSdk } from '../ai-sdk.ts'
import { ask, callOf } from '../fixtures/asking.ts'
import { finish, scriptedModel, toolCall } from '../fixtures/scripted-stream.ts'
import { anthropicV3, anthropicV4 } from '../fixtures/wire-models.ts'
import { streamed } from '../fixtures/wire-replies.ts'
import { startWireServer } from '../fixtures/wire-server.ts'

async function hear(
  parts: readonly object[],
  before: readonly Message[] = [],
): Promise<ModelContent> {
  const model = fromAiSdk(scriptedModel([...parts, finish('tool-calls')]))
  return (await model.generate(ask(before), callOf())).content
}

function isCall(block: ModelContent[number]): block is ToolCallBlock {
  return block.type === 'tool_call'
}

test.each(['{"path":', '[1]', '"text"', 'null', '42', 'no JSON'])(
  'arguments that are no JSON object are kept as written: %s',
  async (input) => {
    const [call] = (await hear([toolCall('a', input)])).filter(isCall)
    expect(call?.args).toEqual({ $invalid: input })
    expect(isInvalidArgs(call?.args ?? {})).toBe(true)
  },
)

test('arguments that cannot be read are cut, and not inside a character', async () => {
  const [call] = (await hear([toolCall('a', '🙂'.repeat(3000))])).filter(isCall)
  expect(call?.args).toEqual({ $invalid: '🙂'.repeat(2000) })
})

test('no arguments at all are an empty object', async () => {
  const [call] = (await hear([toolCall('a', ' ')])).filter(isCall)
  expect(call?.args).toEqual({})
  expect(isInvalidArgs({})).toBe(false)
})

test('arguments that merely have such a field are valid', () => {
  expect(isInvalidArgs({ $invalid: 'x', path: 'a' })).toBe(false)
  expect(isInvalidArgs({ $invalid: 1 })).toBe(false)
})

test.each([anthropicV4, anthropicV3])(
  'arguments that are cut by the length of the response are invalid: $title',
  async ({ events, connect, lengthStop: stop }) => {
    const calls = [{ id: 'a', name: 'look', args: ['{"path":"a'] }]
    await using server = await startWireServer(
      streamed(events({ calls, stop })),
    )
    const model = fromAiSdk(connect(server.url))
    const { content, stopReason } = await model.generate(ask('?'), callOf())
    expect(stopReason).toBe('max_tokens')
    expect(content.filter(isCall)[0]?.args).toEqual({ $invalid: '{"path":"a' })
  },
)

test('every call has an id of its own', async () => {
  const ids = ['a', 'a', 'a-2', '', '', 'a']
  const calls = await hear(ids.map((id) => toolCall(id, '{}')))
  const given = calls.filter(isCall).map(({ id }) => id)
  expect(given.slice(0, 3)).toEqual(['a', 'a-2', 'a-2-2'])
  expect(given[5]).toBe('a-3')
  expect(new Set(given).size).toBe(6)
  expect(given.every((id) => /^[\w-]+$/.test(id))).toBe(true)
})

test('an id that was used earlier in the conversation is not used again', async () => {
  const call: ToolCallBlock = {
    type: 'tool_call',
    id: 'a',
    tool: 'x',
    args: {},
  }
  const before: Message[] = [{ role: 'assistant', content: [call] }]
  const [second] = (await hear([toolCall('a', '{}')], before)).filter(isCall)
  expect(second?.id).toBe('a-2')
})

test('a call that the provider ran goes back together with its result', async () => {
  const parts = [
    toolCall('s', '{"query":"x"}', {
      providerExecuted: true,
      providerMetadata: { some: { kind: 'search' } },
    }),
    {
      type: 'tool-result',
      toolCallId: 's',
      toolName: 'look',
      result: [{ url: 'https://example.com' }],
    },
    finish(),
  ]
  const prompts: unknown[] = []
  const model = fromAiSdk(
    scriptedModel(parts, { onCall: ({ prompt }) => prompts.push(prompt) }),
  )
  const { content, stopReason } = await model.generate(ask('?'), callOf())
  expect(stopReason).toBe('end_turn')
  expect(content).toMatchObject([{ id: 's', providerExecuted: true }])
  await model.generate(ask([{ role: 'assistant', content }]), callOf())
  const providerOptions = { some: { kind: 'search' } }
  const call = { toolCallId: 's', toolName: 'look', providerOptions }
  expect(prompts[1]).toEqual([
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          ...call,
          input: { query: 'x' },
          providerExecuted: true,
        },
        {
          type: 'tool-result',
          ...call,
          output: { type: 'json', value: [{ url: 'https://example.com' }] },
        },
      ],
    },
  ])
})

test('a call that the provider did not finish does not go back', async () => {
  const prompts: unknown[] = []
  const model = fromAiSdk(
    scriptedModel([finish()], { onCall: ({ prompt }) => prompts.push(prompt) }),
  )
  const content = await hear([toolCall('s', '{}', { providerExecuted: true })])
  await model.generate(ask([{ role: 'assistant', content }]), callOf())
  expect(prompts).toEqual([[]])
})
