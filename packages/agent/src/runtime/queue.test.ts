import { defineHook, type Hook, proceed } from 'hookline'
import { llmPreCall, turnInput, turnPostTurn } from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../index.ts'
import { brief, expectPaired } from './fixtures/paired.ts'
import { eventsOf, gate, openStage, quiet, soon } from './fixtures/stage.ts'
import { tool } from './fixtures/tools.ts'

const say = (text: string) => ({ text })

function ends(log: string[]): Hook {
  return defineHook({
    name: 'ends',
    on: turnPostTurn,
    run: ({ status, summary }) => {
      log.push(`${summary.userPreview} ${status}`)
      return proceed
    },
  })
}

test('F203 a turn began when it did, also where the wall clock is set meanwhile', async () => {
  const clock = createFakeClock()
  const began = Date.UTC(2026, 0, 1)
  const times: unknown[] = []
  const jumps = defineHook({
    name: 'jumps',
    on: llmPreCall,
    run: async () => {
      await clock.advance(30)
      clock.setWall(began + 8 * 3_600_000)
      return proceed
    },
  })
  const notes = defineHook({
    name: 'notes',
    on: turnPostTurn,
    run: ({ summary: { startedAt, elapsedMs } }) => {
      times.push({ startedAt, elapsedMs })
      return proceed
    },
  })
  clock.setWall(began)
  const { say: send } = await openStage([say('One.')], {
    clock,
    hooks: [jumps, notes],
  })
  await send('go')
  expect(times).toEqual([{ startedAt: began, elapsedMs: 30 }])
})

describe('turns of a session', () => {
  test('run one at a time, in the order in which they were asked for', async () => {
    const { session, events, runtime } = await openStage([
      say('One.'),
      say('Two.'),
      say('Three.'),
    ])
    const turns = ['a', 'b', 'c'].map((input) => session.send(input))
    const results = await Promise.all(turns.map(({ result }) => result))
    expect(results.map(({ text }) => text)).toEqual(['One.', 'Two.', 'Three.'])
    expect(brief(session.messages)).toEqual([
      ...['user: a', 'assistant: One.', 'user: b'],
      ...['assistant: Two.', 'user: c', 'assistant: Three.'],
    ])
    await runtime.drain()
    const bounds = events.filter(({ type }) => /^turn-(start|end)$/.test(type))
    expect(bounds.map(({ type }) => type)).toEqual([
      ...['turn-start', 'turn-end', 'turn-start'],
      ...['turn-end', 'turn-start', 'turn-end'],
    ])
  })

  test('one that fails does not hold up the next', async () => {
    const { session } = await openStage([
      { error: { code: 'invalid_request' } },
      say('Two.'),
    ])
    const turns = ['a', 'b'].map((input) => session.send(input))
    const results = await Promise.all(turns.map(({ result }) => result))
    expect(results.map(({ status }) => status)).toEqual(['failed', 'succeeded'])
    expect(brief(session.messages)).toEqual(['user: b', 'assistant: Two.'])
  })

  test('of several sessions do not wait for each other', async () => {
    const { pass, reached, open } = gate()
    const slow = tool('slow', () => pass().then(() => 'slow'))
    const { runtime, session } = await openStage(
      [{ calls: [{ tool: 'slow' }] }, say('Quick.'), say('Slow.')],
      { tools: [slow] },
    )
    const other = await runtime.openSession({ agent: 'main' })
    const { result } = session.send('a')
    await reached
    expect((await other.send('b').result).text).toBe('Quick.')
    open()
    expect((await result).text).toBe('Slow.')
  })

  test('a turn that waits can be cancelled before it begins', async () => {
    const log: string[] = []
    const seen: unknown[] = []
    const looking = defineHook({
      name: 'looking',
      on: turnInput,
      run: ({ content }) => {
        seen.push(content)
        return proceed
      },
    })
    const { session, runtime, model } = await openStage(
      [say('One.'), say('Three.')],
      { hooks: [ends(log), looking] },
    )
    const turns = ['a', 'b', 'c'].map((input) => session.send(input))
    turns[1]?.cancel('Changed my mind.')
    const results = await Promise.all(turns.map(({ result }) => result))
    await runtime.drain()
    expect(results.map(({ status }) => status)).toEqual([
      ...['succeeded', 'cancelled', 'succeeded'],
    ])
    expect(results[1]?.reason).toBe('Changed my mind.')
    expect(seen).toHaveLength(2)
    expect(model.requests).toHaveLength(2)
    expect(log.map((line) => line.split(' ')[1])).toEqual([
      ...['succeeded', 'cancelled', 'succeeded'],
    ])
    expectPaired(session.messages)
  })

  test('a signal that is aborted already cancels the turn', async () => {
    const { say: tell, model, session } = await openStage([say('One.')])
    const result = await tell('a', { signal: AbortSignal.abort() })
    expect(result.status).toBe('cancelled')
    expect(model.requests).toEqual([])
    expect(session.messages).toEqual([])
  })

  test('results of background work enter as a turn of their own', async () => {
    const origins: string[] = []
    const looking = defineHook({
      name: 'looking',
      on: turnInput,
      run: (_, { scope }) => {
        origins.push(scope.origin)
        return proceed
      },
    })
    const {
      say: tell,
      events,
      session,
    } = await openStage([say('One.'), say('Two.')], { hooks: [looking] })
    await tell('a')
    await tell('The build is green.', { origin: 'background' })
    expect(origins).toEqual(['user', 'background'])
    expect(eventsOf(events, 'turn-start').map(({ origin }) => origin)).toEqual([
      'user',
      'background',
    ])
    expectPaired(session.messages)
  })
})

describe('an input that comes twice', () => {
  test('F139 starts no second turn, and gives the result of the first', async () => {
    const { say: tell, model, session } = await openStage([say('One.')])
    const first = await tell('a', { id: 'm1' })
    const second = await tell('a', { id: 'm1' })
    expect(second).toEqual({ ...first, isDuplicate: true })
    expect(first.isDuplicate).toBeUndefined()
    expect(model.requests).toHaveLength(1)
    expect(session.messages).toHaveLength(2)
  })

  test('F139 is known while the first still runs or waits', async () => {
    const { session, model } = await openStage([say('One.')])
    const turns = [1, 2].map(() => session.send('a', { id: 'm1' }))
    const results = await Promise.all(turns.map(({ result }) => result))
    expect(results.map(({ isDuplicate }) => isDuplicate)).toEqual([
      undefined,
      true,
    ])
    expect(model.requests).toHaveLength(1)
  })

  test('F139 is known after a resume', async () => {
    const log: string[] = []
    const options = {
      store: createMemoryStore(),
      session: { id: 'one' },
      hooks: [ends(log)],
    }
    const before = await openStage([say('One.')], options)
    const first = await before.say('a', { id: 'm1' })
    const after = await openStage([say('Two.')], options)
    const second = await after.say('a', { id: 'm1' })
    expect(second).toMatchObject({
      turnId: first.turnId,
      status: 'succeeded',
      text: 'One.',
      isDuplicate: true,
    })
    expect(after.model.requests).toEqual([])
    expect(log).toEqual(['a succeeded'])
  })

  test('F139 one that failed is not tried again', async () => {
    const { say: tell, model } = await openStage([
      { error: { code: 'invalid_request' } },
      say('Two.'),
    ])
    await tell('a', { id: 'm1' })
    expect(await tell('a', { id: 'm1' })).toMatchObject({
      status: 'failed',
      isDuplicate: true,
    })
    expect(model.requests).toHaveLength(1)
  })

  test('inputs without an id are never the same', async () => {
    const { say: tell } = await openStage([say('One.'), say('Two.')])
    await tell('a')
    expect((await tell('a')).text).toBe('Two.')
  })

  test('the events of a turn that comes twice end', async () => {
    const { session, say: tell } = await openStage([say('One.')])
    await tell('a', { id: 'm1' })
    const again = session.send('a', { id: 'm1' })
    expect(await soon(again.events().next())).toMatchObject({ done: true })
  })

  test('the events of a turn that has ended end at once', async () => {
    const { session } = await openStage([say('One.')])
    const turn = session.send('a')
    await turn.result
    await quiet(session)
    expect(await soon(turn.events().next())).toMatchObject({ done: true })
  })
})
