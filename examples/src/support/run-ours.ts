import {
  type AgentSpec,
  createAgent,
  createPolicy,
  defineTool,
} from '@hookline/agent'
import { type Script, scriptedModel } from '@hookline/agent/testing'
import { defineHook, type Hook, type Point, proceed } from 'hookline'
import { turnPostTurn } from 'hookline/lifecycle'
import { z } from 'zod'

/** What a model says, call after call: a text, or that it wants the tool. */
export type Said = readonly ('look' | string)[]

/** A turn of ours, to be held against one of another package. */
export async function runOurs(
  said: Said,
  hooks: readonly Hook[],
  options: Pick<AgentSpec, 'approvals'> = {},
) {
  const script: Script = said.map((text) =>
    text === 'look' ? { calls: [{ tool: 'look', args: {} }] } : { text },
  )
  const model = scriptedModel(script)
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: z.object({}),
    safety: 'read_only',
    execute: () => 'seen',
  })
  const policy = createPolicy({ mode: 'open' })
  const agent = createAgent({ model, tools: [look], policy, hooks, ...options })
  const result = await agent.run('Go.').result
  await agent.close()
  return { calls: model.requests.length, result }
}

/** The points of a turn that are passed, in their order, up to its end. */
export async function pointsPassed(
  said: Said,
  points: readonly Point[],
): Promise<readonly string[]> {
  const passed: string[] = []
  const watchers = points.map((point) =>
    defineHook({
      name: `sees:${point.name}`,
      on: point,
      run: () => {
        passed.push(point.name)
        return proceed
      },
    }),
  )
  const end = defineHook({
    name: 'sees:the-end',
    on: turnPostTurn,
    execution: 'record',
    run: () => void passed.push(turnPostTurn.name),
  })
  await runOurs(said, [...watchers, end])
  return passed
}
