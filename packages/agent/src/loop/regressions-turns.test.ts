import { defineHook, proceed, respond } from 'hookline'
import {
  audit,
  llmError,
  llmPreCall,
  turnInput,
  turnPreTurn,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { growthOf, linear } from '../../../core/fixtures/time-ratio.ts'
import {
  type Core,
  type CoreEnd,
  type CoreTurn,
  createAgent,
  createMemoryStore,
  createRuntime,
  type SessionStore,
} from '../index.ts'
import { brief, expectPaired } from '../runtime/fixtures/paired.ts'
import { eventsOf, gate, openStage, quiet } from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'
import { scriptedModel } from '../testing/index.ts'

test('a request to another model after an error cannot be changed in place by hooks', async () => {
  const a = scriptedModel([{ error: { code: 'overloaded' } }])
  const b = scriptedModel([{ text: 'From b.' }])
  const frozen: string[] = []
  const hostile = defineHook({
    name: 'hostile',
    on: llmPreCall,
    onFailure: 'open',
    run: ({ request }) => {
      const { model, messages } = request
      if (Object.isFrozen(request) && Object.isFrozen(messages)) {
        frozen.push(model)
      }
      // On purpose: a hook can be written without types.
      Object.assign(request as object, { model: 'evil', system: 'evil' })
      return proceed
    },
  })
  const change = defineHook({
    name: 'change',
    on: llmError,
    run: () => respond({ type: 'switch_model', model: 'b' }),
  })
  const runtime = createRuntime({
    models: { resolve: (name) => (name === 'a' ? a : b) },
    hooks: [hostile, change],
  })
  await runtime.register({ name: 'main', model: 'a', instructions: '' })
  const session = await runtime.openSession({ agent: 'main' })
  expect((await session.send('Hello.').result).text).toBe('From b.')
  expect(frozen).toEqual(['a', 'b'])
  const [request] = b.requests
  expect(request).toEqual({ ...a.requests[0], model: 'b' })
  expect(JSON.stringify(request)).not.toContain('evil')
})

/** A store that cannot write one type of entry. */
function refusing(type: string): SessionStore {
  const store = createMemoryStore()
  return {
    ...store,
    async append(sessionId, entries) {
      if (entries.some((entry) => entry.type === type)) {
        throw new Error('disk full')
      }
      await store.append(sessionId, entries)
    },
  }
}

test('a compaction that cannot be written changes nothing', async () => {
  const store = refusing('compaction')
  const { say, session, model } = await openStage(() => ({ text: 'Yes.' }), {
    store,
  })
  for (const word of ['One.', 'Two.', 'Three.']) await say(word)
  const before = session.messages
  const hint = { summary: 'Short.', keepMessages: 1 }
  await expect(session.compact(hint)).rejects.toThrow('disk full')
  expect(session.messages).toEqual(before)
  await say('Four.')
  const shown = model.requests.at(-1)?.messages ?? []
  expect(shown.slice(0, -1)).toEqual(before)
})

test('a message is in the conversation although the gate of the next one fails', async () => {
  const fragile = defineHook({
    name: 'fragile',
    on: turnPreTurn,
    onFailure: 'required',
    run: ({ content }) => {
      if (JSON.stringify(content).includes('Second.')) throw new Error('broken')
      return proceed
    },
  })
  const { pass, reached, open } = gate()
  const slow = tool('slow', () => pass().then(() => 'slow'))
  const script = [{ calls: [{ tool: 'slow' }] }, { text: 'Done.' }]
  const parts = { hooks: [fragile], tools: [slow] }
  const { session } = await openStage(script, parts)
  const turn = session.send('Go.')
  await reached
  const first = session.steer('First.')
  const second = session.steer('Second.')
  open()
  expect((await turn.result).status).toBe('failed')
  expect(await first).toEqual({ type: 'taken' })
  expect(await second).toMatchObject({ type: 'queued' })
  await quiet(session)
  expect(brief(session.messages).join('\n')).toContain('First.')
  expect(brief(session.messages).join('\n')).not.toContain('Second.')
  expectPaired(session.messages)
})

test('whoever collects and throws does not change the turn, and raises the alarm', async () => {
  const alarms: string[] = []
  const auditing = defineHook({
    name: 'auditing',
    on: turnInput,
    capabilities: ['audit'],
    onFailure: 'required',
    run: (_, { contribute }) => {
      contribute(audit({ event: 'seen' }))
      return proceed
    },
  })
  const agent = createAgent({
    model: scriptedModel([{ text: 'Done.' }]),
    hooks: [auditing],
    collect: () => {
      throw new Error('full')
    },
    onAlarm: (code, about) => alarms.push(`${code} ${about}`),
  })
  const result = await agent.run('Go.').result
  expect(result).toMatchObject({ status: 'succeeded', text: 'Done.' })
  expect(alarms).toEqual(['port-threw collect'])
})

describe('a core of somebody else', () => {
  const done: CoreEnd = { type: 'end', status: 'succeeded', reply: [] }
  const act = [{ calls: [{ tool: 'act' }] }]

  /** One agent with this core, and how often its tool has run. */
  async function openCore(run: Core['run']) {
    const ran: string[] = []
    const acting = tool('act', () => {
      ran.push('act')
      return 'act'
    })
    const core: Core = { type: 'own', honours: [], run }
    const stage = await openStage(act, {
      cores: [core],
      tools: [acting],
      config: { core: 'own' },
      graceMs: 10,
    })
    return { ...stage, ran }
  }

  async function replyOf(turn: CoreTurn) {
    await turn.compilePrompt()
    await turn.beginStep()
    const reply = await turn.callModel()
    if (reply.type === 'end') throw new Error('There is no reply.')
    return reply
  }

  /** What a promise, or the call that would have made it, failed with. */
  async function failureOf(work: () => unknown): Promise<unknown> {
    try {
      await work()
      return 'none'
    } catch (error) {
      return error
    }
  }

  test('cannot run tools after its turn has ended', async () => {
    let late = async () => {}
    const { say, ran } = await openCore(async (turn) => {
      const reply = await replyOf(turn)
      late = async () => void (await turn.callTools(reply))
      return done
    })
    await say('Go.')
    expect(await failureOf(late)).toMatchObject({ code: 'invalid-call' })
    expect(ran).toEqual([])
  })

  test('cannot run the calls of a reply twice', async () => {
    const failures: unknown[] = []
    const { say, ran } = await openCore(async (turn) => {
      const reply = await replyOf(turn)
      await turn.callTools(reply)
      failures.push(await failureOf(() => turn.callTools(reply)))
      failures.push(await failureOf(() => turn.callTools({ ...reply })))
      return done
    })
    await say('Go.')
    const refused = { code: 'invalid-call' }
    expect(failures).toMatchObject([refused, refused])
    expect(ran).toEqual(['act'])
  })

  test('that never ends does not keep a turn from being cancelled', async () => {
    const { reached, pass } = gate()
    const { session, clock } = await openCore(() => pass().then(() => done))
    const turn = session.send('Go.')
    await reached
    turn.cancel()
    await clock.advance(10)
    expect((await turn.result).status).toMatch(/cancelled|failed/)
  })

  test('that gives nothing fails its turn, which has an end', async () => {
    // On purpose: a core can be written without types.
    const nothing = async () => undefined as unknown as CoreEnd
    const { say, events } = await openCore(nothing)
    expect(await say('Go.')).toMatchObject({
      status: 'failed',
      error: { code: 'invalid-core' },
    })
    expect(eventsOf(events, 'turn-end')).toMatchObject([{ status: 'failed' }])
  })
})

/** Streams a reply in so many pieces to a watcher. */
async function stream(deltas: number): Promise<void> {
  const text = 'word '.repeat(deltas)
  const agent = createAgent({
    model: scriptedModel([{ text, chunks: deltas }]),
  })
  const session = await agent.openSession()
  let count = 0
  for await (const { type } of session.send('Go.')) {
    if (type === 'text-delta') count++
  }
  expect(count).toBe(deltas)
}

test('a reply takes time in proportion to the number of its pieces', async () => {
  expect(await growthOf(40_000, stream)).toBeLessThan(linear)
})
