import { defineHook, type Hook, proceed, replace, transform } from 'hookline'
import {
  type AgentConfig,
  agentBuild,
  agentRegister,
  agentUnregister,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createRuntime } from '../index.ts'
import { scriptedModel } from '../testing/index.ts'
import { gate, mainConfig } from './fixtures/stage.ts'

function runtimeWith(...hooks: readonly Hook[]) {
  const model = scriptedModel([{ text: 'Hello.' }], { loop: true })
  return createRuntime({ hooks, models: { resolve: () => model } })
}

function logged(log: string[], on: typeof agentRegister, name: string) {
  return defineHook({
    name,
    on,
    run: () => {
      log.push(name)
      return proceed
    },
  })
}

const failing = defineHook({
  name: 'failing',
  on: agentRegister,
  priority: 200,
  run: () => {
    throw new Error('no disk')
  },
})

describe('building', () => {
  test('an agent is registered as its hooks have built it, one after the other', async () => {
    const add = (name: string, priority: number) =>
      defineHook({
        name,
        on: agentBuild,
        priority,
        writes: true,
        run: ({ config }) => {
          const instructions = `${config.instructions}${name};`
          return transform({ ...config, instructions })
        },
      })
    const runtime = runtimeWith(add('second', 2), add('first', 1))
    const built = await runtime.register({ ...mainConfig, instructions: '>' })
    expect(built.instructions).toBe('>first;second;')
    expect(runtime.agents).toEqual([built])
  })

  test('a replaced config is used as it is', async () => {
    const config: AgentConfig = { ...mainConfig, instructions: 'Mine.' }
    const hook = defineHook({
      name: 'replacing',
      on: agentBuild,
      writes: true,
      run: () => replace(config),
    })
    expect(await runtimeWith(hook).register(mainConfig)).toEqual(config)
  })

  test('the instructions that a hook has built are what the model is told', async () => {
    const model = scriptedModel([{ text: 'Hello.' }])
    const hook = defineHook({
      name: 'building',
      on: agentBuild,
      writes: true,
      run: ({ config }) => transform({ ...config, instructions: 'Be brief.' }),
    })
    const runtime = createRuntime({
      hooks: [hook],
      models: { resolve: () => model },
    })
    await runtime.register(mainConfig)
    const session = await runtime.openSession({ agent: 'main' })
    await session.send('Hi').result
    expect(model.requests[0]?.messages[0]).toEqual({
      role: 'system',
      content: [{ type: 'text', text: 'Be brief.' }],
    })
  })

  test('a hook at agent.build that fails refuses the registration', async () => {
    const hook = defineHook({
      name: 'broken',
      on: agentBuild,
      run: () => {
        throw new Error('no shell')
      },
    })
    const runtime = runtimeWith(hook)
    await expect(runtime.register(mainConfig)).rejects.toMatchObject({
      name: 'AgentError',
      code: 'registration-refused',
    })
    expect(runtime.agents).toEqual([])
  })

  test('a hook that may fail leaves the config as it was', async () => {
    const hook = defineHook({
      name: 'broken',
      on: agentBuild,
      onFailure: 'open',
      run: () => {
        throw new Error('no shell')
      },
    })
    expect(await runtimeWith(hook).register(mainConfig)).toEqual(mainConfig)
  })

  test.each([
    ['name', { name: 'root' }],
    ['parent', { parent: 'root' }],
  ])('a hook cannot give an agent another %s', async (_, change) => {
    const hook = defineHook({
      name: 'renaming',
      on: agentBuild,
      writes: true,
      run: ({ config }) => transform({ ...config, ...change }),
    })
    const runtime = runtimeWith(hook)
    await expect(runtime.register(mainConfig)).rejects.toMatchObject({
      code: 'invalid-config',
    })
    expect(runtime.agents).toEqual([])
  })

  test('what hooks build is checked as what was given', async () => {
    const hook = defineHook({
      name: 'emptying',
      on: agentBuild,
      writes: true,
      run: ({ config }) => transform({ ...config, model: '' }),
    })
    await expect(runtimeWith(hook).register(mainConfig)).rejects.toMatchObject({
      code: 'invalid-config',
    })
  })

  test('a config cannot be changed from outside once it is registered', async () => {
    const tools = ['read']
    const runtime = runtimeWith()
    await runtime.register({ ...mainConfig, tools })
    expect(runtime.agents.map(Object.isFrozen)).toEqual([true])
    expect(() => tools.push('write')).toThrow(TypeError)
  })
})

describe('registering', () => {
  test('an agent is visible only when every hook has its state in place', async () => {
    const { pass, reached, open } = gate()
    const hook = defineHook({
      name: 'slow',
      on: agentRegister,
      run: async () => {
        await pass()
        return proceed
      },
    })
    const runtime = runtimeWith(hook)
    const registered = runtime.register(mainConfig)
    await reached
    expect(runtime.agents).toEqual([])
    await expect(runtime.openSession({ agent: 'main' })).rejects.toMatchObject({
      code: 'unknown-agent',
    })
    open()
    await registered
    expect(runtime.agents).toEqual([mainConfig])
  })

  test('a hook is told the name and the config as it was built', async () => {
    const seen: unknown[] = []
    const building = defineHook({
      name: 'building',
      on: agentBuild,
      writes: true,
      run: ({ config }) => transform({ ...config, instructions: 'Built.' }),
    })
    const registering = defineHook({
      name: 'registering',
      on: agentRegister,
      run: (input, { scope }) => {
        seen.push(input, scope.agent)
        return proceed
      },
    })
    await runtimeWith(building, registering).register(mainConfig)
    const config = { ...mainConfig, instructions: 'Built.' }
    expect(seen).toEqual([{ name: 'main', config }, 'main'])
  })

  test('a hook at agent.register that fails refuses the agent, and agent.unregister is asked', async () => {
    const log: string[] = []
    const runtime = runtimeWith(
      logged(log, agentRegister, 'open-state'),
      failing,
      logged(log, agentUnregister, 'close-state'),
    )
    await expect(runtime.register(mainConfig)).rejects.toMatchObject({
      code: 'registration-refused',
    })
    expect(log).toEqual(['open-state', 'close-state'])
    expect(runtime.agents).toEqual([])
  })

  test('the error of a refused registration says why, whatever letting go does', async () => {
    const runtime = runtimeWith(
      failing,
      defineHook({
        name: 'stuck',
        on: agentUnregister,
        onFailure: 'required',
        run: () => {
          throw new Error('stuck')
        },
      }),
    )
    await expect(runtime.register(mainConfig)).rejects.toThrow('failing')
    await expect(runtime.register(mainConfig)).rejects.toMatchObject({
      code: 'registration-refused',
    })
  })

  test('a name is free again when its registration was refused', async () => {
    const runtime = runtimeWith(failing)
    await runtime.register(mainConfig).catch(() => {})
    runtime.swapHooks([])
    expect(await runtime.register(mainConfig)).toEqual(mainConfig)
  })

  test('a name is taken from the first moment of its registration', async () => {
    const runtime = runtimeWith()
    const first = runtime.register(mainConfig)
    await expect(runtime.register(mainConfig)).rejects.toMatchObject({
      code: 'duplicate-agent',
    })
    await first
    await expect(runtime.register(mainConfig)).rejects.toMatchObject({
      code: 'duplicate-agent',
    })
    expect(runtime.agents).toHaveLength(1)
  })
})

describe('a config that no agent can be made from is refused', () => {
  const bad: readonly [string, unknown][] = [
    ['no config', undefined],
    ['null', null],
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a name with a space', { name: 'my agent' }],
    ['a name with a line break', { name: 'main\n' }],
    ['a name that is too long', { name: 'a'.repeat(129) }],
    ['a name that is no text', { name: 7 }],
    ['no model', { model: undefined }],
    ['an empty model', { model: '' }],
    ['instructions that are no text', { instructions: null }],
    ['tools that are no list', { tools: 'read' }],
    ['tools that are null', { tools: null }],
    ['tools that are no names', { tools: [1] }],
    ['subagents that are no list', { subagents: {} }],
    ['skills that are no list', { skills: 'all' }],
    ['mcpServers that are no names', { mcpServers: [null] }],
    ['a limit that is no number', { limits: { maxSteps: '3' } }],
    ['a limit below 0', { limits: { maxTokens: -1 } }],
    ['a limit that is no number at all', { limits: { maxCost: Number.NaN } }],
    ['a share that is no number', { compaction: { softShare: null } }],
    ['limits that are null', { limits: null }],
    ['limits that are a number', { limits: 5 }],
    ['a compaction that is null', { compaction: null }],
    ['budgets that are null', { budgets: null }],
    ['a budget that is null', { budgets: { context: null } }],
    ['a budget that is a number', { budgets: { sections: 5 } }],
  ]

  test.each(bad)('%s', async (_, change) => {
    const given = change ? { ...mainConfig, ...Object(change) } : change
    const runtime = runtimeWith()
    await expect(runtime.register(given as AgentConfig)).rejects.toMatchObject({
      name: 'AgentError',
      code: 'invalid-config',
    })
    expect(runtime.agents).toEqual([])
  })

  test('an unknown core', async () => {
    const config = { ...mainConfig, core: 'planner' }
    await expect(runtimeWith().register(config)).rejects.toMatchObject({
      code: 'unknown-core',
    })
  })
})

test('an unknown agent can do nothing', async () => {
  const runtime = runtimeWith()
  const unknown = { code: 'unknown-agent' }
  await expect(runtime.openSession({ agent: 'main' })).rejects.toMatchObject(
    unknown,
  )
  await expect(runtime.unregister('main')).rejects.toMatchObject(unknown)
  expect(runtime.session('main')).toBeUndefined()
})
