import { defineHook, reject } from 'hookline'
import { type AgentEvent, sessionStart } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { type AgentTurn, createAgent, createMemoryStore } from './index.ts'
import { brief, expectPaired } from './runtime/fixtures/paired.ts'
import { gate, soon } from './runtime/fixtures/stage.ts'
import { tool } from './runtime/fixtures/tools.ts'
import { scriptedModel } from './testing/index.ts'

function says(...texts: readonly string[]) {
  return scriptedModel(texts.map((text) => ({ text })))
}

async function eventsIn(turn: AgentTurn): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of turn) events.push(event)
  return events
}

const refusing = defineHook({
  name: 'refusing',
  on: sessionStart,
  run: () => reject('Closed today.'),
})

describe('an agent by itself', () => {
  test('is run by iterating over its events', async () => {
    const agent = createAgent({ model: says('Hello there.') })
    const events = await eventsIn(agent.run('Hi.'))
    expect(events[0]?.type).toBe('turn-start')
    expect(events.at(-1)).toMatchObject({
      type: 'turn-end',
      status: 'succeeded',
    })
    const text = events.map((one) =>
      one.type === 'text-delta' ? one.text : '',
    )
    expect(text.join('')).toBe('Hello there.')
  })

  test('has its tools', async () => {
    const model = scriptedModel([
      { calls: [{ tool: 'read' }] },
      { text: 'Ok.' },
    ])
    const agent = createAgent({ model, tools: [tool('read')] })
    const events = await eventsIn(agent.run('Go.'))
    expect(events.map(({ type }) => type)).toContain('tool-end')
  })

  test('gives a result without anybody iterating', async () => {
    const agent = createAgent({ model: says('Hello.') })
    expect(await agent.run('Hi.').result).toMatchObject({
      status: 'succeeded',
      text: 'Hello.',
    })
  })

  test('can be iterated by several, each from its own beginning', async () => {
    const agent = createAgent({ model: says('Hello.') })
    const turn = agent.run('Hi.')
    const [first, second] = await Promise.all([eventsIn(turn), eventsIn(turn)])
    expect(first).toEqual(second)
    expect(first.length).toBeGreaterThan(2)
  })

  test('goes on when whoever iterates stops', async () => {
    const agent = createAgent({ model: says('Hello.') })
    const turn = agent.run('Hi.')
    for await (const event of turn) {
      expect(event.type).toBe('turn-start')
      break
    }
    expect((await turn.result).text).toBe('Hello.')
  })

  test('keeps one conversation', async () => {
    const model = says('One.', 'Two.')
    const agent = createAgent({ model, instructions: 'Be brief.' })
    await agent.run('a').result
    await agent.run('b').result
    expect(brief(model.requests[1]?.messages ?? [])).toEqual([
      ...['system: Be brief.', 'user: a', 'assistant: One.', 'user: b'],
    ])
    expectPaired(model.requests[1]?.messages.slice(1) ?? [])
  })

  test('takes turns in the order in which they were asked for', async () => {
    const agent = createAgent({ model: says('One.', 'Two.') })
    const turns = [agent.run('a'), agent.run('b')]
    const results = await Promise.all(turns.map(({ result }) => result))
    expect(results.map(({ text }) => text)).toEqual(['One.', 'Two.'])
  })

  test('has further sessions of their own', async () => {
    const model = says('One.', 'Two.')
    const agent = createAgent({ model })
    await agent.run('a').result
    const session = await agent.openSession()
    await session.send('b').result
    expect(brief(session.messages)).toEqual(['user: b', 'assistant: Two.'])
  })

  test('can be cancelled before it has begun', async () => {
    const model = says('One.')
    const turn = createAgent({ model }).run('a')
    turn.cancel('Never mind.')
    expect(await turn.result).toMatchObject({
      status: 'cancelled',
      reason: 'Never mind.',
    })
    expect(model.requests).toEqual([])
  })

  test('can be cancelled while it runs', async () => {
    const { pass, reached } = gate()
    const model = scriptedModel(() => pass().then(() => ({ text: 'Late.' })))
    const turn = createAgent({ model }).run('a')
    await reached
    turn.cancel()
    expect((await turn.result).status).toBe('cancelled')
  })

  test('can keep its sessions', async () => {
    const store = createMemoryStore()
    const agent = createAgent({ model: says('One.'), store })
    const session = await agent.openSession({ id: 'one' })
    await session.send('a').result
    expect((await store.load('one'))?.messages).toHaveLength(2)
  })

  test('has the name that it was given', async () => {
    const agent = createAgent({ name: 'clerk', model: says('One.') })
    await agent.run('a').result
    expect(agent.runtime.agents).toMatchObject([{ name: 'clerk' }])
  })
})

describe('an agent that cannot be opened', () => {
  test('says so in the result', async () => {
    const agent = createAgent({ model: says(), hooks: [refusing] })
    await expect(agent.run('a').result).rejects.toMatchObject({
      code: 'session-refused',
    })
  })

  test('says so to whoever iterates', async () => {
    const agent = createAgent({ model: says(), hooks: [refusing] })
    await expect(eventsIn(agent.run('a'))).rejects.toThrow('Closed today.')
  })

  test('says so when its config is wrong', async () => {
    const agent = createAgent({ name: 'not a name', model: says() })
    await expect(agent.run('a').result).rejects.toMatchObject({
      code: 'invalid-config',
    })
  })

  test('says so again when asked again', async () => {
    const agent = createAgent({ model: says(), hooks: [refusing] })
    await agent.run('a').result.catch(() => {})
    await expect(agent.run('b').result).rejects.toThrow('Closed today.')
  })

  test('can be closed', async () => {
    const agent = createAgent({ model: says(), hooks: [refusing] })
    await agent.run('a').result.catch(() => {})
    await agent.close()
    expect(agent.runtime.agents).toEqual([])
  })
})

describe('closing', () => {
  test('ends what runs, and nothing runs after', async () => {
    const { pass, reached } = gate()
    const model = scriptedModel(() => pass().then(() => ({ text: 'Late.' })))
    const agent = createAgent({ model })
    const turn = agent.run('a')
    await reached
    await agent.close()
    expect((await turn.result).status).toBe('cancelled')
    await expect(agent.run('b').result).rejects.toMatchObject({
      code: 'session-closed',
    })
  })

  test('right after a run leaves nothing open', async () => {
    const agent = createAgent({ model: says('One.') })
    const turn = agent.run('a')
    await agent.close()
    const result = await soon(turn.result.catch(() => 'refused'))
    expect(result).not.toBe('pending')
    expect(agent.runtime.agents).toEqual([])
  })

  test('twice is no error', async () => {
    const agent = createAgent({ model: says('One.') })
    await agent.run('a').result
    await agent.close()
    await agent.close()
    expect(agent.runtime.agents).toEqual([])
  })
})
