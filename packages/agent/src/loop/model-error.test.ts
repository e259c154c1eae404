import { defineHook, type Hook, proceed, respond } from 'hookline'
import {
  type AgentEvent,
  type LlmErrorInput,
  llmError,
  llmPostCall,
  llmPreCall,
  type RetryDecision,
  type TextEvent,
} from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { createAgent } from '../create-agent.ts'
import { outline } from '../model/fixtures/asking.ts'
import { createModelRegistry } from '../model/registry.ts'
import type { Model } from '../ports/model.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { type Script, scriptedModel } from '../testing/index.ts'

const overloaded = { error: { code: 'overloaded' } } as const
const retry: RetryDecision = { type: 'retry', afterMs: 0 }

function deciding(
  decide: (failed: LlmErrorInput) => RetryDecision | undefined,
) {
  return defineHook({
    name: 'decide',
    on: llmError,
    run: (failed) => {
      const decision = decide(failed)
      return decision === undefined ? proceed : respond(decision)
    },
  })
}

function agentOf(script: Script, ...hooks: readonly Hook[]) {
  const clock = createFakeClock()
  const model = scriptedModel(script)
  const agent = createAgent({ model, hooks, clock })
  return { model, agent, clock }
}

/** Lets everything happen that waits for no timer. */
async function settle() {
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** An agent of the model `a` in a registry of these. */
async function sessionOf(
  models: Readonly<Record<string, Model>>,
  ...hooks: readonly Hook[]
) {
  const registry = createModelRegistry({ models, env: {} })
  const runtime = createRuntime({ models: registry, hooks })
  await runtime.register({ name: 'main', model: 'test/a', instructions: '' })
  return runtime.openSession({ agent: 'main' })
}

async function collect(events: AsyncIterable<AgentEvent>) {
  const seen: AgentEvent[] = []
  for await (const one of events) seen.push(one)
  return seen
}

function isText(one: AgentEvent): one is AgentEvent & TextEvent {
  return /^(?:text|reasoning)-/.test(one.type)
}

test('without a hook the turn gives up, and fails with what the model said', async () => {
  const { agent, model } = agentOf([overloaded, { text: 'Too late.' }])
  const session = await agent.openSession()
  const result = await session.send('Hello.').result
  expect(result).toMatchObject({
    status: 'failed',
    error: { code: 'overloaded' },
  })
  expect(model.requests).toHaveLength(1)
  expect(session.messages).toEqual([])
})

test('a hook that proceeds decides nothing', async () => {
  const { agent, model } = agentOf(
    [overloaded],
    deciding(() => undefined),
  )
  const { status } = await agent.run('Hello.').result
  expect(status).toBe('failed')
  expect(model.requests).toHaveLength(1)
})

test('a hook that fails decides nothing', async () => {
  const broken = deciding(() => {
    throw new Error('Out of order.')
  })
  const { agent } = agentOf([overloaded, { text: 'No.' }], broken)
  const { error } = await agent.run('Hello.').result
  expect(error).toMatchObject({ code: 'overloaded' })
})

test('it sees the error, the attempt, and the request that was made', async () => {
  const seen: unknown[] = []
  const give = deciding((failed) => {
    seen.push(failed)
    return { type: 'give_up' }
  })
  const error = { code: 'rate_limited', retryAfterMs: 2_000 } as const
  const { agent } = agentOf([{ error }], give)
  await agent.run('Hello.').result
  expect(seen).toMatchObject([
    {
      attempt: 1,
      isReleased: false,
      error: { code: 'rate_limited', isRetryable: true, retryAfterMs: 2_000 },
      request: { messages: [{ role: 'user' }] },
    },
  ])
})

describe('a retry', () => {
  test('begins at llm.pre_call with the next number', async () => {
    const seen: unknown[] = []
    const hooks = [
      defineHook({
        name: 'pre',
        on: llmPreCall,
        run: ({ attempt }) => {
          seen.push(`pre ${attempt}`)
          return proceed
        },
      }),
      defineHook({
        name: 'post',
        on: llmPostCall,
        run: ({ type, attempt }) => {
          seen.push(`${type} ${attempt}`)
          return proceed
        },
      }),
      deciding(({ attempt }) => {
        seen.push(`failed ${attempt}`)
        return retry
      }),
    ]
    const { agent, clock } = agentOf([overloaded, { text: 'Yes.' }], ...hooks)
    const { result } = agent.run('Hello.')
    await settle()
    await clock.advance(0)
    expect((await result).text).toBe('Yes.')
    expect(seen).toEqual([
      'pre 1',
      'error 1',
      'failed 1',
      'pre 2',
      'response 2',
    ])
  })

  test('comes after the time that was asked for, and not before', async () => {
    const later = deciding(() => ({ type: 'retry', afterMs: 5_000 }))
    const { agent, model, clock } = agentOf(
      [overloaded, { text: 'Yes.' }],
      later,
    )
    const { result } = agent.run('Hello.')
    await settle()
    await clock.advance(4_999)
    await settle()
    expect(model.requests).toHaveLength(1)
    await clock.advance(1)
    expect((await result).text).toBe('Yes.')
    expect(model.requests).toHaveLength(2)
  })

  test('that is waited for ends with the turn when it is cancelled', async () => {
    const later = deciding(() => ({ type: 'retry', afterMs: 5_000 }))
    const { agent, model, clock } = agentOf(
      [overloaded, { text: 'Yes.' }],
      later,
    )
    const session = await agent.openSession()
    const turn = session.send('Hello.')
    await settle()
    await clock.advance(1_000)
    turn.cancel('Never mind.')
    expect(await turn.result).toMatchObject({
      status: 'cancelled',
      reason: 'Never mind.',
    })
    await clock.advance(10_000)
    expect(model.requests).toHaveLength(1)
    expect(session.messages).toEqual([])
    expect(clock.pending).toBe(0)
  })

  test('does not repeat what the failed attempt streamed, as it was held back', async () => {
    const gate = defineHook({
      name: 'gate',
      on: llmPostCall,
      run: () => proceed,
    })
    const script = [{ text: 'Half a reply', cutAfter: 6 }, { text: 'Whole.' }]
    const model = scriptedModel(script)
    const hooks = [gate, deciding(() => retry)]
    const events = await collect(createAgent({ model, hooks }).run('Hello.'))
    const told = outline(events.filter(isText))
    expect(told).toEqual(['[text', 'Whole.', 'text]'])
    expect(JSON.stringify(events)).not.toContain('Half')
  })

  test('is not made after text was released', async () => {
    const seen: boolean[] = []
    const decide = deciding(({ isReleased }) => {
      seen.push(isReleased)
      return retry
    })
    const script = [{ text: 'Half a reply', cutAfter: 6 }, { text: 'Whole.' }]
    const model = scriptedModel(script)
    const turn = createAgent({ model, hooks: [decide] }).run('Hello.')
    const events = await collect(turn)
    expect(await turn.result).toMatchObject({
      status: 'failed',
      error: { code: 'unavailable' },
    })
    expect(seen).toEqual([true])
    expect(model.requests).toHaveLength(1)
    const told = outline(events.filter(isText))
    expect(told).toEqual(['[text', 'Half ', 'a', 'text]'])
  })

  test('is made when nobody has seen the text', async () => {
    const script = [{ text: 'Half a reply', cutAfter: 6 }, { text: 'Whole.' }]
    const model = scriptedModel(script)
    const agent = createAgent({ model, hooks: [deciding(() => retry)] })
    expect((await agent.run('Hello.').result).text).toBe('Whole.')
  })

  test('is made only so many times', async () => {
    const model = scriptedModel(() => overloaded)
    const agent = createAgent({ model, hooks: [deciding(() => retry)] })
    const { status } = await agent.run('Hello.').result
    expect(status).toBe('failed')
    expect(model.requests.length).toBeLessThanOrEqual(100)
  })
})

describe('another model', () => {
  const toB: RetryDecision = { type: 'switch_model', model: 'test/b' }

  test('is found in the registry, and asked the same', async () => {
    const a = scriptedModel([overloaded])
    const b = scriptedModel([{ text: 'From b.' }])
    const models = { 'test/a': a, 'test/b': b }
    const session = await sessionOf(
      models,
      deciding(() => toB),
    )
    const { text } = await session.send('Hello.').result
    expect(text).toBe('From b.')
    expect(b.requests[0]).toEqual({ ...a.requests[0], model: 'test/b' })
  })

  test('stays for the attempts after it, and the next step begins with the agent’s own', async () => {
    const a = scriptedModel([overloaded, { text: 'From a.' }])
    const b = scriptedModel([overloaded, { text: 'From b.' }])
    const models = { 'test/a': a, 'test/b': b }
    const decide = deciding(({ attempt }) => (attempt === 1 ? toB : retry))
    const session = await sessionOf(models, decide)
    expect((await session.send('One.').result).text).toBe('From b.')
    expect((await session.send('Two.').result).text).toBe('From a.')
  })

  test('is not asked after text was released', async () => {
    const a = scriptedModel([{ text: 'Half a reply', cutAfter: 6 }])
    const b = scriptedModel([{ text: 'From b.' }])
    const models = { 'test/a': a, 'test/b': b }
    const session = await sessionOf(
      models,
      deciding(() => toB),
    )
    const turn = session.send('Hello.')
    await collect(turn)
    expect((await turn.result).status).toBe('failed')
    expect(b.requests).toEqual([])
  })
})

describe('an answer', () => {
  const answer: RetryDecision = {
    type: 'answer',
    response: {
      content: [{ type: 'text', text: 'The model is away.' }],
      stopReason: 'end_turn',
      usage: { inputTokens: 0, outputTokens: 0 },
    },
  }

  test('is the reply, streamed and kept like one', async () => {
    const { agent } = agentOf(
      [overloaded],
      deciding(() => answer),
    )
    const session = await agent.openSession()
    const turn = session.send('Hello.')
    const events = await collect(turn)
    expect(await turn.result).toMatchObject({
      status: 'succeeded',
      text: 'The model is away.',
    })
    const told = outline(events.filter(isText))
    expect(told).toEqual(['[text', 'The model is away.', 'text]'])
    expect(session.messages.at(-1)).toMatchObject({
      role: 'assistant',
      content: [{ text: 'The model is away.' }],
    })
  })

  test('passes llm.post_call', async () => {
    const types: string[] = []
    const watch = defineHook({
      name: 'watch',
      on: llmPostCall,
      run: ({ type }) => {
        types.push(type)
        return proceed
      },
    })
    const { agent } = agentOf(
      [overloaded],
      deciding(() => answer),
      watch,
    )
    await agent.run('Hello.').result
    expect(types).toEqual(['error', 'response'])
  })

  test('is told with its author', async () => {
    const { agent } = agentOf(
      [overloaded],
      deciding(() => answer),
    )
    const events = await collect(agent.run('Hello.'))
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'hook-inject',
        hook: 'decide',
        point: 'llm.error',
        subject: 'response',
      }),
    )
  })
})

test('a decision that is none is never read as one', async () => {
  const odd = deciding(() => ({ type: 'perhaps' }) as unknown as RetryDecision)
  const model = scriptedModel([overloaded, { text: 'No.' }])
  const { result } = createAgent({ model, hooks: [odd] }).run('Hello.')
  expect((await result).status).toBe('failed')
  expect(model.requests).toHaveLength(1)
})

describe('a model that the registry does not find', () => {
  test('goes the same way, when a hook has named it', async () => {
    const route = defineHook({
      name: 'route',
      on: llmPreCall,
      match: { attempt: 1 },
      writes: true,
      run: ({ request }) => ({
        type: 'transform',
        value: { ...request, model: 'nowhere/x' },
      }),
    })
    const codes: string[] = []
    const decide = deciding(({ error }) => {
      codes.push(error.message)
      return retry
    })
    const a = scriptedModel([{ text: 'From a.' }])
    const session = await sessionOf({ 'test/a': a }, route, decide)
    expect((await session.send('Hello.').result).text).toBe('From a.')
    expect(codes).toEqual([expect.stringContaining('nowhere')])
  })

  test('goes the same way, when it is the agent’s own', async () => {
    const decide = deciding(() => ({ type: 'switch_model', model: 'test/b' }))
    const b = scriptedModel([{ text: 'From b.' }])
    const session = await sessionOf({ 'test/b': b }, decide)
    const result = await session.send('Hello.').result
    expect(result).toMatchObject({ status: 'succeeded', text: 'From b.' })
  })

  test('fails the turn where nobody decides', async () => {
    const session = await sessionOf({})
    const { status, error } = await session.send('Hello.').result
    expect(status).toBe('failed')
    expect(error?.message).toContain('test')
  })
})

test('a model that throws anything is an unknown error', async () => {
  const model: Model = {
    abilities: { tools: true, images: true, files: true, reasoning: true },
    generate: () => {
      throw new TypeError('Cannot read properties of undefined.')
    },
  }
  const { error } = await createAgent({ model }).run('Hello.').result
  expect(error).toMatchObject({ code: 'unknown' })
})
