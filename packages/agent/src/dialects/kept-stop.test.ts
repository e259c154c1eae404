import { defineHook, replace } from 'hookline'
import {
  type AgentScope,
  compactionPost,
  llmPreCall,
  type ModelRequest,
  type Origin,
  turnInput,
  turnPostTurn,
} from 'hookline/lifecycle'
import { afterAll, describe, expect, test } from 'vitest'
import type { Runtime } from '../index.ts'
import { openStage } from '../runtime/fixtures/stage.ts'
import { scriptedModel } from '../testing/index.ts'
import { dialectBench } from './claude-code/fixtures/dialect-bench.ts'
import { scope } from './fixtures/inputs.ts'
import { openRuleBench } from './fixtures/rule-bench.ts'
import { loadDialect } from './load-dialect.ts'

const files = dialectBench()
afterAll(() => files.end())

const stop = JSON.stringify({ continue: false, stopReason: 'Halt.' })
const command = `cat >/dev/null; printf '%s' '${stop}'`
const request: ModelRequest = {
  model: 'script',
  messages: [],
  tools: [],
  settings: {},
}
const summed = {
  removedCount: 2,
  summary: 'Short.',
  trigger: 'manual',
} as const

/** A script wants the turn to end whenever a conversation was made shorter. */
async function openBench() {
  const handler = { type: 'command', command: 'halt' }
  const groups = [{ matcher: 'compact', hooks: [handler] }]
  const { engine } = await openRuleBench(
    await loadDialect('claude-code'),
    { hooks: { SessionStart: groups } },
    { speak: () => ({ stdout: stop }) },
  )
  return {
    engine,
    halt: (where: Partial<AgentScope> = {}) =>
      engine.run(compactionPost, summed, { scope: { ...scope, ...where } }),
    callModel: async (where: Partial<AgentScope> = {}) => {
      const moment = { scope: { ...scope, ...where } }
      const call = { request, attempt: 1 }
      return (await engine.run(llmPreCall, call, moment)).type
    },
  }
}

describe('a stop that is kept', () => {
  test.each<Origin>(['compaction', 'hook', 'preflight'])(
    'ends no call of a model for another end: %s',
    async (origin) => {
      const { halt, callModel } = await openBench()
      await halt()
      expect(await callModel({ origin })).toBe('proceed')
      expect(await callModel()).toBe('endTurn')
    },
  )

  test('is not dropped because many others are', async () => {
    const { halt, callModel } = await openBench()
    await halt({ turnId: 'first', sessionId: 'first' })
    for (let turn = 0; turn < 1_001; turn++) {
      await halt({ turnId: `t-${turn}`, sessionId: `s-${turn}` })
    }
    const place = { turnId: 'first', sessionId: 'first' }
    expect(await callModel(place)).toBe('endTurn')
  })

  test('ends with its turn', async () => {
    const bench = await openBench()
    const { engine, halt, callModel } = bench
    const content = [{ type: 'text' as const, text: 'Go.' }]
    await engine.run(turnInput, { content }, { scope })
    await halt()
    const summary = {} as never
    const told = { status: 'cancelled' as const, summary }
    await engine.run(turnPostTurn, told, { scope })
    expect(await callModel()).toBe('proceed')
    expect(await callModel({ turnId: 't-2' })).toBe('proceed')
  })

  test('stands, whoever has the call of the model as it wants it', async () => {
    const hooks = await files.hooks({
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command }] }] },
    })
    const replacing = defineHook({
      name: 'replaces',
      on: llmPreCall,
      priority: 50,
      writes: true,
      run: () => replace({ ...request, model: 'other' }),
    })
    const stage = await openStage([{ text: 'Hi.' }], {
      hooks: [...hooks, replacing],
    })
    const ended = await stage.say('Hello.')
    expect(ended.reason).toContain('Halt.')
    expect(stage.model.requests).toHaveLength(0)
    await stage.close()
  })

  test('leaves a gate its own call of a model', async () => {
    let runtime: Runtime | undefined
    const hooks = await files.hooks(
      {
        hooks: {
          SessionStart: [{ hooks: [{ type: 'command', command }] }],
          UserPromptSubmit: [{ hooks: [{ type: 'prompt', prompt: 'Fine?' }] }],
        },
      },
      {
        model: 'judge',
        callModel: async (context, asked) => {
          if (runtime === undefined) throw new Error('not yet')
          return runtime.callModel(context, asked)
        },
      },
    )
    const judge = scriptedModel([{ text: '{"ok": true}' }])
    const models = { judge }
    const stage = await openStage([{ text: 'Hi.' }], { hooks, models })
    runtime = stage.runtime
    const ended = await stage.say('Hello.')
    expect(judge.requests).toHaveLength(1)
    expect(ended.reason).toContain('Halt.')
    expect(stage.model.requests).toHaveLength(0)
    await stage.close()
  })

  test('between turns ends the next one, and only that', async () => {
    const group = { matcher: 'compact', hooks: [{ type: 'command', command }] }
    const hooks = await files.hooks({ hooks: { SessionStart: [group] } })
    const stage = await openStage(
      ['1', '2', '3', 'Sum.', '4'].map((text) => ({ text })),
      { hooks, config: { compaction: { maxTokens: 100, keepMessages: 2 } } },
    )
    for (const input of ['a', 'b', 'c']) await stage.say(input)
    expect(await stage.session.compact()).toBe('done')
    expect((await stage.say('d')).reason).toContain('Halt.')
    expect(stage.model.requests).toHaveLength(4)
    expect((await stage.say('e')).text).toBe('4')
    await stage.close()
  })
})
