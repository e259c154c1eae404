import {
  createMemoryRecords,
  defineHook,
  endTurn,
  type Hook,
  proceed,
  reject,
  transform,
} from 'hookline'
import {
  type AgentEvent,
  event,
  llmPostCall,
  type ModelContent,
  turnOutput,
  turnPostTurn,
  turnStop,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createAgent } from '../create-agent.ts'
import type { JournalEntry, SessionStore } from '../ports/store.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import { type Script, scriptedModel } from '../testing/index.ts'
import { defineTool } from '../tools/define-tool.ts'

const canary = 'XYZZY-4711'

function notingStore(entries: JournalEntry[]): SessionStore {
  const store = createMemoryStore()
  return {
    ...store,
    append: (id, more) => {
      entries.push(...more)
      return store.append(id, more)
    },
  }
}

function lookTool(ran: unknown[] = []) {
  return defineTool({
    name: 'look',
    description: 'Looks.',
    input: { type: 'object' },
    safety: 'read_only',
    execute: (args) => {
      ran.push(args)
      return 'seen'
    },
  })
}

function agentOf(script: Script, ...hooks: readonly Hook[]) {
  const model = scriptedModel(script)
  const agent = createAgent({ model, hooks, tools: [lookTool()] })
  return { model, agent }
}

async function collect(events: AsyncIterable<AgentEvent>) {
  const seen: AgentEvent[] = []
  for await (const one of events) seen.push(one)
  return seen
}

function withText(text: string): ModelContent {
  return [{ type: 'text', text }]
}

test('it sees the response with its usage, and how it came about', async () => {
  const seen: unknown[] = []
  const watch = defineHook({
    name: 'watch',
    on: llmPostCall,
    run: (input) => {
      seen.push(input)
      return proceed
    },
  })
  const { agent } = agentOf([{ text: 'Done.' }], watch)
  await agent.run('Hello.').result
  expect(seen).toMatchObject([
    {
      type: 'response',
      attempt: 1,
      request: { messages: [{ role: 'user' }] },
      response: {
        content: [{ text: 'Done.' }],
        usage: { inputTokens: 10, outputTokens: 5 },
      },
    },
  ])
})

test('it sees a failure, too', async () => {
  const seen: unknown[] = []
  const watch = defineHook({
    name: 'watch',
    on: llmPostCall,
    run: (input) => {
      seen.push(input)
      return proceed
    },
  })
  const { agent } = agentOf([{ error: { code: 'overloaded' } }], watch)
  const { status } = await agent.run('Hello.').result
  expect(status).toBe('failed')
  expect(seen).toMatchObject([
    { type: 'error', attempt: 1, error: { code: 'overloaded' } },
  ])
})

test('a reject of a failure changes nothing: there is no reply to withhold', async () => {
  const censor = defineHook({
    name: 'censor',
    on: llmPostCall,
    run: () => reject('No.'),
  })
  const { agent } = agentOf([{ error: { code: 'overloaded' } }], censor)
  const result = await agent.run('Hello.').result
  expect(result).toMatchObject({
    status: 'failed',
    error: { code: 'overloaded' },
  })
})

describe('a transform', () => {
  const redact = defineHook({
    name: 'redact',
    on: llmPostCall,
    writes: true,
    run: ({ response }) =>
      response === undefined
        ? proceed
        : transform({ ...response, content: withText('Redacted.') }),
  })

  test('is the reply: in result, history, journal and later requests', async () => {
    const entries: JournalEntry[] = []
    const model = scriptedModel([{ text: canary }, { text: 'Two.' }])
    const store = notingStore(entries)
    const agent = createAgent({ model, hooks: [redact], store })
    const session = await agent.openSession()
    const { text } = await session.send('Hello.').result
    await session.send('Again.').result
    expect(text).toBe('Redacted.')
    const seen = JSON.stringify([session.messages, entries, model.requests])
    expect(seen).toContain('Redacted.')
    expect(seen).not.toContain(canary)
  })

  test('is told with its author, and what it replaced is not', async () => {
    const { agent } = agentOf([{ text: canary }], redact)
    const events = await collect(agent.run('Hello.'))
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'hook-replace',
        hook: 'redact',
        point: 'llm.post_call',
        subject: 'response',
      }),
    )
    expect(JSON.stringify(events)).not.toContain(canary)
  })

  test('can take calls away: they do not run', async () => {
    const ran: unknown[] = []
    const model = scriptedModel([{ calls: [{ tool: 'look' }] }])
    const tools = [lookTool(ran)]
    const agent = createAgent({ model, hooks: [redact], tools })
    const { text } = await agent.run('Look.').result
    expect(text).toBe('Redacted.')
    expect(ran).toEqual([])
  })
})

describe('a reject', () => {
  const censor = defineHook({
    name: 'censor',
    on: llmPostCall,
    match: (input) => JSON.stringify(input.response ?? '').includes(canary),
    run: () => reject('It is a secret.'),
  })
  const secret = {
    reasoning: `Thinking of ${canary}.`,
    text: `It is ${canary}.`,
    calls: [{ tool: 'look', args: { what: canary } }],
  }

  test('withholds the reply: its tools do not run, and the turn ends so', async () => {
    const ran: unknown[] = []
    const model = scriptedModel([secret])
    const tools = [lookTool(ran)]
    const agent = createAgent({ model, hooks: [censor], tools })
    const result = await agent.run('Tell me.').result
    expect(result).toMatchObject({
      status: 'withheld',
      reason: 'It is a secret.',
    })
    expect(result.error).toBeUndefined()
    expect(ran).toEqual([])
  })

  test('F140 nothing of the text is anywhere: events, hooks, observers, journal, history, requests, records', async () => {
    const seen: unknown[] = []
    const note = (...about: unknown[]) => void seen.push(about)
    const watchers = [
      defineHook({ name: 'on-event', on: event, run: note }),
      defineHook({
        name: 'on-reply',
        on: llmPostCall,
        execution: 'record',
        run: note,
      }),
      defineHook({
        name: 'on-output',
        on: turnOutput,
        execution: 'record',
        run: note,
      }),
      defineHook({
        name: 'on-stop',
        on: turnStop,
        execution: 'record',
        run: note,
      }),
      defineHook({
        name: 'on-end',
        on: turnPostTurn,
        run: (input) => {
          note(input)
          return proceed
        },
      }),
    ]
    const entries: JournalEntry[] = []
    const records = createMemoryRecords()
    const model = scriptedModel([secret, { text: 'Two.' }])
    const agent = createAgent({
      model,
      hooks: [censor, ...watchers],
      tools: [lookTool()],
      store: notingStore(entries),
      engine: { records },
    })
    const session = await agent.openSession()
    const first = session.send('Tell me.')
    const events = await collect(first)
    const result = await first.result
    await session.send('And now?').result
    await agent.runtime.drain()
    const told = { events, result, seen, entries, records: records.all() }
    const kept = { history: session.messages, requests: model.requests }
    for (const [place, content] of Object.entries({ ...told, ...kept })) {
      expect(JSON.stringify(content), place).not.toContain(canary)
    }
    expect(seen.length).toBeGreaterThan(5)
  })

  test('is known in history, so that roles alternate and the model knows', async () => {
    const script = [secret, { text: 'Two.' }]
    const { agent, model } = agentOf(script, censor)
    const session = await agent.openSession()
    await session.send('Tell me.').result
    await session.send('And now?').result
    expect(model.requests[1]?.messages).toMatchObject([
      { role: 'user', content: [{ text: 'Tell me.' }] },
      {
        role: 'assistant',
        content: [{ text: '[withheld: It is a secret.]' }],
      },
      { role: 'user', content: [{ text: 'And now?' }] },
    ])
  })

  test('is told with its author; the end of the turn says that it was withheld', async () => {
    const { agent } = agentOf([secret], censor)
    const events = await collect(agent.run('Tell me.'))
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'hook-withhold',
        hook: 'censor',
        point: 'llm.post_call',
        subject: 'response',
        reason: 'It is a secret.',
      }),
    )
    expect(events.at(-1)).toMatchObject({
      type: 'turn-end',
      status: 'withheld',
      reply: [{ type: 'text', text: '[withheld: It is a secret.]' }],
    })
  })

  test('is what a hook that fails comes to, which is closed by default', async () => {
    const broken = defineHook({
      name: 'broken',
      on: llmPostCall,
      run: () => {
        throw new Error('Out of order.')
      },
    })
    const { agent } = agentOf([{ text: canary }], broken)
    const turn = agent.run('Tell me.')
    const events = await collect(turn)
    expect(await turn.result).toMatchObject({ status: 'withheld' })
    expect(JSON.stringify(events)).not.toContain(canary)
  })
})

describe('an endTurn', () => {
  const enough = defineHook({
    name: 'enough',
    on: llmPostCall,
    run: () => endTurn('That is enough.'),
  })

  test('ends the turn with the reply, which is released', async () => {
    const { agent, model } = agentOf([{ text: 'Done.' }], enough)
    const turn = agent.run('Hello.')
    const events = await collect(turn)
    expect(await turn.result).toMatchObject({
      status: 'succeeded',
      reason: 'That is enough.',
      text: 'Done.',
    })
    expect(JSON.stringify(events)).toContain('Done.')
    expect(model.requests).toHaveLength(1)
  })

  test('with pending calls runs none of them, and each has its result', async () => {
    const ran: unknown[] = []
    const calls = [
      { tool: 'look', id: 'a' },
      { tool: 'look', id: 'b' },
    ]
    const model = scriptedModel([{ text: 'Let me look.', calls }])
    const tools = [lookTool(ran)]
    const agent = createAgent({ model, hooks: [enough], tools })
    const session = await agent.openSession()
    const turn = session.send('Look.')
    const events = await collect(turn)
    const { status } = await turn.result
    expect(status).toBe('succeeded')
    expect(ran).toEqual([])
    expect(session.messages[2]).toMatchObject({
      role: 'tool',
      content: [
        { callId: 'a', isError: true },
        { callId: 'b', isError: true },
      ],
    })
    const ends = events.filter(({ type }) => type === 'tool-end')
    expect(ends).toMatchObject([
      { callId: 'a', status: 'cancelled' },
      { callId: 'b', status: 'cancelled' },
    ])
  })
})

test('hooks are asked the onion’s way out: the highest priority first', async () => {
  const order: string[] = []
  const named = (name: string, priority: number) =>
    defineHook({
      name,
      on: llmPostCall,
      priority,
      run: () => {
        order.push(name)
        return proceed
      },
    })
  const hooks = [named('inner', 1), named('outer', 200)]
  const { agent } = agentOf([{ text: 'Done.' }], ...hooks)
  await agent.run('Hello.').result
  expect(order).toEqual(['outer', 'inner'])
})
