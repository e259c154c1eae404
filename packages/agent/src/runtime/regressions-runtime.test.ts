import { createMemoryRecords, defineHook, proceed, respond } from 'hookline'
import {
  type Actor,
  agentRegister,
  event,
  llmError,
  sessionEnd,
  turnInput,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { type AgentSpec, createAgent } from '../index.ts'
import { scriptedModel } from '../testing/index.ts'
import { mainConfig, openStage } from './fixtures/stage.ts'

describe('a watcher who does not read', () => {
  const script = [{ text: 'One two three.' }]

  /** A turn that waits for a watcher with room for one event. */
  async function heldUp() {
    const stage = await openStage(script)
    stage.session.subscribe({ capacity: 1 })
    const turn = stage.session.send('Go.')
    await stage.clock.advance(0)
    return { ...stage, turn }
  }

  test('does not keep a turn from being cancelled', async () => {
    const { turn } = await heldUp()
    turn.cancel()
    expect((await turn.result).status).toBe('cancelled')
  })

  test('does not keep a session from being closed', async () => {
    const { session, turn } = await heldUp()
    await session.close()
    expect((await turn.result).status).toBe('cancelled')
  })

  test('does not keep a runtime from being closed', async () => {
    const { close, runtime } = await heldUp()
    await close()
    expect(runtime.agents).toEqual([])
  })
})

describe('a runtime in which the end of one session fails', () => {
  const fragile = defineHook({
    name: 'fragile',
    on: sessionEnd,
    onFailure: 'required',
    run: (_, { scope }) => {
      if (scope.sessionId === 'bad') throw new Error('broken')
      return proceed
    },
  })

  async function closing() {
    const stage = await openStage([], { hooks: [fragile] })
    const { runtime } = stage
    await runtime.register({ ...mainConfig, name: 'other' })
    await runtime.openSession({ agent: 'other', id: 'bad' })
    await runtime.openSession({ agent: 'main', id: 'good' })
    return stage
  }

  test('lets go of all agents, and says what failed', async () => {
    const { runtime } = await closing()
    await expect(runtime.close()).rejects.toThrow('fragile')
    expect(runtime.agents).toEqual([])
    expect(runtime.session('good')).toBeUndefined()
  })

  test('ends its subscriptions', async () => {
    const { runtime } = await closing()
    const told = runtime.subscribe()
    await runtime.close().catch(() => {})
    expect(await told.next()).toEqual({ done: true, value: undefined })
  })

  test('can be closed twice, by a function of its own', async () => {
    const { runtime } = await closing()
    const closable: { readonly close: () => Promise<void> } = runtime
    const { close } = closable
    const first = close()
    await expect(first).rejects.toThrow('fragile')
    await expect(close()).rejects.toThrow('fragile')
  })
})

test('a runtime can be closed twice', async () => {
  const { runtime, close } = await openStage([])
  await close()
  await runtime.close()
  expect(runtime.agents).toEqual([])
})

test('what hooks at events did in a compaction by hand is recorded', async () => {
  const records = createMemoryRecords()
  const watching = defineHook({
    name: 'watching',
    on: event,
    execution: 'record',
    run: () => {},
  })
  const stage = await openStage(() => ({ text: 'Yes.' }), {
    hooks: [watching],
    engine: { records },
  })
  const { say, session, clock, runtime } = stage
  const turns: string[] = []
  for (const word of ['One.', 'Two.', 'Three.']) {
    turns.push((await say(word)).turnId)
  }
  const hint = { summary: 'Short.', keepMessages: 1 }
  expect(await session.compact(hint)).toBe('done')
  for (let round = 0; round < 20; round++) await clock.advance(0)
  await runtime.drain()
  const told = records.all().filter(({ point }) => point === event.name)
  const ofCompaction = told.filter(({ scope }) => {
    const { turnId = '' } = scope as { readonly turnId?: string }
    return !turns.includes(turnId)
  })
  const counted = { code: 'event-count', message: '2 events, 0 failed' }
  expect(ofCompaction).toMatchObject([
    { hook: 'watching', diagnostics: [counted] },
  ])
})

describe('an agent by itself', () => {
  test('with a model of its own finds others by their names', async () => {
    const other = scriptedModel([{ text: 'From the other.' }])
    const change = defineHook({
      name: 'change',
      on: llmError,
      run: () => respond({ type: 'switch_model', model: 'the/other' }),
    })
    const names: string[] = []
    const agent = createAgent({
      model: scriptedModel([{ error: { code: 'overloaded' } }]),
      hooks: [change],
      models: {
        resolve: (name) => {
          names.push(name)
          return other
        },
      },
    })
    expect((await agent.run('Go.').result).text).toBe('From the other.')
    expect(names).toEqual(['the/other'])
  })

  test('is heard to its end, however many pieces that has', async () => {
    const text = 'word '.repeat(2_000)
    const model = scriptedModel([{ text, chunks: 2_000 }])
    let count = 0
    for await (const { type } of createAgent({ model }).run('Go.')) {
      if (type === 'text-delta') count++
    }
    expect(count).toBe(2_000)
  })

  test('that was refused is registered when it is next run', async () => {
    let isReady = false
    const careful = defineHook({
      name: 'careful',
      on: agentRegister,
      onFailure: 'required',
      run: () => {
        if (!isReady) throw new Error('not ready')
        return proceed
      },
    })
    const model = scriptedModel([{ text: 'Done.' }])
    const agent = createAgent({ model, hooks: [careful] })
    const refused = { code: 'registration-refused' }
    await expect(agent.run('Go.').result).rejects.toMatchObject(refused)
    isReady = true
    expect((await agent.run('Go.').result).text).toBe('Done.')
  })

  test('takes no option that it does not know', async () => {
    const model = scriptedModel([{ text: 'Done.' }])
    // On purpose: not every caller has types.
    const spec = { model, instruction: 'Be brief.' } as AgentSpec
    const make = async () => createAgent(spec).run('Go.').result
    await expect(make()).rejects.toMatchObject({ code: 'invalid-config' })
  })
})

test('turns have the actor of their session in their scope', async () => {
  const actor: Actor = { kind: 'user', id: 'ann' }
  const service: Actor = { kind: 'service', id: 'cron' }
  const actors: unknown[] = []
  const watching = defineHook({
    name: 'watching',
    on: turnInput,
    run: (_, { scope }) => {
      actors.push(scope.actor)
      return proceed
    },
  })
  const { say } = await openStage(() => ({ text: 'Yes.' }), {
    hooks: [watching],
    session: { actor },
  })
  await say('One.')
  await say('Two.', { actor: service })
  expect(actors).toEqual([actor, service])
})
