import { defineHook, type Hook, proceed, reject } from 'hookline'
import {
  agentBuild,
  toolBundle,
  toolGuard,
  toolPreCall,
  turnInput,
  turnPreToolMaterialization,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createRuntime } from '../index.ts'
import { scriptedModel } from '../testing/index.ts'
import { gate, mainConfig, openStage } from './fixtures/stage.ts'
import { tool } from './fixtures/tools.ts'

const hello = { text: 'Hello.' }

function noting(name: string, log: string[]): Hook {
  return defineHook({
    name,
    on: turnInput,
    run: (_, { scope }) => {
      log.push(`${name} ${scope.agent}`)
      return proceed
    },
  })
}

describe('the tools of an agent', () => {
  const tools = [tool('read_file'), tool('read_web'), tool('write_file')]

  test.each([
    ['absent: all', undefined, ['read_file', 'read_web', 'write_file']],
    ['empty: none', [], []],
    ['by name', ['write_file'], ['write_file']],
    ['by pattern', ['read_*'], ['read_file', 'read_web']],
    ['names of no tool', ['bash'], []],
  ])('%s', async (_, allowed, expected) => {
    const config = allowed === undefined ? {} : { tools: allowed }
    const { model, say } = await openStage([hello], { tools, config })
    await say('Hi.')
    const offered = model.requests[0]?.tools.map(({ name }) => name)
    expect(offered).toEqual(expected)
  })

  test('a tool that is not allowed does not run, even if the model calls it', async () => {
    const ran: string[] = []
    const write = tool('write_file', () => {
      ran.push('write_file')
      return 'written'
    })
    const script = [{ calls: [{ tool: 'write_file' }] }, hello]
    const config = { tools: ['read_*'] }
    const { say, session } = await openStage(script, { tools: [write], config })
    await say('Hi.')
    expect(ran).toEqual([])
    expect(session.messages[2]).toMatchObject({
      content: [{ callId: 'call-1', isError: true }],
    })
  })

  test('a call of one is refused before any hook is asked about it', async () => {
    const asked: string[] = []
    const judging = [toolPreCall, toolGuard].map((on) =>
      defineHook({
        name: on.name,
        // They are alike in what this hook does with them.
        on: on as typeof toolGuard,
        run: ({ tool: name }) => {
          asked.push(`${on.name} ${name}`)
          return proceed
        },
      }),
    )
    const calls = ['write_file', 'read_file'].map((name) => ({ tool: name }))
    const { say } = await openStage([{ calls }, hello], {
      tools,
      hooks: judging,
      config: { tools: ['read_*'] },
    })
    await say('Hi.')
    expect(asked).toEqual(['tool.pre_call read_file', 'tool.guard read_file'])
  })

  test('a tool that a hook brings is held to the same list', async () => {
    const bringing = defineHook({
      name: 'bringing',
      on: turnPreToolMaterialization,
      capabilities: ['tools'],
      run: (_, { contribute }) => {
        contribute(toolBundle({ tools: [tool('read_mail'), tool('send')] }))
        return proceed
      },
    })
    const { model, say } = await openStage([hello], {
      hooks: [bringing],
      config: { tools: ['read_*'] },
    })
    await say('Hi.')
    const offered = model.requests[0]?.tools.map(({ name }) => name)
    expect(offered).toEqual(['read_mail'])
  })

  test('own tools are the agent’s alone', async () => {
    const { model, runtime, say } = await openStage([hello, hello], {
      agent: { tools: [tool('mine')] },
    })
    await runtime.register({ ...mainConfig, name: 'other' })
    const other = await runtime.openSession({ agent: 'other' })
    await say('Hi.')
    await other.send('Hi.').result
    const offered = model.requests.map(({ tools: all }) => all.length)
    expect(offered).toEqual([1, 0])
  })

  test('two tools of one name are refused', async () => {
    const twice = openStage([], {
      tools: [tool('read')],
      agent: { tools: [tool('read')] },
    })
    await expect(twice).rejects.toMatchObject({ code: 'duplicate-tool' })
  })
})

describe('the hooks of an agent', () => {
  test('its own run for it alone, those of the runtime for all', async () => {
    const log: string[] = []
    const { runtime, say } = await openStage([hello, hello], {
      hooks: [noting('shared', log)],
      agent: { hooks: [noting('own', log)] },
    })
    await runtime.register({ ...mainConfig, name: 'other' })
    const other = await runtime.openSession({ agent: 'other' })
    await say('Hi.')
    await other.send('Hi.').result
    expect(log).toEqual(['own main', 'shared main', 'shared other'])
  })

  test('two agents may have the same hook', async () => {
    const hooks = [noting('own', [])]
    const { runtime } = await openStage([], { agent: { hooks } })
    await runtime.register({ ...mainConfig, name: 'other' }, { hooks })
    expect(runtime.agents).toHaveLength(2)
  })

  test('two agents with different hooks of one name are refused', async () => {
    const { runtime } = await openStage([], {
      agent: { hooks: [noting('own', [])] },
    })
    const hooks = [noting('own', [])]
    await expect(
      runtime.register({ ...mainConfig, name: 'other' }, { hooks }),
    ).rejects.toMatchObject({ code: 'duplicate-hook' })
  })

  test('two that are registered at the same time are refused as well', async () => {
    const { runtime } = await openStage([])
    const settled = await Promise.allSettled(
      ['one', 'two'].map((name) => {
        const hooks = [noting('own', [])]
        return runtime.register({ ...mainConfig, name }, { hooks })
      }),
    )
    const refused = settled.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(1)
  })

  test('one that has the name of a runtime’s is refused', async () => {
    const refused = openStage([], {
      hooks: [noting('same', [])],
      agent: { hooks: [noting('same', [])] },
    })
    await expect(refused).rejects.toMatchObject({
      code: 'registration-refused',
    })
  })
})

describe('other hooks in place of the runtime’s', () => {
  test('the next turn runs on the new ones', async () => {
    const log: string[] = []
    const { runtime, say } = await openStage([hello, hello], {
      hooks: [noting('old', log)],
      agent: { hooks: [noting('own', log)] },
    })
    await say('Hi.')
    runtime.swapHooks([noting('new', log)])
    await say('Hi.')
    expect(log).toEqual(['old main', 'own main', 'new main', 'own main'])
  })

  test('a bad table leaves the old one', async () => {
    const log: string[] = []
    const { runtime, say } = await openStage([hello], {
      hooks: [noting('old', log)],
      agent: { hooks: [noting('own', log)] },
    })
    const twice = [noting('new', log), noting('new', log)]
    expect(() => runtime.swapHooks(twice)).toThrow('new')
    expect(() => runtime.swapHooks([noting('own', log)])).toThrow('own')
    await say('Hi.')
    expect(log).toEqual(['old main', 'own main'])
  })

  test('F119 a hook that has begun ends on its table, the next point sees the new one', async () => {
    const { pass, reached, open } = gate()
    const log: string[] = []
    const slow = defineHook({
      name: 'slow',
      on: turnInput,
      priority: 1,
      run: async () => {
        await pass()
        return proceed
      },
    })
    const denying = defineHook({
      name: 'denying',
      on: toolGuard,
      run: () => reject('Not any more.'),
    })
    const script = [{ calls: [{ tool: 'read' }] }, hello]
    const { runtime, session } = await openStage(script, {
      tools: [tool('read')],
      hooks: [slow, noting('old', log)],
    })
    const { result } = session.send('Go.')
    await reached
    runtime.swapHooks([noting('new', log), denying])
    open()
    await result
    expect(log).toEqual(['old main'])
    expect(session.messages[2]).toMatchObject({
      content: [{ isError: true, content: [{ text: 'Not any more.' }] }],
    })
  })

  test('an agent that is being registered meanwhile gets them too', async () => {
    const { pass, reached, open } = gate()
    const log: string[] = []
    const slow = defineHook({
      name: 'slow',
      on: agentBuild,
      match: { agent: 'late' },
      run: async () => {
        await pass()
        return proceed
      },
    })
    const { runtime } = await openStage([hello], { hooks: [slow] })
    const registered = runtime.register({ ...mainConfig, name: 'late' })
    await reached
    runtime.swapHooks([noting('new', log)])
    open()
    await registered
    const session = await runtime.openSession({ agent: 'late' })
    await session.send('Hi.').result
    expect(log).toEqual(['new late'])
  })

  test('a registered agent that works for another gets them at its next call', async () => {
    const { pass, reached, open } = gate()
    const ran: string[] = []
    const ask = tool('ask', async (_, context) => {
      await context.delegate({ agent: 'expert', task: 'Help.' })
      return 'asked'
    })
    const wait = tool('wait', async () => {
      await pass()
      return 'waited'
    })
    const act = tool('act', () => {
      ran.push('act')
      return 'acted'
    })
    const denying = defineHook({
      name: 'denying',
      on: toolGuard,
      match: { tool: 'act' },
      run: () => reject('Not any more.'),
    })
    const { runtime, session } = await openStage(
      [
        { calls: [{ tool: 'ask' }] },
        { calls: [{ tool: 'wait' }] },
        { calls: [{ tool: 'act' }] },
        hello,
        hello,
      ],
      { tools: [ask, wait, act] },
    )
    await runtime.register({ ...mainConfig, name: 'expert' })
    const { result } = session.send('Go.')
    await reached
    runtime.swapHooks([denying])
    open()
    expect((await result).status).toBe('succeeded')
    expect(ran).toEqual([])
  })
})

test('a tool that others have and this agent does not is refused, and put on record', async () => {
  const alarms: string[] = []
  const entries: unknown[] = []
  const model = scriptedModel([
    {
      calls: [
        { tool: 'write', id: 'c1' },
        { tool: 'nope', id: 'c2' },
      ],
    },
    { text: 'Done.' },
  ])
  const runtime = createRuntime({
    models: { resolve: () => model },
    tools: [tool('read'), tool('write')],
    onAlarm: (code, about) => alarms.push(`${code} ${about}`),
    collect: ({ by, kind, value }) => entries.push({ by, kind, value }),
  })
  await runtime.register({
    name: 'main',
    model: 'x',
    instructions: '',
    tools: ['read'],
  })
  const session = await runtime.openSession({ agent: 'main' })
  await session.send('Go.').result
  const told = model.requests[1]?.messages.at(-1)?.content
  expect(told).toMatchObject([
    {
      callId: 'c1',
      isError: true,
      content: [
        { text: 'Tool "write" is not available to you. Available: read.' },
      ],
    },
    { callId: 'c2', isError: true },
  ])
  expect(alarms).toEqual(['scope-violation main: write'])
  expect(entries).toEqual([
    {
      by: 'runtime',
      kind: 'audit',
      value: {
        event: 'scope.violation',
        details: { agent: 'main', tool: 'write', callId: 'c1' },
      },
    },
  ])
})
