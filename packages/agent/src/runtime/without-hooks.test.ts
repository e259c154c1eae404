import { defineHook, type Hook, proceed } from 'hookline'
import {
  llmPostCall,
  llmPreCall,
  toolGuard,
  toolPostBatch,
  toolPostCall,
  toolPreCall,
  turnInput,
  turnOutput,
  turnPrePolicy,
  turnPrePromptCompile,
  turnPrePromptContext,
  turnPreTurn,
  turnStop,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { openStage } from './fixtures/stage.ts'
import { tool } from './fixtures/tools.ts'

const points = [
  ...[turnInput, turnPreTurn, turnPrePolicy, turnPrePromptContext],
  ...[turnPrePromptCompile, llmPreCall, llmPostCall, toolPreCall, toolGuard],
  ...[toolPostCall, toolPostBatch, turnStop, turnOutput],
]

test('a turn without hooks is what its model and its tools make of it, as with hooks that let everything go on', async () => {
  const asked = new Set<string>()
  const idle = (on: Hook['on']): Hook =>
    defineHook({
      name: `idle-${on.name}`,
      on,
      run: () => {
        asked.add(on.name)
        return proceed
      },
    })
  const play = async (hooks: readonly Hook[]) => {
    const { say, model, session } = await openStage(
      [{ calls: [{ tool: 'read' }] }, { text: 'Done.' }],
      { tools: [tool('read', () => 'It is read.')], hooks },
    )
    const { status, text, steps } = await say('Go.')
    const { messages } = session
    return { status, text, steps, messages, requests: model.requests }
  }
  const bare = await play([])
  expect(bare).toMatchObject({ status: 'succeeded', text: 'Done.', steps: 2 })
  expect(await play(points.map(idle))).toEqual(bare)
  expect(asked.size).toBe(points.length)
})
