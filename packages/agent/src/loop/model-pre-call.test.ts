import {
  defineHook,
  endTurn,
  type Hook,
  proceed,
  reject,
  replace,
  respond,
  transform,
} from 'hookline'
import {
  type AgentEvent,
  llmError,
  llmPostCall,
  llmPreCall,
  type ModelResponse,
  type TextEvent,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createAgent } from '../create-agent.ts'
import { outline } from '../model/fixtures/asking.ts'
import { createModelRegistry } from '../model/registry.ts'
import type { Model } from '../ports/model.ts'
import type { JournalEntry, SessionStore } from '../ports/store.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import { type Script, scriptedModel } from '../testing/index.ts'
import { look } from './fixtures/look.ts'

function agentOf(script: Script, ...hooks: readonly Hook[]) {
  const model = scriptedModel(script)
  const agent = createAgent({ model, hooks, tools: [look] })
  return { model, agent }
}

function responseOf(text: string): ModelResponse {
  return {
    content: [{ type: 'text', text }],
    stopReason: 'end_turn',
    usage: { inputTokens: 0, outputTokens: 0 },
  }
}

function textsOf(messages: readonly { readonly content: readonly object[] }[]) {
  return messages.map(({ content }) =>
    content.map((block) => ('text' in block ? block.text : '')).join('|'),
  )
}

async function collect(events: AsyncIterable<AgentEvent>) {
  const seen: AgentEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

function isText(event: AgentEvent): event is AgentEvent & TextEvent {
  return /^(?:text|reasoning)-/.test(event.type)
}

/** Remembers what is written to it. */
function journalling(): SessionStore & { readonly entries: JournalEntry[] } {
  const entries: JournalEntry[] = []
  const store = createMemoryStore()
  return {
    ...store,
    entries,
    append: (id, more) => {
      entries.push(...more)
      return store.append(id, more)
    },
  }
}

test('it is asked once for each call of the model', async () => {
  const asked: unknown[] = []
  const watch = defineHook({
    name: 'watch',
    on: llmPreCall,
    run: ({ attempt, request }, { scope }) => {
      asked.push([scope.step, attempt, request.messages.length])
      return proceed
    },
  })
  const script = [{ calls: [{ tool: 'look' }] }, { text: 'Done.' }]
  const { agent } = agentOf(script, watch)
  await agent.run('Look.').result
  expect(asked).toEqual([
    [1, 1, 1],
    [2, 1, 3],
  ])
})

test('it is asked once for each attempt, with its number', async () => {
  const attempts: number[] = []
  const watch = defineHook({
    name: 'watch',
    on: llmPreCall,
    run: ({ attempt }) => {
      attempts.push(attempt)
      return proceed
    },
  })
  const retry = defineHook({
    name: 'retry',
    on: llmError,
    run: () => respond({ type: 'retry', afterMs: 0 }),
  })
  const overloaded = { error: { code: 'overloaded' } } as const
  const script = [overloaded, overloaded, { text: 'Done.' }]
  const { agent } = agentOf(script, watch, retry)
  const { text } = await agent.run('Look.').result
  expect(attempts).toEqual([1, 2, 3])
  expect(text).toBe('Done.')
})

describe('a transform', () => {
  test('is what the model is asked with: messages, tools and settings', async () => {
    const rewrite = defineHook({
      name: 'rewrite',
      on: llmPreCall,
      writes: true,
      run: ({ request }) =>
        transform({
          ...request,
          messages: [
            { role: 'user', content: [{ type: 'text', text: 'Other words.' }] },
          ],
          tools: [],
          settings: { temperature: 0.5 },
        }),
    })
    const { agent, model } = agentOf([{ text: 'Done.' }], rewrite)
    await agent.run('My words.').result
    expect(model.requests[0]).toMatchObject({
      tools: [],
      settings: { temperature: 0.5 },
    })
    expect(textsOf(model.requests[0]?.messages ?? [])).toEqual(['Other words.'])
  })

  test('changes this call alone, and not the history', async () => {
    const shorten = defineHook({
      name: 'shorten',
      on: llmPreCall,
      writes: true,
      match: (_, { turn }) => turn === 1,
      run: ({ request }) => transform({ ...request, messages: [] }),
    })
    const script = [{ text: 'One.' }, { text: 'Two.' }]
    const { agent, model } = agentOf(script, shorten)
    await agent.run('First.').result
    await agent.run('Second.').result
    const [, second] = model.requests
    expect(textsOf(second?.messages ?? [])).toEqual([
      'First.',
      'One.',
      'Second.',
    ])
  })

  test('is told with its author', async () => {
    const rewrite = defineHook({
      name: 'rewrite',
      on: llmPreCall,
      writes: true,
      run: ({ request }) => transform({ ...request, tools: [] }),
    })
    const { agent } = agentOf([{ text: 'Done.' }], rewrite)
    const events = await collect(agent.run('Hello.'))
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'hook-replace',
        hook: 'rewrite',
        point: 'llm.pre_call',
        subject: 'request',
      }),
    )
  })
})

test('another model is found again in the registry', async () => {
  const small = scriptedModel([{ text: 'From the small one.' }])
  const large = scriptedModel([{ text: 'From the large one.' }])
  const route = defineHook({
    name: 'route',
    on: llmPreCall,
    writes: true,
    run: ({ request }) => transform({ ...request, model: 'test/small' }),
  })
  const models: Readonly<Record<string, Model>> = {
    'test/small': small,
    'test/large': large,
  }
  const runtime = createRuntime({
    models: createModelRegistry({ models }),
    hooks: [route],
  })
  await runtime.register({ name: 'a', model: 'test/large', instructions: '' })
  const session = await runtime.openSession({ agent: 'a' })
  const { text } = await session.send('Hello.').result
  expect(text).toBe('From the small one.')
  expect(small.requests[0]?.model).toBe('test/small')
  expect(large.requests).toEqual([])
})

test('a replace is used as it is, and skips the hooks after it', async () => {
  const seen: string[] = []
  const first = defineHook({
    name: 'first',
    on: llmPreCall,
    writes: true,
    run: ({ request }) => replace({ ...request, settings: { topP: 0.1 } }),
  })
  const second = defineHook({
    name: 'second',
    on: llmPreCall,
    after: ['first'],
    run: () => {
      seen.push('second')
      return proceed
    },
  })
  const { agent, model } = agentOf([{ text: 'Done.' }], first, second)
  await agent.run('Hello.').result
  expect(model.requests[0]?.settings).toEqual({ topP: 0.1 })
  expect(seen).toEqual([])
})

describe('a respond', () => {
  const cache = defineHook({
    name: 'cache',
    on: llmPreCall,
    run: () => respond(responseOf('From the cache.')),
  })

  test('is the reply, and the model is not called', async () => {
    const { agent, model } = agentOf([], cache)
    const result = await agent.run('Hello.').result
    expect(result).toMatchObject({
      status: 'succeeded',
      text: 'From the cache.',
    })
    expect(model.requests).toEqual([])
  })

  test('is told like a real reply, and who has put it in', async () => {
    const { agent } = agentOf([], cache)
    const events = await collect(agent.run('Hello.'))
    const texts = outline(events.filter(isText))
    expect(texts).toEqual(['[text', 'From the cache.', 'text]'])
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'hook-inject',
        hook: 'cache',
        point: 'llm.pre_call',
        subject: 'response',
      }),
    )
  })

  test('is journalled like a real reply', async () => {
    const store = journalling()
    const model = scriptedModel([])
    const agent = createAgent({ model, hooks: [cache], store })
    await agent.run('Hello.').result
    const commit = store.entries.find(({ type }) => type === 'step-commit')
    expect(commit).toMatchObject({
      messages: [
        { role: 'user', content: [{ text: 'Hello.' }] },
        { role: 'assistant', content: [{ text: 'From the cache.' }] },
      ],
    })
  })

  test('passes llm.post_call', async () => {
    const censor = defineHook({
      name: 'censor',
      on: llmPostCall,
      run: ({ response }) =>
        reject(`It has ${response?.content.length} block.`),
    })
    const { agent } = agentOf([], cache, censor)
    const result = await agent.run('Hello.').result
    expect(result).toMatchObject({
      status: 'withheld',
      reason: 'It has 1 block.',
    })
  })

  test('does not make a long conversation look short', async () => {
    const model = scriptedModel((_, call) => ({
      text: 'One.',
      usage: { inputTokens: call === 1 ? 650 : 10 },
    }))
    const second = { ...cache, match: (_: unknown, { turn = 0 }) => turn === 2 }
    const compaction = { maxTokens: 1_000, keepMessages: 1 }
    const agent = createAgent({ model, hooks: [second], compaction })
    await agent.run('First.').result
    await agent.run('Second.').result
    const events = await collect(agent.run('x'.repeat(1_200)))
    const types = events.map(({ type }) => type)
    expect(types).toContain('compaction-start')
  })

  test('can make tool calls, which run like the model’s', async () => {
    const plan = defineHook({
      name: 'plan',
      on: llmPreCall,
      match: (_, { step }) => step === 1,
      run: () =>
        respond({
          ...responseOf('Looking.'),
          content: [{ type: 'tool_call', id: 'c', tool: 'look', args: {} }],
          stopReason: 'tool_calls',
        }),
    })
    const { agent, model } = agentOf([{ text: 'Seen.' }], plan)
    const { text } = await agent.run('Look.').result
    expect(text).toBe('Seen.')
    expect(model.requests[0]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ callId: 'c', content: [{ text: 'seen' }] }],
    })
  })
})

describe('a reject', () => {
  const refuse = defineHook({
    name: 'refuse',
    on: llmPreCall,
    match: (_, { step, turn }) => step === 1 && turn === 2,
    run: () => reject('Not today.'),
  })

  test('in the first step ends the turn as rejected, and leaves history as it was', async () => {
    const { agent, model } = agentOf([{ text: 'One.' }], refuse)
    const session = await agent.openSession()
    await session.send('First.').result
    const before = session.messages
    const result = await session.send('Second.').result
    expect(result).toMatchObject({ status: 'rejected', reason: 'Not today.' })
    expect(session.messages).toEqual(before)
    expect(model.requests).toHaveLength(1)
  })

  test('in a later step keeps what tools have done, with a note of the end', async () => {
    const stop = defineHook({
      name: 'stop',
      on: llmPreCall,
      match: (_, { step }) => step === 2,
      run: () => reject('No more.'),
    })
    const script = [{ calls: [{ tool: 'look', id: 'c' }] }]
    const { agent, model } = agentOf(script, stop)
    const session = await agent.openSession()
    const { status } = await session.send('Look.').result
    expect(status).toBe('rejected')
    expect(model.requests).toHaveLength(1)
    const roles = session.messages.map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(textsOf(session.messages).at(-1)).toBe('[turn rejected: No more.]')
  })

  test('is the same as a hook that fails, which is closed by default', async () => {
    const broken = defineHook({
      name: 'broken',
      on: llmPreCall,
      run: () => {
        throw new Error('Out of order.')
      },
    })
    const { agent, model } = agentOf([{ text: 'One.' }], broken)
    const { status } = await agent.run('Hello.').result
    expect(status).toBe('rejected')
    expect(model.requests).toEqual([])
  })
})

test('an endTurn ends the turn well, without a call of the model', async () => {
  const enough = defineHook({
    name: 'enough',
    on: llmPreCall,
    match: (_, { step }) => step === 2,
    run: () => endTurn('That is enough.'),
  })
  const { agent, model } = agentOf([{ calls: [{ tool: 'look' }] }], enough)
  const result = await agent.run('Look.').result
  expect(result).toMatchObject({
    status: 'succeeded',
    reason: 'That is enough.',
  })
  expect(model.requests).toHaveLength(1)
})

test('a hook that only evaluates changes nothing', async () => {
  const trial = defineHook({
    name: 'trial',
    on: llmPreCall,
    mode: 'evaluate',
    run: () => reject('Never.'),
  })
  const { agent } = agentOf([{ text: 'Done.' }], trial)
  const { text } = await agent.run('Hello.').result
  expect(text).toBe('Done.')
})
