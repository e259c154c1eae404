import type { Hook } from 'hookline'
import {
  llmPreCall,
  toolPostBatch,
  toolPreCall,
  turnInput,
  turnOutput,
  turnPostPreflightPromptContext,
  turnPostTurn,
  turnPrePolicy,
  turnPrePromptCompile,
  turnPrePromptContext,
  turnPreToolMaterialization,
  turnPreTurn,
  turnStop,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { breaking, noteEnds } from '../runtime/fixtures/hooks.ts'
import { expectPaired } from '../runtime/fixtures/paired.ts'
import { openStage } from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'

const points: readonly Hook['on'][] = [
  turnInput,
  turnPreTurn,
  turnPrePolicy,
  turnPrePromptContext,
  turnPreToolMaterialization,
  turnPostPreflightPromptContext,
  turnPrePromptCompile,
  llmPreCall,
  toolPreCall,
  toolPostBatch,
  turnStop,
  turnOutput,
]

const script = [{ calls: [{ tool: 'read' }] }, { text: 'Done.' }]

describe('a hook that must not fail, and fails, fails the turn', () => {
  test.each(points.map((on) => [on.name, on] as const))(
    'at %s',
    async (_, on) => {
      const log: string[] = []
      const { say, session } = await openStage(script, {
        tools: [tool('read')],
        hooks: [breaking(on), noteEnds(log)],
      })
      expect(await say('Go.')).toMatchObject({
        status: 'failed',
        error: { code: 'required-failed' },
      })
      expect(log).toEqual(['failed'])
      expectPaired(session.messages)
    },
  )
})

test('what stays of a turn that failed by a hook names it in its error, and not to the model', async () => {
  const { say, session } = await openStage(script, {
    tools: [tool('read')],
    hooks: [breaking(toolPostBatch)],
  })
  const failed = 'is required at tool.post_batch, and failed: threw.'
  const { error } = await say('Go.')
  const hook = 'breaking-tool.post_batch'
  expect(error).toMatchObject({ hook, message: `A hook ${failed}` })
  const text = `[turn failed: A hook ${failed}]`
  expect(session.messages.at(-1)?.content).toEqual([{ type: 'text', text }])
})

describe('a hook that may fail does not', () => {
  test.each(
    points.filter((on) => on !== turnInput).map((on) => [on.name, on] as const),
  )('at %s', async (_, on) => {
    const { say, session } = await openStage(script, {
      tools: [tool('read')],
      hooks: [breaking(on, 'open')],
    })
    expect(await say('Go.')).toMatchObject({
      status: 'succeeded',
      text: 'Done.',
    })
    expectPaired(session.messages)
  })
})

test('a hook at turn.post_turn that fails reaches nobody', async () => {
  const { say } = await openStage(script, {
    tools: [tool('read')],
    hooks: [breaking(turnPostTurn)],
  })
  expect((await say('Go.')).status).toBe('succeeded')
})
