import { defineHook, proceed } from 'hookline'
import {
  type AgentConfig,
  type DelegatedResult,
  sessionEnd,
  turnInput,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createMemoryStore, createPolicy, type PolicyPort } from '../index.ts'
import { type Script, scriptedModel } from '../testing/index.ts'
import { breaking } from './fixtures/hooks.ts'
import { brief } from './fixtures/paired.ts'
import {
  gate,
  mainConfig,
  openStage,
  type StageOptions,
} from './fixtures/stage.ts'
import { tool } from './fixtures/tools.ts'

/** A tool that has an agent do something, and what came of it. */
function handingTo(agent: string | AgentConfig) {
  const name = `to-${typeof agent === 'string' ? agent : agent.name}`
  const results: DelegatedResult[] = []
  const made = tool(name, async (_, context) => {
    const result = await context.delegate({ agent, task: 'Help.' })
    results.push(result)
    return result.status
  })
  return { tool: made, results }
}

function config(name: string): AgentConfig {
  return { ...mainConfig, name, model: name }
}

function calling(name: string): Script {
  return [{ calls: [{ tool: name }] }, { text: 'Done.' }]
}

/** An agent that hands work to `helper`, who does this. */
async function openHelped(
  script: Script,
  options: StageOptions = {},
  agent: string | AgentConfig = config('helper'),
) {
  const { tool: handing, results } = handingTo(agent)
  const helper = scriptedModel(script)
  const stage = await openStage(calling('to-helper'), {
    ...options,
    tools: [handing, ...(options.tools ?? [])],
    models: { helper, ...options.models },
  })
  if (typeof agent === 'string') {
    await stage.runtime.register(config('helper'))
  }
  return { ...stage, results }
}

test('a sub-agent of a runtime with a store does its work, and its session is kept', async () => {
  const store = createMemoryStore()
  const ids: string[] = []
  const watching = defineHook({
    name: 'watching',
    on: turnInput,
    run: (_, { scope }) => {
      if (scope.agent === 'helper') ids.push(scope.sessionId ?? '')
      return proceed
    },
  })
  const script = [{ text: 'Helped.' }]
  const { say, results } = await openHelped(script, {
    store,
    hooks: [watching],
  })
  await say('Go.')
  expect(results).toMatchObject([{ status: 'succeeded' }])
  const [id = ''] = ids
  const stored = await store.load(id)
  expect(stored?.info).toMatchObject({ id, agent: 'helper' })
  expect(brief(stored?.messages ?? [])).toEqual([
    ...['user: Help.', 'assistant: Helped.'],
  ])
})

describe('a hook that fails at the end of a sub-agent’s session', () => {
  const hooks = [breaking(sessionEnd)]

  test('loses no result', async () => {
    const { say, results } = await openHelped([{ text: 'Helped.' }], { hooks })
    const { text } = await say('Go.')
    const reply = [{ type: 'text', text: 'Helped.' }]
    expect(results).toEqual([{ status: 'succeeded', reply }])
    expect(text).toBe('Done.')
  })

  test('does not keep the agent from leaving', async () => {
    const { reached, pass } = gate()
    const script = () => pass().then(() => ({ text: 'Helped.' }))
    const stage = await openHelped(script, { hooks }, 'helper')
    const { runtime, session, results } = stage
    const turn = session.send('Go.')
    await reached
    await runtime.unregister('helper')
    expect(runtime.agents.map(({ name }) => name)).toEqual(['main'])
    await turn.result
    expect(results).toMatchObject([{ status: 'cancelled' }])
  })
})

test.each<[string, string | AgentConfig]>([
  ['registered', 'helper'],
  ['made for the task', config('helper')],
])(
  'an agent that is %s hands no work to whom its parent may not',
  async (_, agent) => {
    const toOther = handingTo('other')
    const other = scriptedModel([{ text: 'I did it.' }])
    const { say, results, runtime } = await openHelped(
      calling('to-other'),
      {
        tools: [toOther.tool],
        models: { other },
        config: { subagents: ['helper'] },
      },
      agent,
    )
    await runtime.register(config('other'))
    await say('Go.')
    expect(results).toMatchObject([{ status: 'succeeded' }])
    expect(toOther.results).toMatchObject([{ status: 'rejected' }])
    expect(other.requests).toEqual([])
  },
)

/** Allows everything, and notes what it was asked about. */
function noting(asked: string[]): PolicyPort {
  const open = createPolicy({ mode: 'open' })
  return {
    grant: (call, scope) => {
      asked.push(call.tool)
      return open.grant(call, scope)
    },
    needsGate: () => false,
  }
}

test.each(['registered', 'made for the task'])(
  'the policy of an agent is asked once about a call of its grandchild that is %s',
  async (how) => {
    const isNamed = how === 'registered'
    const grandchild = handingTo(isNamed ? 'leaf' : config('leaf'))
    const leaf = scriptedModel(calling('act'))
    const asked: string[] = []
    const { say, runtime } = await openHelped(
      calling('to-leaf'),
      {
        tools: [grandchild.tool, tool('act')],
        models: { leaf },
        agent: { policy: noting(asked) },
      },
      isNamed ? 'helper' : config('helper'),
    )
    if (isNamed) await runtime.register(config('leaf'))
    await say('Go.')
    expect(grandchild.results).toMatchObject([{ status: 'succeeded' }])
    expect(asked).toEqual(['to-helper', 'to-leaf', 'act'])
  },
)

test('a policy that three generations share is asked once about a call', async () => {
  const grandchild = handingTo('leaf')
  const leaf = scriptedModel(calling('act'))
  const asked: string[] = []
  const { say, runtime } = await openHelped(
    calling('to-leaf'),
    {
      tools: [grandchild.tool, tool('act')],
      models: { leaf },
      policy: noting(asked),
    },
    'helper',
  )
  await runtime.register(config('leaf'))
  await say('Go.')
  expect(asked).toEqual(['to-helper', 'to-leaf', 'act'])
})
