import { defineHook, type Hook, respond } from 'hookline'
import {
  type AgentEvent,
  type LlmErrorInput,
  llmError,
  type TextEvent,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import {
  anthropicError,
  anthropicEvents,
  anthropicRefusal,
} from '../model/fixtures/anthropic-wire.ts'
import { outline } from '../model/fixtures/asking.ts'
import { chatEvents } from '../model/fixtures/chat-wire.ts'
import {
  openAiError,
  openAiEvents,
  openAiRefusal,
} from '../model/fixtures/openai-wire.ts'
import {
  brokenAfter,
  heldAfter,
  streamed,
} from '../model/fixtures/wire-replies.ts'
import {
  startWireServer,
  type WireReply,
  type WireServer,
} from '../model/fixtures/wire-server.ts'
import { createModelRegistry } from '../model/registry.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { defineTool } from '../tools/define-tool.ts'

const anthropic = {
  name: 'anthropic/claude-sonnet-4-5',
  events: anthropicEvents,
}
const openAi = { name: 'openai/gpt-5', events: openAiEvents }
const local = { name: 'local/some-model', events: chatEvents }

const look = defineTool({
  name: 'look',
  description: 'Looks at a file.',
  input: { type: 'object', properties: { path: { type: 'string' } } },
  safety: 'read_only',
  execute: ({ path }) => {
    if (path === 'secret') throw new Error('It cannot be read.')
    return 'All of it.'
  },
})

interface Servers {
  readonly [provider: string]: WireServer
}

/** A session with a real provider that talks to a server of ours. */
async function sessionWith(
  model: string,
  servers: Servers,
  ...hooks: readonly Hook[]
) {
  const urlOf = (name: string) => servers[name]?.url ?? 'http://127.0.0.1:9/v1'
  const models = createModelRegistry({
    providers: {
      anthropic: { kind: 'anthropic', baseUrl: urlOf('anthropic') },
      openai: { kind: 'openai', baseUrl: urlOf('openai') },
      local: { kind: 'openai-compatible', baseUrl: urlOf('local') },
    },
    env: { ANTHROPIC_API_KEY: 'of-nobody', OPENAI_API_KEY: 'of-nobody' },
  })
  const runtime = createRuntime({ models, hooks, tools: [look] })
  await runtime.register({ name: 'main', model, instructions: 'Be brief.' })
  return runtime.openSession({ agent: 'main' })
}

async function serve(model: string, ...replies: readonly WireReply[]) {
  const server = await startWireServer(...replies)
  const [provider = ''] = model.split('/')
  return { server, servers: { [provider]: server } }
}

function isText(one: AgentEvent): one is AgentEvent & TextEvent {
  return /^(?:text|reasoning)-/.test(one.type)
}

async function collect(events: AsyncIterable<AgentEvent>) {
  const seen: AgentEvent[] = []
  for await (const one of events) seen.push(one)
  return seen
}

describe.each([anthropic, openAi, local])('$name', ({ name, events }) => {
  test('streams reasoning and text, and its usage is in the result', async () => {
    const answer = events({ reasoning: 'Hm.', text: ['Hel', 'lo.'] })
    const { server, servers } = await serve(name, streamed(answer))
    await using _ = server
    const session = await sessionWith(name, servers)
    const turn = session.send('Say hello.')
    const told = await collect(turn)
    expect(outline(told.filter(isText))).toEqual([
      '[reasoning',
      'Hm.',
      'reasoning]',
      '[text',
      'Hel',
      'lo.',
      'text]',
    ])
    expect(await turn.result).toMatchObject({
      status: 'succeeded',
      text: 'Hello.',
      stopReason: 'end_turn',
      usage: {
        inputTokens: 100,
        outputTokens: 20,
        cacheReadTokens: 60,
        reasoningTokens: 5,
      },
    })
    expect(told).toContainEqual(
      expect.objectContaining({ type: 'usage-delta', model: name }),
    )
  })

  test('goes on after tool calls, and the usage of both is summed', async () => {
    const calls = [
      { id: 'call_a', name: 'look', args: ['{"path":', '"a.txt"}'] },
      { id: 'call_b', name: 'look', args: ['{"path":"secret"}'] },
    ]
    const first = events({ text: ['Let me look.'], calls })
    const second = events({ text: ['Done.'] })
    const { server, servers } = await serve(
      name,
      streamed(first),
      streamed(second),
    )
    await using _ = server
    const session = await sessionWith(name, servers)
    const result = await session.send('Look.').result
    expect(result).toMatchObject({
      status: 'succeeded',
      text: 'Done.',
      steps: 2,
      usage: { inputTokens: 200, outputTokens: 40 },
    })
    const roles = session.messages.map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })

  test('is told the whole conversation in the next turn', async () => {
    const answer = (text: string) => streamed(events({ text: [text] }))
    const { server, servers } = await serve(
      name,
      answer('One.'),
      answer('Two.'),
    )
    await using _ = server
    const session = await sessionWith(name, servers)
    await session.send('First.').result
    await session.send('Second.').result
    const body = JSON.stringify(server.requests[1]?.body)
    const places = ['First.', 'One.', 'Second.'].map((one) => body.indexOf(one))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(Math.min(...places)).toBeGreaterThan(-1)
  })

  test('a stream that breaks off fails the turn, and nothing is kept', async () => {
    const answer = events({ text: ['Hel', 'lo ', 'there ', 'you.'] })
    const { server, servers } = await serve(name, brokenAfter(5, answer))
    await using _ = server
    const session = await sessionWith(name, servers)
    const turn = session.send('Say hello.')
    const told = await collect(turn)
    expect(await turn.result).toMatchObject({
      status: 'failed',
      error: { code: 'unavailable' },
    })
    expect(session.messages).toEqual([])
    const starts = told.filter(({ type }) => type === 'text-start')
    const ends = told.filter(({ type }) => type === 'text-end')
    expect(ends.length).toBe(starts.length)
  })

  test('a cancelled turn closes its connection', async () => {
    const answer = events({ text: ['Hel', 'lo.'] })
    const { server, servers } = await serve(name, heldAfter(5, answer))
    await using _ = server
    const session = await sessionWith(name, servers)
    const turn = session.send('Say hello.')
    for await (const one of turn) {
      if (one.type === 'text-delta') turn.cancel()
    }
    expect((await turn.result).status).toBe('cancelled')
    await server.requests[0]?.gone
    expect(session.messages).toEqual([])
  })
})

/** What the provider was told of the calls, in the second request. */
async function toolRound({ name, events }: typeof anthropic): Promise<unknown> {
  const calls = [
    { id: 'call_a', name: 'look', args: ['{"path":"a.txt"}'] },
    { id: 'call_b', name: 'look', args: ['{"path":"secret"}'] },
  ]
  const replies = [{ calls }, { text: ['Done.'] }].map(events).map(streamed)
  const { server, servers } = await serve(name, ...replies)
  await using _ = server
  const session = await sessionWith(name, servers)
  await session.send('Look.').result
  return server.requests[1]?.body
}

describe('results go back under the ids of their calls', () => {
  test('anthropic: as tool_result, with is_error', async () => {
    const body = await toolRound(anthropic)
    expect(body).toMatchObject({
      system: [{ text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ text: 'Look.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'call_a', input: { path: 'a.txt' } },
            { type: 'tool_use', id: 'call_b', input: { path: 'secret' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_a' },
            { type: 'tool_result', tool_use_id: 'call_b', is_error: true },
          ],
        },
      ],
    })
    const [good, bad] = resultsIn(body)
    expect(JSON.stringify(good)).toContain('All of it.')
    expect(good).not.toMatchObject({ is_error: true })
    expect(JSON.stringify(bad)).toContain('It cannot be read.')
  })

  test('openai: as function_call_output', async () => {
    const { input } = Object(await toolRound(openAi))
    expect(input).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'function_call', call_id: 'call_a' }),
        expect.objectContaining({
          type: 'function_call_output',
          call_id: 'call_a',
          output: expect.stringContaining('All of it.'),
        }),
        expect.objectContaining({
          type: 'function_call_output',
          call_id: 'call_b',
          output: expect.stringContaining('It cannot be read.'),
        }),
      ]),
    )
  })

  test('openai-compatible: as messages of the tool', async () => {
    const { messages } = Object(await toolRound(local))
    expect(messages).toMatchObject([
      { role: 'system', content: 'Be brief.' },
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'call_a' }, { id: 'call_b' }] },
      {
        role: 'tool',
        tool_call_id: 'call_a',
        content: expect.stringContaining('All of it.'),
      },
      {
        role: 'tool',
        tool_call_id: 'call_b',
        content: expect.stringContaining('It cannot be read.'),
      },
    ])
  })
})

function resultsIn(body: unknown): readonly unknown[] {
  return Object(body).messages.at(-1).content
}

describe('what a provider refuses with is what llm.error and the turn see', () => {
  const text = ['Hel', 'lo.']
  const cutBy = { anthropic: anthropicError, openai: openAiError }
  test.each([
    [anthropic, anthropicRefusal(429, 'rate_limit_error'), 'rate_limited'],
    [anthropic, anthropicRefusal(500, 'api_error'), 'unavailable'],
    [anthropic, anthropicRefusal(529, 'overloaded_error'), 'overloaded'],
    [
      anthropic,
      streamed([
        ...anthropicEvents({ text }).slice(0, 3),
        cutBy.anthropic('overloaded_error'),
      ]),
      'overloaded',
    ],
    [openAi, openAiRefusal(429, 'rate_limit_exceeded'), 'rate_limited'],
    [openAi, openAiRefusal(500, 'server_error'), 'unavailable'],
    [
      openAi,
      streamed([
        ...openAiEvents({ text }).slice(0, 2),
        cutBy.openai('server_error'),
      ]),
      'unavailable',
    ],
    [local, openAiRefusal(429, 'rate_limit_exceeded'), 'rate_limited'],
    [local, openAiRefusal(500, 'server_error'), 'unavailable'],
    [local, openAiRefusal(503, 'overloaded'), 'overloaded'],
  ] as const)('%o, %o: %s', async ({ name }, reply, code) => {
    const seen: LlmErrorInput[] = []
    const decide = defineHook({
      name: 'decide',
      on: llmError,
      run: (failed) => {
        seen.push(failed)
        return respond({ type: 'give_up' })
      },
    })
    const { server, servers } = await serve(name, reply)
    await using _ = server
    const session = await sessionWith(name, servers, decide)
    const { status, error } = await session.send('Hello.').result
    expect(status).toBe('failed')
    expect(error?.code).toBe(code)
    expect(seen).toMatchObject([
      { attempt: 1, error: { code, isRetryable: true } },
    ])
    // It is for hooks to retry, and not for the package of the provider.
    expect(server.requests).toHaveLength(1)
  })
})
