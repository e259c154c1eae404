import { defineHook, type Hook, proceed } from 'hookline'
import {
  promptContext,
  runtimeTurnPreContext,
  toolGuard,
  turnInput,
  turnOutput,
  turnPrePromptContext,
  turnStop,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { Core, CoreEnd } from '../index.ts'
import { noteEnds } from './fixtures/hooks.ts'
import { brief, expectPaired } from './fixtures/paired.ts'
import { mainConfig, openStage } from './fixtures/stage.ts'
import { tool } from './fixtures/tools.ts'

function done(text: string): CoreEnd {
  const reply = [{ type: 'text' as const, text }]
  return { type: 'end', status: 'succeeded', reply }
}

/** Asks the model once, and runs no tools. */
const singleShot: Core = {
  type: 'single',
  honours: ['turn.pre_prompt_context', 'llm.pre_call', 'llm.post_call'],
  async run(turn) {
    await turn.compilePrompt()
    const limit = await turn.beginStep()
    if (limit !== undefined) return limit
    const reply = await turn.callModel()
    if (reply.type === 'end') return reply
    const [first] = reply.response.content
    return done(first?.type === 'text' ? first.text : '')
  },
}

/** Has the model plan, then do, with its tools. */
const planner: Core = {
  type: 'planner',
  honours: [
    ...['turn.pre_prompt_context', 'llm.pre_call', 'llm.post_call'],
    ...['tool.pre_call', 'tool.guard', 'tool.post_call', 'turn.stop'],
  ] as Core['honours'],
  async run(turn) {
    await turn.compilePrompt()
    for (;;) {
      const limit = await turn.beginStep()
      if (limit !== undefined) return limit
      const reply = await turn.callModel()
      if (reply.type === 'end') return reply
      const end =
        reply.calls.length > 0
          ? await turn.callTools(reply)
          : await turn.askStop(reply)
      if (end !== undefined) return end
    }
  },
}

/** Another program, which asks its own model. */
function external(seen: unknown[]): Core {
  return {
    type: 'external',
    honours: ['runtime.turn_pre_context'],
    async run(turn) {
      seen.push(turn.content, await turn.externalContext())
      return done('From elsewhere.')
    },
  }
}

const guarding: Hook = defineHook({
  name: 'guarding',
  on: toolGuard,
  run: () => proceed,
})

describe('a core of one’s own', () => {
  test('can ask the model once, with the prompt that hooks have made', async () => {
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
    const { say, model, session } = await openStage([{ text: 'One.' }], {
      cores: [singleShot],
      config: { core: 'single' },
      hooks: [recalling],
    })
    expect(await say('Go.')).toMatchObject({ text: 'One.', steps: 1 })
    expect(brief(model.requests[0]?.messages ?? [])[0]).toContain('Remember.')
    expect(brief(session.messages)).toEqual(['user: Go.', 'assistant: One.'])
  })

  test('can run tools through the sealed pipeline', async () => {
    const order: string[] = []
    const noting = defineHook({
      name: 'noting',
      on: toolGuard,
      run: (call) => {
        order.push(`${call.tool} is judged`)
        return proceed
      },
    })
    const read = tool('read', () => String(order.push('read runs')))
    const { say, session } = await openStage(
      [{ calls: [{ tool: 'read' }] }, { text: 'Done.' }],
      {
        cores: [planner],
        config: { core: 'planner' },
        tools: [read],
        hooks: [noting],
      },
    )
    expect((await say('Go.')).text).toBe('Done.')
    expect(order).toEqual(['read is judged', 'read runs'])
    expectPaired(session.messages)
  })

  test('can be another program, and is told what hooks want it to know', async () => {
    const seen: unknown[] = []
    const telling = defineHook({
      name: 'telling',
      on: runtimeTurnPreContext,
      match: { coreType: 'external' },
      capabilities: ['context'],
      run: (_, { contribute }) => {
        const content = 'Use metric units.'
        contribute(promptContext({ id: 'a', domain: 'style', content }))
        return proceed
      },
    })
    const { say, session, model } = await openStage([], {
      cores: [external(seen)],
      config: { core: 'external' },
      hooks: [telling],
    })
    expect((await say('Go.')).text).toBe('From elsewhere.')
    expect(seen[0]).toEqual([{ type: 'text', text: 'Go.' }])
    expect(seen[1]).toContain('Use metric units.')
    expect(model.requests).toEqual([])
    expect(brief(session.messages)).toEqual([
      'user: Go.',
      'assistant: From elsewhere.',
    ])
  })

  test('has its input and its output judged like any other', async () => {
    const seen: string[] = []
    const looking = (on: typeof turnInput | typeof turnOutput): Hook =>
      defineHook({
        name: on.name,
        on: on as typeof turnInput,
        run: (_, { scope }) => {
          seen.push(`${on.name} ${scope.coreType}`)
          return proceed
        },
      })
    const { say } = await openStage([], {
      cores: [external([])],
      config: { core: 'external' },
      hooks: [looking(turnInput), looking(turnOutput), noteEnds(seen)],
    })
    await say('Go.')
    expect(seen).toEqual([
      'turn.input external',
      'turn.output external',
      'succeeded',
    ])
  })

  test('that throws fails the turn and leaves no trace in history', async () => {
    const broken: Core = {
      type: 'broken',
      honours: [],
      run: () => Promise.reject(new Error('crashed')),
    }
    const { say, session } = await openStage([], {
      cores: [broken],
      config: { core: 'broken' },
    })
    expect(await say('Go.')).toMatchObject({
      status: 'failed',
      error: { message: 'crashed' },
    })
    expect(session.messages).toEqual([])
  })

  test('that is unknown refuses the agent', async () => {
    const refused = openStage([], { config: { core: 'nowhere' } })
    await expect(refused).rejects.toMatchObject({ code: 'unknown-core' })
  })
})

describe('a hook on a point that the core does not pass', () => {
  const parts = { cores: [singleShot], config: { core: 'single' } }

  test('refuses the agent', async () => {
    const refused = openStage([], { ...parts, hooks: [guarding] })
    await expect(refused).rejects.toMatchObject({ code: 'point-not-honoured' })
  })

  test('refuses an agent that brings it itself', async () => {
    const refused = openStage([], { ...parts, agent: { hooks: [guarding] } })
    await expect(refused).rejects.toMatchObject({ code: 'point-not-honoured' })
  })

  test('is no error if it is disabled, or names other agents', async () => {
    const hooks = [
      { ...guarding, disabled: true },
      { ...guarding, name: 'other', match: { agent: 'other' } },
      { ...guarding, name: 'others', match: { agent: ['a*', 'b*'] } },
    ]
    const { runtime } = await openStage([], { ...parts, hooks })
    expect(runtime.agents).toHaveLength(1)
  })

  test('is an error if its matcher may mean the agent', async () => {
    for (const match of [{ agent: 'ma*' }, { tool: 'read' }, () => true]) {
      const hooks = [{ ...guarding, match } as Hook]
      await expect(openStage([], { ...parts, hooks })).rejects.toMatchObject({
        code: 'point-not-honoured',
      })
    }
  })

  test('cannot be swapped in', async () => {
    const { runtime } = await openStage([], parts)
    const honoured = expect.objectContaining({ code: 'point-not-honoured' })
    expect(() => runtime.swapHooks([guarding])).toThrow(honoured)
  })

  test('refuses a child too, where it is meant for the parent and so for its children, and is not named to models', async () => {
    const forMain = defineHook({
      name: 'for-main',
      on: turnStop,
      match: { agent: 'main' },
      run: () => proceed,
    })
    const errors: unknown[] = []
    const agent = { ...mainConfig, name: 'helper', core: 'single' }
    const delegate = tool('delegate', async (_, context) => {
      await context
        .delegate({ agent, task: 'Help.' })
        .catch((error: unknown) => errors.push(error))
      return 'asked'
    })
    const { say } = await openStage(
      [{ calls: [{ tool: 'delegate' }] }, { text: 'Done.' }, { text: 'Done.' }],
      { cores: [singleShot], hooks: [forMain], tools: [delegate] },
    )
    await say('Go.')
    const message =
      'Agent "helper" was refused: A hook is on a point that its core does not pass.'
    expect(errors).toMatchObject([{ code: 'point-not-honoured', message }])
  })
})
