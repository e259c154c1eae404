import { defineHook, proceed, transform } from 'hookline'
import {
  type AgentConfig,
  agentBuild,
  toolPostCall,
  turnPostPromptCompile,
} from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { createRuntime, definePlugin, type Plugin } from '../index.ts'
import { scriptedModel } from '../testing/index.ts'
import { tool } from './fixtures/tools.ts'

const main: AgentConfig = { name: 'main', model: 'x', instructions: 'Be kind.' }

function open(plugins: readonly Plugin[], rest: object = {}) {
  const model = scriptedModel([{ text: 'Done.' }], { loop: true })
  const alarms: string[] = []
  const runtime = createRuntime({
    models: { resolve: () => model },
    plugins,
    environment: '<environment>\nplatform: test\n</environment>',
    onAlarm: (code, about) => alarms.push(`${code} ${about}`),
    ...rest,
  })
  return { runtime, model, alarms }
}

function names({ tools }: { readonly tools: readonly { name: string }[] }) {
  return tools.map(({ name }) => name)
}

describe('plugins', () => {
  test('two with one tool are an error that names both', () => {
    const one = definePlugin({ name: 'one', tools: [tool('read')] })
    const two = definePlugin({ name: 'two', tools: [tool('read')] })
    expect(() => open([one, two])).toThrow(
      '"two" and "one" both have a tool "read"; rename one.',
    )
    expect(() => open([one], { tools: [tool('read')] })).toThrow('"read"')
  })

  test('two with one name, and a bad name, are errors', () => {
    const one = definePlugin({ name: 'one' })
    expect(() => open([one, { name: 'one' }])).toThrow('two plugins')
    expect(() => definePlugin({ name: 'One!' })).toThrow('no name of a plugin')
  })

  test('are set up before the first agent, once, and disposed of in reverse', async () => {
    const calls: string[] = []
    const noting = (name: string) =>
      definePlugin({
        name,
        setup: () => void calls.push(`setup ${name}`),
        register: (config) => void calls.push(`${name} has ${config.name}`),
        unregister: (config) => void calls.push(`${name} loses ${config.name}`),
        dispose: () => void calls.push(`dispose ${name}`),
      })
    const { runtime } = open([noting('one'), noting('two')])
    await runtime.register(main)
    await runtime.register({ ...main, name: 'other' })
    await runtime.close()
    expect(calls).toEqual([
      ...['setup one', 'setup two'],
      ...['one has main', 'two has main', 'one has other', 'two has other'],
      ...['two loses main', 'two loses other'],
      ...['one loses main', 'one loses other'],
      ...['dispose two', 'dispose one'],
    ])
  })

  test('one that cannot be set up lets no agent in, and others let go', async () => {
    const calls: string[] = []
    const good = definePlugin({
      name: 'good',
      dispose: () => void calls.push('disposed'),
    })
    const bad = definePlugin({
      name: 'bad',
      setup: () => Promise.reject(new Error('no server')),
    })
    const { runtime } = open([good, bad])
    await expect(runtime.register(main)).rejects.toThrow('no server')
    await expect(runtime.register(main)).rejects.toThrow('no server')
    await runtime.close()
    expect(calls).toEqual(['disposed'])
  })

  test('one that cannot make its state of an agent refuses the agent', async () => {
    const bad = definePlugin({
      name: 'bad',
      register: () => Promise.reject(new Error('full')),
    })
    const { runtime } = open([bad])
    await expect(runtime.register(main)).rejects.toMatchObject({
      code: 'registration-refused',
    })
    expect(runtime.agents).toEqual([])
  })

  test('what is under `on` becomes hooks with what they have in common', async () => {
    const seen: string[] = []
    const plugin = definePlugin({
      name: 'watch',
      defaults: { priority: 7 },
      on: {
        'turn.pre_turn': () => {
          seen.push('turn')
          return proceed
        },
        'llm.pre_call': ({ request }) => {
          seen.push(request.model)
          return proceed
        },
      },
    })
    const { runtime } = open([plugin])
    await runtime.register(main)
    runtime.swapHooks([])
    const session = await runtime.openSession({ agent: 'main' })
    await session.send('Hi.').result
    expect(seen).toEqual(['turn', 'x'])
    expect(runtime.tableOf('main').hooks).toMatchObject([
      { name: 'watch:turn.pre_turn', priority: 7 },
      { name: 'watch:llm.pre_call', priority: 7 },
    ])
    expect(() =>
      definePlugin({ name: 'watch', on: { 'turn.nope': proceed } as object }),
    ).toThrow('no point')
  })

  test('one serves several agents and sessions at the same time, and mixes nothing up', async () => {
    const notes = new Map<string, string>()
    const allIn = Promise.withResolvers<void>()
    let inside = 0
    const plugin = definePlugin({
      name: 'notes',
      tools: [
        tool('recall', async (_, { scope: { agent, sessionId } }) => {
          if (++inside === 4) allIn.resolve()
          await allIn.promise
          return `${notes.get(agent)} in ${sessionId}`
        }),
      ],
      prompt: ({ name }) => `Notes of ${name} are kept.`,
      register: ({ name }) => void notes.set(name, `note of ${name}`),
      unregister: ({ name }) => void notes.delete(name),
    })
    const model = scriptedModel(({ messages }) => {
      const isAsked = messages.at(-1)?.role === 'user'
      return isAsked ? { calls: [{ tool: 'recall' }] } : { text: 'Done.' }
    })
    const { runtime } = open([plugin], { models: { resolve: () => model } })
    await runtime.register(main)
    await runtime.register({ ...main, name: 'other' })
    const sessions = await Promise.all(
      ['main', 'main', 'other', 'other'].map((agent) =>
        runtime.openSession({ agent }),
      ),
    )
    await Promise.all(sessions.map((one) => one.send('Hi.').result))
    const recalled = sessions.map(({ messages }) => messages[2]?.content)
    expect(recalled).toMatchObject(
      sessions.map(({ id }, index) => {
        const text = `note of ${index < 2 ? 'main' : 'other'} in ${id}`
        return [{ content: [{ type: 'text', text }], isError: false }]
      }),
    )
    for (const name of ['main', 'other']) {
      const prompts = model.requests.map((one) =>
        JSON.stringify(one.messages[0]),
      )
      const own = prompts.filter((one) => one.includes(`Notes of ${name} are`))
      expect(own).toHaveLength(4)
    }
    await runtime.close()
    expect(notes.size).toBe(0)
  })

  test('T10 that watch everything are seen to: where, what they match, and what they may do', async () => {
    const plugin = definePlugin({
      name: 'watch',
      hooks: [
        defineHook({
          name: 'watch:all',
          on: toolPostCall,
          execution: 'record',
          run: () => {},
        }),
      ],
    })
    const { runtime } = open([plugin])
    await runtime.register(main)
    expect(runtime.tableOf('main').hooks).toMatchObject([
      {
        name: 'watch:all',
        point: 'tool.post_call',
        match: 'every input',
        execution: 'record',
        capabilities: [],
      },
    ])
    // Nothing that files or others swap takes it out of sight.
    runtime.swapHooks([])
    expect(runtime.tableOf('main').hooks).toHaveLength(1)
  })
})

describe('what plugins tell an agent', () => {
  const skills = definePlugin({
    name: 'skills',
    tools: [tool('skill')],
    prompt: () => 'Use skills.',
    resources: ({ skills: own = ['cook', 'sing'] }) =>
      `Skills: ${own.join(', ')}`,
    scopedTools: ({ skills: own }) =>
      own?.length === 0
        ? { tools: [] }
        : { tools: ['skill'], scope: 'skills: as listed' },
  })
  const os = definePlugin({
    name: 'os',
    tools: [tool('read')],
    prompt: () => 'Read.',
  })

  test('is in its prompt in order: machine, fragments, resources, scope', async () => {
    const { runtime, model } = open([skills, os])
    await runtime.register({ ...main, tools: ['skill', 'read'] })
    const session = await runtime.openSession({ agent: 'main' })
    await session.send('Hi.').result
    const [system] = model.requests[0]?.messages ?? []
    expect(system?.content[0]).toEqual({
      type: 'text',
      text: [
        'Be kind.',
        '<environment>\nplatform: test\n</environment>',
        'Use skills.',
        'Read.',
        'Skills: cook, sing',
        '<scope>\ntools: skill, read\nskills: as listed\nAnything else is refused.\n</scope>',
      ].join('\n\n'),
    })
  })

  test('has its authors in the manifest', async () => {
    const seen: unknown[] = []
    const watch = defineHook({
      name: 'watch',
      on: turnPostPromptCompile,
      run: ({ manifest }) => {
        seen.push(...manifest.fragments.map(({ id, plugin }) => [id, plugin]))
      },
    })
    const { runtime } = open([skills, os], { hooks: [watch] })
    await runtime.register(main)
    const session = await runtime.openSession({ agent: 'main' })
    await session.send('Hi.').result
    await runtime.drain()
    expect(seen).toEqual([
      ['instructions', undefined],
      ['environment', undefined],
      ['plugin:skills', 'skills'],
      ['plugin:os', 'os'],
      ['resources:skills', 'skills'],
      ['scope', undefined],
    ])
  })

  test('can be changed by hooks of agent.build, which see it', async () => {
    const plain = defineHook({
      name: 'plain',
      on: agentBuild,
      writes: true,
      run: ({ config }) => transform({ ...config, fragments: [] }),
    })
    const { runtime, model } = open([skills], { hooks: [plain] })
    await runtime.register(main)
    const session = await runtime.openSession({ agent: 'main' })
    await session.send('Hi.').result
    const [system] = model.requests[0]?.messages ?? []
    expect(system?.content).toEqual([{ type: 'text', text: 'Be kind.' }])
  })

  test('an agent has only the tools that a plugin scopes to it', async () => {
    const { runtime, model } = open([skills, os])
    await runtime.register({ ...main, skills: [] })
    const session = await runtime.openSession({ agent: 'main' })
    await session.send('Hi.').result
    expect(model.requests.map(names)).toEqual([['read']])
  })

  test('of one that scopes nothing an agent has every tool, and no line', async () => {
    const two = definePlugin({
      name: 'two',
      tools: [tool('read'), tool('write')],
    })
    const alone = open([two])
    await alone.runtime.register(main)
    const first = await alone.runtime.openSession({ agent: 'main' })
    await first.send('Hi.').result
    expect(alone.model.requests.map(names)).toEqual([['read', 'write']])
    expect(JSON.stringify(alone.model.requests)).not.toContain('<scope>')

    const both = open([skills, two])
    await both.runtime.register(main)
    const second = await both.runtime.openSession({ agent: 'main' })
    await second.send('Hi.').result
    expect(both.model.requests.map(names)).toEqual([['skill', 'read', 'write']])
    const said = JSON.stringify(both.model.requests[0]?.messages[0])
    expect(said.split('<scope>')[1]).toBe(
      '\\nskills: as listed\\nAnything else is refused.\\n</scope>"}]}',
    )
  })

  test('agents are built again when a plugin says so, and stay if they cannot be', async () => {
    let known = 'one'
    let rebuild = async () => {}
    const plugin = definePlugin({
      name: 'live',
      setup: (host) => {
        rebuild = () => host.rebuild()
      },
      resources: () => {
        if (known === '') throw new Error('lost')
        return `Known: ${known}`
      },
    })
    const { runtime, model, alarms } = open([plugin])
    await runtime.register(main)
    const session = await runtime.openSession({ agent: 'main' })
    const told = async () => {
      await session.send('Hi.').result
      return JSON.stringify(model.requests.at(-1)?.messages[0])
    }
    expect(await told()).toContain('Known: one')
    known = 'two'
    await rebuild()
    expect(await told()).toContain('Known: two')
    known = ''
    await rebuild()
    expect(await told()).toContain('Known: two')
    expect(alarms).toEqual(['not-rebuilt main'])
  })

  test('one that hangs is not waited for for ever, and nothing else hangs', async () => {
    const clock = createFakeClock()
    let isHanging = false
    let rebuild = async () => {}
    const plugin = definePlugin({
      name: 'slow',
      setup: (host) => {
        rebuild = () => host.rebuild()
      },
      prompt: () => (isHanging ? new Promise<never>(() => {}) : 'Said.'),
    })
    const { runtime, alarms } = open([plugin], { clock })
    await runtime.register(main)
    isHanging = true
    const rebuilt = rebuild()
    await clock.advance(30_000)
    await rebuilt
    expect(alarms).toEqual(['not-rebuilt main'])
    const other = runtime.register({ ...main, name: 'other' })
    const refused = expect(other).rejects.toThrow('"slow" did not say')
    await clock.advance(30_000)
    await refused
    await runtime.close()
  })
})
