import { defineHook, type Hook, proceed } from 'hookline'
import {
  type AgentConfig,
  type AgentEvent,
  type BoundTool,
  type ToolCall,
  toolBundle,
  toolPreCall,
  turnPrePromptCompile,
  turnPreToolMaterialization,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createAgent } from '../create-agent.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { type Script, scriptedModel } from '../testing/index.ts'
import { defineTool } from '../tools/define-tool.ts'

function toolNamed(name: string, ran: string[] = []): BoundTool {
  return defineTool({
    name,
    description: `Does ${name}.`,
    input: { type: 'object' },
    safety: 'read_only',
    execute: () => {
      ran.push(name)
      return `${name} was done.`
    },
  })
}

/** Brings tools for every turn that it is asked in. */
function bringing(name: string, ...tools: readonly BoundTool[]) {
  return defineHook({
    name,
    on: turnPreToolMaterialization,
    capabilities: ['tools'],
    run: (_, { contribute }) => {
      contribute(toolBundle({ tools }))
      return proceed
    },
  })
}

function agentOf(
  script: Script,
  hooks: readonly Hook[],
  changes: Pick<AgentConfig, 'tools'> = {},
) {
  const model = scriptedModel(script)
  const runtime = createRuntime({
    models: { resolve: () => model },
    hooks,
    tools: [toolNamed('look')],
  })
  const open = async () => {
    const config = { name: 'main', model: 'x/y', instructions: '' }
    await runtime.register({ ...config, ...changes })
    return runtime.openSession({ agent: 'main' })
  }
  return { model, runtime, open }
}

async function collect(events: AsyncIterable<AgentEvent>) {
  const seen: AgentEvent[] = []
  for await (const one of events) seen.push(one)
  return seen
}

const calling = (tool: string) => [
  { calls: [{ tool, id: 'c' }] },
  { text: 'Done.' },
]

describe('a tool that a hook brings', () => {
  test('is offered to the model beside the agent’s own', async () => {
    const hook = bringing('bring', toolNamed('fetch'))
    const { model, open } = agentOf([{ text: 'Done.' }], [hook])
    await (await open()).send('Go.').result
    const names = model.requests[0]?.tools.map(({ name }) => name)
    expect(names).toEqual(['look', 'fetch'])
  })

  test('can be called, and runs', async () => {
    const ran: string[] = []
    const hook = bringing('bring', toolNamed('fetch', ran))
    const { model, open } = agentOf(calling('fetch'), [hook])
    await (await open()).send('Go.').result
    expect(ran).toEqual(['fetch'])
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: [
        { callId: 'c', isError: false, content: [{ text: 'fetch was done.' }] },
      ],
    })
  })

  test('is owned by its hook', async () => {
    const calls: ToolCall[] = []
    const note = defineHook({
      name: 'note',
      on: toolPreCall,
      run: (call) => {
        calls.push(call)
        return proceed
      },
    })
    const hook = bringing('bring', toolNamed('fetch'))
    const { open } = agentOf(calling('fetch'), [hook, note])
    await (await open()).send('Go.').result
    expect(calls).toMatchObject([{ tool: 'fetch', owner: 'bring' }])
  })

  test('is there for this turn alone', async () => {
    const hook = defineHook({
      ...bringing('bring', toolNamed('fetch')),
      match: (_, { turn }) => turn === 1,
    })
    const script = [{ text: 'One.' }, ...calling('fetch')]
    const { model, open } = agentOf(script, [hook])
    const session = await open()
    await session.send('Go.').result
    await session.send('Again.').result
    const offered = model.requests.map(({ tools }) => tools.length)
    expect(offered).toEqual([2, 1, 1])
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({
      content: [{ callId: 'c', isError: true }],
    })
  })

  test('is known by name in the next phase', async () => {
    const seen: unknown[] = []
    const note = defineHook({
      name: 'note',
      on: turnPrePromptCompile,
      run: ({ toolNames }) => {
        seen.push(toolNames)
        return proceed
      },
    })
    const hooks = [bringing('bring', toolNamed('fetch')), note]
    const { open } = agentOf([{ text: 'Done.' }], hooks)
    await (await open()).send('Go.').result
    expect(seen).toEqual([['look', 'fetch']])
  })

  test('is told with its author', async () => {
    const hook = bringing('bring', toolNamed('fetch'))
    const { open } = agentOf([{ text: 'Done.' }], [hook])
    const events = await collect((await open()).send('Go.'))
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'hook-inject',
        hook: 'bring',
        point: 'turn.pre_tool_materialization',
        subject: 'tools',
        id: 'fetch',
      }),
    )
  })

  test('has its arguments checked, like any other', async () => {
    const strict = defineTool({
      name: 'fetch',
      description: 'Fetches.',
      input: { type: 'object', required: ['url'] },
      safety: 'read_only',
      execute: () => 'fetched',
    })
    const hook = bringing('bring', strict)
    const { model, open } = agentOf(calling('fetch'), [hook])
    await (await open()).send('Go.').result
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: [{ callId: 'c', isError: true }],
    })
  })
})

describe('a name that two have', () => {
  test.each([
    ['a hook and the runtime', [bringing('one', toolNamed('look'))], 'one'],
    [
      'two hooks',
      [
        bringing('one', toolNamed('fetch')),
        bringing('two', toolNamed('fetch')),
      ],
      'two',
    ],
  ])(
    'is an error that names the tool, and the hook apart: %s',
    async (_, hooks, hook) => {
      const { model, open } = agentOf([{ text: 'Done.' }], hooks)
      const { status, error } = await (await open()).send('Go.').result
      expect(status).toBe('failed')
      expect(error).toMatchObject({ code: 'duplicate-tool', hook })
      expect(error?.message).toMatch(/rename one: "(look|fetch)"\.$/)
      expect(model.requests).toEqual([])
    },
  )

  test('is an error also where the allow-list would have left both out', async () => {
    const hooks = [
      bringing('one', toolNamed('fetch')),
      bringing('two', toolNamed('fetch')),
    ]
    const { open } = agentOf([{ text: 'Done.' }], hooks, { tools: [] })
    const { error } = await (await open()).send('Go.').result
    expect(error?.code).toBe('duplicate-tool')
  })
})

describe('the allow-list of an agent holds for what hooks bring', () => {
  const hook = bringing('bring', toolNamed('fetch_page'), toolNamed('write'))

  test.each([
    [undefined, ['look', 'fetch_page', 'write']],
    [[], []],
    [['fetch_*'], ['fetch_page']],
    [
      ['look', 'write'],
      ['look', 'write'],
    ],
  ])('%j: %j', async (tools, offered) => {
    const changes = tools === undefined ? {} : { tools }
    const { model, open } = agentOf([{ text: 'Done.' }], [hook], changes)
    await (await open()).send('Go.').result
    const names = model.requests[0]?.tools.map(({ name }) => name)
    expect(names).toEqual(offered)
  })

  test('also when the model calls it all the same', async () => {
    const ran: string[] = []
    const secret = bringing('bring', toolNamed('fetch', ran))
    const { model, open } = agentOf(calling('fetch'), [secret], { tools: [] })
    await (await open()).send('Go.').result
    expect(ran).toEqual([])
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: [{ callId: 'c', isError: true }],
    })
  })

  test('and nothing is told of a tool that did not come in', async () => {
    const changes = { tools: ['write'] }
    const { open } = agentOf([{ text: 'Done.' }], [hook], changes)
    const events = await collect((await open()).send('Go.'))
    const told = events.filter(({ type }) => type === 'hook-inject')
    expect(told).toMatchObject([{ id: 'write' }])
  })

  test('and for the sub-agents of that agent', async () => {
    const delegate = defineTool({
      name: 'delegate',
      description: 'Has another agent do it.',
      input: { type: 'object' },
      safety: 'read_only',
      execute: async (_, context) => {
        const child = { name: 'child', model: 'x/child', instructions: '' }
        await context.delegate({ agent: child, task: 'Do it.' })
        return 'done'
      },
    })
    const child = scriptedModel([{ text: 'Child.' }])
    const parent = scriptedModel(calling('delegate'))
    const runtime = createRuntime({
      models: { resolve: (name) => (name === 'x/child' ? child : parent) },
      hooks: [hook],
      tools: [delegate],
    })
    const tools = ['delegate']
    const config = { name: 'main', model: 'x/y', instructions: '' }
    await runtime.register({ ...config, tools })
    const session = await runtime.openSession({ agent: 'main' })
    await session.send('Go.').result
    const names = child.requests[0]?.tools.map(({ name }) => name)
    expect(names).toEqual(['delegate'])
  })
})

test('a hook that brings something that is no tool brings nothing', async () => {
  const odd = { name: 'odd' } as unknown as BoundTool
  const model = scriptedModel([{ text: 'Done.' }])
  const agent = createAgent({ model, hooks: [bringing('bring', odd)] })
  const { text } = await agent.run('Go.').result
  expect(text).toBe('Done.')
  expect(model.requests[0]?.tools).toEqual([])
})
