import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileTable } from 'hookline'
import type { AgentConfig } from 'hookline/lifecycle'
import { expect, onTestFinished, test } from 'vitest'
import { defineHooks } from './define-hooks.ts'
import { exampleOptions } from './hooks/fixtures/example-options.ts'
import { shippedHooks } from './hooks.ts'
import {
  createRuntime,
  createTransientMemories,
  definePlugin,
  type Plugin,
} from './index.ts'
import { odd } from './plugins/mcp/fixtures/stage.ts'
import {
  createAskUserPlugin,
  createDelegatePlugin,
  createMcpPlugin,
  createMemoryPlugin,
  createOsPlugin,
  createSkillsPlugin,
  UserQuestions,
} from './plugins.ts'
import { scriptedModel } from './testing/index.ts'

/** All that ship, each as anybody would make one; none of it is started yet. */
async function shipped(): Promise<readonly Plugin[]> {
  const made = await mkdtemp(
    join(await realpath(tmpdir()), 'hookline-plugins-'),
  )
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  await mkdir(join(made, 'bake'))
  const skill = '---\nname: bake\ndescription: How to bake.\n---\nBake it.'
  await writeFile(join(made, 'bake', 'SKILL.md'), skill)
  return [
    createOsPlugin(),
    createSkillsPlugin({ roots: [made], watch: false }),
    createMemoryPlugin({ memories: createTransientMemories() }),
    createMcpPlugin({ servers: { docs: odd() } }),
    createDelegatePlugin(),
    createAskUserPlugin({ questions: new UserQuestions() }),
  ]
}

/** What an agent is told and offered with these plugins, and whose it is. */
async function offered(
  plugins: readonly Plugin[],
  config: Partial<AgentConfig> = {},
) {
  const model = scriptedModel([{ text: 'Done.' }])
  const models = { resolve: () => model }
  const runtime = createRuntime({ models, plugins, environment: '' })
  onTestFinished(() => runtime.close())
  const base = { name: 'main', model: 'a', instructions: '' }
  await runtime.register({ ...base, plugins: { memory: {} }, ...config })
  const session = await runtime.openSession({ agent: 'main' })
  await session.send('Hi.').result
  const [request] = model.requests
  return {
    tools: request?.tools.map(({ name }) => name) ?? [],
    prompt: JSON.stringify(request?.messages[0] ?? ''),
    owners: new Set(runtime.toolsOf('main').map(({ owner }) => owner)),
  }
}

/** A tool of each, in the order above. */
const oneOfEach = [
  ...['read', 'skill', 'recall', 'mcp__docs__echo', 'delegate', 'ask_user'],
]

test('files, skills, memory, MCP, delegation and questions are plugins like any other', async () => {
  const plugins = await shipped()
  const { tools, owners } = await offered(plugins)
  expect(tools).toEqual(expect.arrayContaining(oneOfEach))
  // No tool is there that is not the plugin's own.
  const names = plugins.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([...owners]))
  // What they have is all that a plugin can have, so that anybody's could be one.
  for (const plugin of plugins) {
    expect(definePlugin(plugin).hooks).toEqual(plugin.hooks ?? [])
  }
})

test.each(oneOfEach.map((name, index) => [name, index] as const))(
  'without the plugin that owns it there is no %s, and all others are as they were',
  async (name, index) => {
    const { tools } = await offered((await shipped()).toSpliced(index, 1))
    const others = oneOfEach.filter((one) => one !== name)
    expect(tools).toEqual(expect.arrayContaining(others))
    expect(tools).not.toContain(name)
  },
)

test('an agent that is confined has of all of them what it may use, and is told so', async () => {
  const config = { tools: ['read', 'mcp__docs__*'], skills: [] }
  const { tools, prompt } = await offered(await shipped(), config)
  const kept = tools.filter((name) => !name.startsWith('mcp__docs__'))
  expect(kept).toEqual(['read'])
  expect(tools).toContain('mcp__docs__echo')
  expect(prompt).toContain('<scope>\\ntools: read, mcp__docs__*\\nskills: none')
})

test('with each hook that ships, and with all of them, they fit into one table', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-plugins-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const plugins = await shipped()
  const uses = shippedHooks.map((spec) =>
    defineHooks(spec)(exampleOptions[spec.name]?.(folder) ?? {}),
  )
  const compile = (...all: readonly Plugin[]) =>
    compileTable(all.flatMap(({ hooks = [] }) => hooks))
  for (const use of uses) {
    expect(() => compile(...plugins, use), use.name).not.toThrow()
  }
  expect(() => compile(...plugins, ...uses)).not.toThrow()
})
