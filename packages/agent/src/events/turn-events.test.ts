import { createMemoryRecords, defineHook, type HookRecord } from 'hookline'
import { type AgentEvent, event } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createAgent } from '../create-agent.ts'
import type { GenerateOptions, Model } from '../ports/model.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import { scriptedModel } from '../testing/index.ts'
import { defineTool } from '../tools/define-tool.ts'

/** Lets everything happen that waits for no timer. */
async function settle() {
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function collect(events: AsyncIterable<AgentEvent>) {
  const seen: AgentEvent[] = []
  for await (const one of events) seen.push(one)
  return seen
}

/** Says what it is given, and remembers how it was asked. */
function streamer(words: readonly string[]) {
  const asked: GenerateOptions[] = []
  const said: string[] = []
  const model: Model = {
    abilities: { tools: true, images: true, files: true, reasoning: true },
    async generate(_, options) {
      asked.push(options)
      for (const text of words) {
        await options.onPart?.({ type: 'text-delta', id: '0', text })
        said.push(text)
      }
      return {
        content: [{ type: 'text', text: words.join('') }],
        stopReason: 'end_turn',
        usage: { inputTokens: 1, outputTokens: 1 },
      }
    },
  }
  return { model, asked, said }
}

const delegateTo = (child: string) =>
  defineTool({
    name: 'delegate',
    description: 'Has another agent do it.',
    input: { type: 'object' },
    safety: 'read_only',
    execute: async (_, context) => {
      const { status } = await context.delegate({
        agent: child,
        task: 'Do it.',
      })
      return status
    },
  })

test('numbers have no gaps over the turns of a session, and places are told', async () => {
  const script = [{ reasoning: 'Hm.', text: 'One two.' }, { text: 'Three.' }]
  const agent = createAgent({ model: scriptedModel(script) })
  const session = await agent.openSession({ id: 'here' })
  const all = session.subscribe()
  const first = session.send('Hello.')
  await first.result
  await session.send('Again.').result
  await session.close()
  const events = await collect(all)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
  expect(events[0]).toMatchObject({
    type: 'turn-start',
    sessionId: 'here',
    turnId: first.id,
    path: ['agent'],
  })
})

test('a turn begins with turn-start, ends with turn-end, and its steps are bracketed', async () => {
  const agent = createAgent({ model: scriptedModel([{ text: 'Yes.' }]) })
  const types = (await collect(agent.run('Hello.'))).map(({ type }) => type)
  expect(types).toEqual([
    'turn-start',
    'turn-input',
    'step-start',
    'text-start',
    'text-delta',
    'text-end',
    'usage-delta',
    'step-end',
    'turn-end',
  ])
})

test('events are frozen, through and through', async () => {
  const agent = createAgent({ model: scriptedModel([{ text: 'Yes.' }]) })
  const events = await collect(agent.run('Hello.'))
  const input = events.find(({ type }) => type === 'turn-input')
  expect(events.every(Object.isFrozen)).toBe(true)
  expect(input && 'content' in input && Object.isFrozen(input.content)).toBe(
    true,
  )
})

describe('the agent waits for a slow watcher', () => {
  const words = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

  test('that has asked for it: the model is held up', async () => {
    const { model, said } = streamer(words)
    const session = await createAgent({ model }).openSession()
    const turn = session.send('Go.')
    const events = turn.events({ whenFull: 'wait', capacity: 2 })
    await settle()
    const early = said.length
    expect(early).toBeLessThan(words.length)
    for (let read = 0; read < 4; read++) await events.next()
    await settle()
    expect(said.length).toBeLessThan(words.length)
    const rest = await collect(events)
    expect(said).toEqual(words)
    expect(rest.at(-1)).toMatchObject({ type: 'turn-end' })
    expect((await turn.result).text).toBe('abcdefgh')
  })

  test('but not for one that lets events be dropped', async () => {
    const { model, said } = streamer(words)
    const session = await createAgent({ model }).openSession()
    const turn = session.send('Go.')
    const events = turn.events({ whenFull: 'drop', capacity: 2 })
    await turn.result
    expect(said).toEqual(words)
    const seen = await collect(events)
    const missed = seen.map((one) => (one.type === 'gap' ? one.missed : 0))
    const told = seen.filter(({ type }) => type !== 'gap').length
    const total = 4 + 1 + words.length + 1 + 2
    expect(told + missed.reduce((sum, one) => sum + one)).toBe(total)
  })

  test('that leaves: the agent goes on', async () => {
    const { model, said } = streamer(words)
    const session = await createAgent({ model }).openSession()
    const turn = session.send('Go.')
    for await (const one of turn.events({ capacity: 2 })) {
      if (one.type === 'text-delta') break
    }
    expect((await turn.result).status).toBe('succeeded')
    expect(said).toEqual(words)
  })

  test('that leaves by cancelling: nothing hangs', async () => {
    const { model } = streamer(words)
    const session = await createAgent({ model }).openSession()
    const turn = session.send('Go.')
    const events = turn.events({ capacity: 1 })
    await settle()
    turn.cancel()
    const [, { status }] = await Promise.all([collect(events), turn.result])
    expect(status).toBe('cancelled')
  })
})

describe('free when nobody listens', () => {
  test('a model is not asked for parts', async () => {
    const { model, asked } = streamer(['a'])
    await createAgent({ model }).run('Go.').result
    expect(asked[0]?.onPart).toBeUndefined()
  })

  test('numbers count only what somebody could see', async () => {
    const model = scriptedModel([{ text: 'One.' }, { text: 'Two.' }])
    const session = await createAgent({ model }).openSession()
    await session.send('Unseen.').result
    const [first] = await collect(session.send('Seen.'))
    expect(first).toMatchObject({ type: 'turn-start', seq: 1 })
  })
})

describe('a late iterator', () => {
  test('has what follows', async () => {
    const gate = Promise.withResolvers<void>()
    const model = scriptedModel([{ text: 'Yes.', waitFor: gate.promise }])
    const session = await createAgent({ model }).openSession()
    const turn = session.send('Go.')
    await settle()
    const late = collect(turn)
    gate.resolve()
    const types = (await late).map(({ type }) => type)
    expect(types).not.toContain('turn-start')
    expect(types.at(-1)).toBe('turn-end')
  })

  test('of a turn that is over has nothing, and ends', async () => {
    const model = scriptedModel([{ text: 'Yes.' }])
    const session = await createAgent({ model }).openSession()
    const turn = session.send('Go.')
    await turn.result
    expect(await collect(turn)).toEqual([])
  })

  test('of an input that was answered before ends, too', async () => {
    const model = scriptedModel([{ text: 'Yes.' }])
    const session = await createAgent({ model }).openSession()
    await session.send('Go.', { id: 'one' }).result
    const again = session.send('Go.', { id: 'one' })
    const events = collect(again)
    expect(await again.result).toMatchObject({ isDuplicate: true })
    expect(await events).toEqual([])
  })
})

test('turn-end is told only when the store has kept the end', async () => {
  const kept = Promise.withResolvers<void>()
  const store = createMemoryStore()
  const slow = {
    ...store,
    append: async (...[id, entries]: Parameters<typeof store.append>) => {
      if (entries.some(({ type }) => type === 'turn-end')) await kept.promise
      await store.append(id, entries)
    },
  }
  const model = scriptedModel([{ text: 'Yes.' }])
  const session = await createAgent({ model, store: slow }).openSession()
  const types: string[] = []
  const turn = session.send('Go.')
  const reading = (async () => {
    for await (const one of turn) types.push(one.type)
  })()
  await settle()
  expect(types).toContain('text-end')
  expect(types).not.toContain('turn-end')
  kept.resolve()
  await reading
  expect(types.at(-1)).toBe('turn-end')
})

test('events of a sub-agent carry its path, and reach whoever watches the parent', async () => {
  const models = {
    'test/parent': scriptedModel([
      { calls: [{ tool: 'delegate' }] },
      { text: 'All done.' },
    ]),
    'test/child': scriptedModel([{ text: 'Child says.' }]),
  }
  const runtime = createRuntime({
    models: { resolve: (name) => models[name as keyof typeof models] },
    tools: [delegateTo('child')],
  })
  const config = { instructions: '' }
  await runtime.register({ name: 'parent', model: 'test/parent', ...config })
  await runtime.register({ name: 'child', model: 'test/child', ...config })
  const session = await runtime.openSession({ agent: 'parent' })
  const everything = runtime.subscribe()
  const events = await collect(session.send('Go.'))
  const childs = events.filter(({ path }) => path.length > 1)
  expect(childs.map(({ path }) => path.join('/'))).toEqual(
    childs.map(() => 'parent/child'),
  )
  const text = childs.find(({ type }) => type === 'text-delta')
  expect(text).toMatchObject({ text: 'Child ' })
  const types = events.map(({ type }) => type)
  expect(types.indexOf('subagent-start')).toBeLessThan(
    events.findIndex(({ path }) => path.length > 1),
  )
  expect(types.indexOf('subagent-end')).toBeGreaterThan(
    events.findLastIndex(({ path }) => path.length > 1),
  )
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
  await runtime.close()
  expect((await collect(everything)).slice(0, events.length)).toEqual(events)
})

describe('hooks at event', () => {
  test('are told everything, text deltas included', async () => {
    const seen: string[] = []
    const listen = defineHook({
      name: 'listen',
      on: event,
      run: ({ type }) => void seen.push(type),
    })
    const model = scriptedModel([{ text: 'One two.' }])
    const agent = createAgent({ model, hooks: [listen] })
    await agent.run('Go.').result
    await agent.runtime.drain()
    expect(seen.filter((type) => type === 'text-delta')).toHaveLength(2)
    expect(seen[0]).toBe('turn-start')
    expect(seen.at(-1)).toBe('turn-end')
  })

  test('leave one record for each hook and turn, which says how many events', async () => {
    const records = createMemoryRecords()
    const listen = (name: string) =>
      defineHook({ name, on: event, run: () => {} })
    const model = scriptedModel([{ text: 'One two.' }, { text: 'Three.' }])
    const hooks = [listen('a'), listen('b')]
    const agent = createAgent({ model, hooks, engine: { records } })
    await agent.run('Go.').result
    await agent.run('Again.').result
    await agent.runtime.drain()
    const kept = records.all().filter(({ point }) => point === 'event')
    expect(kept.map(({ hook }) => hook).toSorted()).toEqual([
      'a',
      'a',
      'b',
      'b',
    ])
    expect(countOf(kept[0])).toBe('10 events, 0 failed')
  })

  test('that fail change nothing, and their record says so', async () => {
    const records = createMemoryRecords()
    const broken = defineHook({
      name: 'broken',
      on: event,
      match: { type: 'turn-start' },
      run: () => {
        throw new Error('Out of order.')
      },
    })
    const model = scriptedModel([{ text: 'Yes.' }])
    const agent = createAgent({ model, hooks: [broken], engine: { records } })
    const { text } = await agent.run('Go.').result
    await agent.runtime.drain()
    expect(text).toBe('Yes.')
    const kept = records.all().filter(({ point }) => point === 'event')
    expect(kept).toMatchObject([{ hook: 'broken', state: 'failed' }])
    expect(countOf(kept[0])).toBe('1 events, 1 failed')
  })
})

function countOf(record: HookRecord | undefined): string | undefined {
  return record?.diagnostics.find(({ code }) => code === 'event-count')?.message
}
