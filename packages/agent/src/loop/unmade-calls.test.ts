// Calls that a core of one's own has not made: each still has its end, and what
// hooks say about that counts.
import {
  defineHook,
  endTurn,
  type Hook,
  keepGoing,
  proceed,
  reject,
} from 'hookline'
import {
  llmPostCall,
  promptContext,
  type TurnStatus,
  toolPostBatch,
  toolPostCall,
  turnOutput,
  turnPrePromptContext,
  turnStop,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  type Core,
  type CoreEnd,
  type CoreTurn,
  createMemoryStore,
  type ModelReply,
} from '../index.ts'
import { brief, expectPaired } from '../runtime/fixtures/paired.ts'
import {
  eventsOf,
  openStage,
  type StageOptions,
} from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'
import type { ScriptStep } from '../testing/index.ts'

const secret = 'The key is k-1.'
const drafted: ScriptStep = { text: secret, calls: [{ tool: 'read' }] }

function endWith(text: string, status: TurnStatus = 'succeeded'): CoreEnd {
  return { type: 'end', status, reply: [{ type: 'text', text }] }
}

type Drop = (turn: CoreTurn, draft: ModelReply) => Promise<CoreEnd>

/** Asks the model once more, and answers with what it says. */
const askAgain = async (turn: CoreTurn): Promise<CoreEnd> => {
  const reply = await turn.callModel()
  if (reply.type === 'end') return reply
  return (await turn.askStop(reply)) ?? endWith('Lost.')
}

/** The ways to go on without the calls of a reply. */
const goingOn: Readonly<Record<string, Drop>> = {
  callModel: askAgain,
  beginStep: async (turn) => (await turn.beginStep()) ?? askAgain(turn),
  compilePrompt: async (turn) => {
    await turn.compilePrompt()
    return askAgain(turn)
  },
  askStop: async (turn, draft) => (await turn.askStop(draft)) ?? askAgain(turn),
}

/** The ways to end without them. */
const ending: Readonly<Record<string, Drop>> = {
  'an end of its own': async () => endWith('So.'),
  'the end that askStop gives': async (turn, draft) =>
    (await turn.askStop(draft)) ?? endWith('Lost.'),
  'words of the reply': async () => endWith(secret),
}

/** A hook keeps the turn going once, where it is asked whether to. */
const goOn = defineHook({
  name: 'go-on',
  on: turnStop,
  run: ({ continuesSoFar }) =>
    continuesSoFar === 0 ? keepGoing('More.') : proceed,
})

const steps = [drafted, { text: 'So.' }, { text: 'Again.' }]

interface DropOptions extends StageOptions {
  readonly script?: readonly ScriptStep[]
}

/** An agent whose core does this with the calls of its first reply. */
async function openDropping(drop: Drop, options: DropOptions = {}) {
  const { config, hooks = [], script = steps, ...rest } = options
  const seen: string[] = []
  const noting = [
    defineHook({
      name: 'note-calls',
      on: toolPostCall,
      run: ({ call, status }) => {
        seen.push(`${call.tool} ${status}`)
        return proceed
      },
    }),
    defineHook({
      name: 'note-batches',
      on: toolPostBatch,
      run: ({ results }) => {
        seen.push(`batch of ${results.length}`)
        return proceed
      },
    }),
  ]
  const ran: string[] = []
  const read = tool('read', () => {
    ran.push('read')
    return 'read'
  })
  const core: Core = {
    type: 'dropping',
    honours: [
      ...['turn.pre_prompt_context', 'llm.post_call', 'tool.post_call'],
      ...['tool.post_batch', 'turn.stop'],
    ] as Core['honours'],
    run: async (turn) => {
      await turn.compilePrompt()
      const limit = await turn.beginStep()
      if (limit !== undefined) return limit
      const draft = await turn.callModel()
      return draft.type === 'end' ? draft : drop(turn, draft)
    },
  }
  const stage = await openStage(script, {
    ...rest,
    cores: [core],
    config: { ...config, core: 'dropping' },
    tools: [read],
    hooks: [...noting, ...hooks],
  })
  return { ...stage, seen, ran }
}

const cancelled = ['read cancelled', 'batch of 1']

describe('a core that goes on without the calls of a reply, by', () => {
  const ways = Object.keys(goingOn)
  const open = (way: string, hooks: readonly Hook[] = []) =>
    openDropping(goingOn[way] as Drop, {
      hooks: way === 'askStop' ? [goOn, ...hooks] : hooks,
    })

  test.each(ways)('%s, has them end as cancelled, once', async (way) => {
    const { say, session, seen, events, model } = await open(way)
    expect(await say('Go.')).toMatchObject({ status: 'succeeded', text: 'So.' })
    expect(seen).toEqual(cancelled)
    expect(eventsOf(events, 'tool-end')).toHaveLength(1)
    expectPaired(session.messages)
    expect(model.requests).toHaveLength(2)
    expect(brief(session.messages)[1]).toBe(`assistant: ${secret} | →call-1`)
  })

  test.each(ways)(
    '%s, does not have the model told that its turn has ended',
    async (way) => {
      const { say, model } = await open(way)
      await say('Go.')
      const told = JSON.stringify(model.requests[1]?.messages)
      expect(told).toContain('not made')
      expect(told).not.toContain('ended')
    },
  )

  test('compilePrompt, has what hooks recall come after their results', async () => {
    const recalling = defineHook({
      name: 'recalling',
      on: turnPrePromptContext,
      capabilities: ['context'],
      run: (_, { contribute }) => {
        const content = 'Remember.'
        contribute(promptContext({ id: 'a', domain: 'memory', content }))
        return proceed
      },
    })
    const { say, session, model } = await open('compilePrompt', [recalling])
    expect((await say('Go.')).status).toBe('succeeded')
    expectPaired(session.messages)
    expectPaired(model.requests[1]?.messages ?? [])
  })

  const stopping = [toolPostCall, toolPostBatch].map((on) =>
    defineHook({
      name: `stop-at-${on.name}`,
      // They differ in nothing that such a hook looks at.
      on: on as typeof toolPostCall,
      run: () => endTurn('Stop now.'),
    }),
  )
  const failing = defineHook({
    name: 'failing',
    on: toolPostCall,
    onFailure: 'required',
    run: () => {
      throw new Error('broken')
    },
  })

  test.each(
    ways.flatMap((way) =>
      stopping.map((hook) => ({ way, hook, at: hook.name })),
    ),
  )('$way, asks no model again after $at', async ({ way, hook }) => {
    const { say, model, session } = await open(way, [hook])
    expect(await say('Go.')).toMatchObject({
      status: 'succeeded',
      reason: 'Stop now.',
    })
    expect(model.requests).toHaveLength(1)
    expectPaired(session.messages)
  })

  test.each(ways)(
    '%s, has failed where a hook that must not fail does',
    async (way) => {
      const { say, model } = await open(way, [failing])
      expect((await say('Go.')).status).toBe('failed')
      expect(model.requests).toHaveLength(1)
    },
  )

  test.each(Object.keys(ending))(
    '%s, has failed where a hook that must not fail does',
    async (way) => {
      const { say } = await openDropping(ending[way] as Drop, {
        hooks: [failing],
      })
      expect((await say('Go.')).status).toBe('failed')
    },
  )

  test('what its turn does not allow, has failed where a hook that must not fail does', async () => {
    const making: Drop = async (turn, draft) =>
      (await turn.callTools(draft)) ?? endWith('So.')
    const { say, seen } = await openDropping(making, {
      hooks: [failing],
      script: [{ calls: [{ tool: 'read' }, { tool: 'read' }] }],
      config: { limits: { maxToolCalls: 1 } },
    })
    expect((await say('Go.')).status).toBe('failed')
    expect(seen).toEqual(['batch of 2'])
  })

  test('a hook’s word at llm.post_call, has failed where a hook that must not fail does', async () => {
    const stop = defineHook({
      name: 'stop',
      on: llmPostCall,
      run: () => endTurn('Enough.'),
    })
    const { say } = await openDropping(askAgain, { hooks: [stop, failing] })
    expect((await say('Go.')).status).toBe('failed')
  })
})

describe('a core that ends without the calls of a reply, with', () => {
  const ways = Object.keys(ending)
  const withholding = defineHook({
    name: 'withholding',
    on: turnOutput,
    run: () => reject('A secret.'),
  })

  test.each(ways)('%s, has them end as cancelled, once', async (way) => {
    const { say, seen, events, session, ran } = await openDropping(
      ending[way] as Drop,
    )
    expect((await say('Go.')).status).toBe('succeeded')
    expect(seen).toEqual(cancelled)
    expect(eventsOf(events, 'tool-end')).toHaveLength(1)
    expect(ran).toEqual([])
    expectPaired(session.messages)
  })

  test.each(ways)('%s, has history say words once', async (way) => {
    const { say, session } = await openDropping(ending[way] as Drop)
    const { text } = await say('Go.')
    expect(brief(session.messages)).toEqual([
      ...['user: Go.', 'assistant: →call-1', 'tool: ←call-1'],
      `assistant: ${text}`,
    ])
  })

  test.each(ways)(
    '%s, tells nobody what turn.output withholds',
    async (way) => {
      const store = createMemoryStore()
      const { say, session, events } = await openDropping(ending[way] as Drop, {
        hooks: [withholding],
        store,
        session: { id: 's' },
      })
      const { status, text } = await say('Go.')
      expect({ status, text }).toEqual({
        status: 'withheld',
        text: '[withheld: A secret.]',
      })
      const kept = await store.load('s')
      const all = JSON.stringify([events, session.messages, kept?.messages])
      expect(all).not.toContain(secret)
      expect(kept?.messages).toEqual(session.messages)
    },
  )

  test('words on which a hook ends the turn, tells nobody what turn.output withholds', async () => {
    const stop = defineHook({
      name: 'stop',
      on: llmPostCall,
      run: () => endTurn('Enough.'),
    })
    for (const hooks of [[stop], [stop, withholding]]) {
      const stage = await openDropping(askAgain, { hooks })
      const isWithheld = hooks.length > 1
      const text = isWithheld ? '[withheld: A secret.]' : secret
      expect(await stage.say('Go.')).toMatchObject({ text })
      expect(stage.seen).toEqual(cancelled)
      expect(brief(stage.session.messages).slice(1)).toEqual([
        ...['assistant: →call-1', 'tool: ←call-1', `assistant: ${text}`],
      ])
      const all = JSON.stringify([stage.events, stage.session.messages])
      expect(all.includes(secret)).toBe(!isWithheld)
    }
  })

  const statuses = ['failed', 'limited', 'cancelled', 'rejected', 'withheld']

  test.each(statuses as TurnStatus[])(
    'the status %s, has them end as cancelled, once',
    async (status) => {
      const { say, seen, session, events } = await openDropping(async () =>
        endWith(secret, status),
      )
      expect((await say('Go.')).status).toBe(status)
      expect(seen).toEqual(cancelled)
      expect(
        JSON.stringify([session.messages, eventsOf(events, 'turn-end')]),
      ).not.toContain(secret)
      if (session.messages.length > 0) expectPaired(session.messages)
    },
  )

  test.each(['an error', 'no end'])(
    '%s, has them end as cancelled, once',
    async (what) => {
      const { say, seen } = await openDropping(async () => {
        if (what === 'an error') throw new Error('broken')
        // On purpose: a core can be written without types.
        return undefined as unknown as CoreEnd
      })
      expect((await say('Go.')).status).toBe('failed')
      expect(seen).toEqual(cancelled)
    },
  )
})

describe('a core that has asked whether a reply is the end', () => {
  const making: Drop = async (turn, draft) => {
    await turn.askStop(draft)
    return (await turn.callTools(draft)) ?? askAgain(turn)
  }

  test('can make its calls then', async () => {
    const { say, ran, session, seen } = await openDropping(making)
    expect(await say('Go.')).toMatchObject({ status: 'succeeded', text: 'So.' })
    expect(ran).toEqual(['read'])
    expect(seen).toEqual(['read executed', 'batch of 1'])
    expectPaired(session.messages)
  })

  test('cannot, where the turn has gone on without them', async () => {
    const { say, ran, session } = await openDropping(making, { hooks: [goOn] })
    expect(await say('Go.')).toMatchObject({
      status: 'failed',
      error: { code: 'invalid-call' },
    })
    expect(ran).toEqual([])
    expectPaired(session.messages)
  })

  test('gets no better reply to go on with before its calls have ended', async () => {
    const { say, seen, session, model } = await openDropping(
      goingOn['askStop'] as Drop,
    )
    const output = z.object({ a: z.number() })
    expect((await say('Go.', { output })).status).toBe('failed')
    expect(seen).toEqual(cancelled)
    expect(model.requests.length).toBeGreaterThan(1)
    for (const { messages } of model.requests) expectPaired(messages)
    expect(session.messages).toEqual([])
  })

  test('takes what the user has said since, unless hooks end the turn', async () => {
    const stop = defineHook({
      name: 'stop',
      on: toolPostBatch,
      run: () => endTurn('Enough.'),
    })
    for (const hooks of [[], [stop]]) {
      const stage = await openDropping(
        async (turn, draft) => {
          void stage.session.steer('Wait.')
          return (await turn.askStop(draft)) ?? askAgain(turn)
        },
        { hooks },
      )
      await stage.say('Go.')
      expectPaired(stage.session.messages)
      const said = brief(stage.session.messages)
      // What came too late for this turn begins the next one.
      expect(said.indexOf('user: Wait.')).toBe(hooks.length === 0 ? 3 : 4)
    }
  })
})
