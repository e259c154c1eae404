import type { AgentConfig, Grant } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { definePlugin, defineTool } from '../../index.ts'
import { odd, openStage } from './fixtures/stage.ts'
import { problemOfGrant } from './grant-check.ts'
import type { McpServerConfig } from './server-config.ts'
import { safetyOf } from './tool-safety.ts'

const servers = { docs: odd(), mail: odd(), 'docs-old': odd() }
const base = { model: 'x', instructions: '' }

function serversIn(names: readonly string[]): string[] {
  const found = names.flatMap(
    (name) => /^mcp__(.+)__echo$/.exec(name)?.[1] ?? [],
  )
  return [...new Set(found)]
}

/** A tool that has another agent do something. */
const delegating = definePlugin({
  name: 'delegating',
  tools: [
    defineTool({
      name: 'pass_on',
      description: 'Passes a task on.',
      input: { type: 'object' },
      safety: 'read_only',
      async execute({ agent, task }, context) {
        // The test says which.
        const wanted = agent as unknown as string | AgentConfig
        await context.delegate({ agent: wanted, task: JSON.stringify(task) })
        return 'done'
      },
    }),
  ],
})

describe('the servers of an agent', () => {
  test.each([
    ['absent: all', undefined, ['docs', 'mail', 'docs-old']],
    ['empty: none', [], []],
    ['by name', ['mail'], ['mail']],
    ['by pattern', ['docs*'], ['docs', 'docs-old']],
    ['of no server', ['nope'], []],
  ])('%s', async (_, mcpServers, expected) => {
    const config = mcpServers === undefined ? {} : { mcpServers }
    const { tools, plugin, requests } = await openStage({ servers, config })
    expect(serversIn(await tools())).toEqual(expected)
    // None is started that nobody may use.
    const used = plugin.status().filter(({ agents }) => agents > 0)
    expect(used.map(({ server }) => server)).toEqual(expected)
    const prompt = JSON.stringify(requests[0]?.messages[0] ?? '')
    expect(prompt.includes('MCP servers: ')).toBe(
      expected.length > 0 || mcpServers !== undefined,
    )
    expect(prompt.includes('data of others')).toBe(expected.length > 0)
  })

  test('no name of a tool leads to another one', async () => {
    const config = { mcpServers: ['docs'] }
    const { call, alarms } = await openStage({ servers, config })
    for (const tool of [
      ...['mcp__mail__echo', 'mcp__docs-old__echo', 'mcp____echo'],
      ...['mcp__docs__../mail/echo', 'mcp__docs__mcp__mail__echo'],
    ]) {
      expect(await call(tool, {})).toMatchObject({ isError: true })
    }
    const listed = await call('mcp__docs__echo')
    expect(listed.isError).toBe(false)
    expect(alarms.every((one) => !one.startsWith('no-receipt'))).toBe(true)
  })

  test('nor does the name of a server in a call', async () => {
    const stage = await openStage({
      servers: { docs: odd('library'), mail: odd('library') },
      config: { mcpServers: ['docs'] },
    })
    const { call, statuses } = stage
    const uri = 'book://1'
    const own = await call('mcp_resource', { server: 'docs', uri })
    expect(own).toMatchObject({ isError: false })
    expect(own.text).toContain('a book')
    for (const tool of ['mcp_resource', 'mcp_prompt']) {
      const { isError, text } = await call(tool, { server: 'mail' })
      expect(isError).toBe(true)
      expect(text).toBe('You have no MCP server "mail". There are: docs.')
    }
    expect(statuses.map(({ server }) => server)).not.toContain('mail')
  })

  test('a tool that an allow-list leaves out does not run', async () => {
    const config = { tools: ['mcp__docs__pid'] }
    const { call, tools } = await openStage({ servers, config })
    expect(await tools()).toEqual(['mcp__docs__pid'])
    expect(await call('mcp__docs__echo')).toMatchObject({ isError: true })
    expect(await call('mcp__docs__pid')).toMatchObject({ isError: false })
  })
})

describe('a sub-agent has no server that its parent does not have', () => {
  test.each([
    ['a registered one', 'free'],
    ['one that is made for the task', { ...base, name: 'made' }],
    ['one that asks for more', { ...base, name: 'greedy', mcpServers: ['*'] }],
  ])('%s', async (_, agent) => {
    const stage = await openStage({
      servers,
      plugins: [delegating],
      config: { mcpServers: ['docs'] },
    })
    await stage.runtime.register({ ...base, name: 'free' })
    const task = {
      steps: [{ tool: 'mcp__mail__echo' }, { tool: 'mcp__docs__pid' }],
    }
    await stage.call('pass_on', { agent, task })
    const ends = stage.events.filter(({ type }) => type === 'tool-end')
    expect(ends).toMatchObject([
      { tool: 'mcp__mail__echo', result: { isError: true } },
      { tool: 'mcp__docs__pid', result: { isError: false } },
      { tool: 'pass_on' },
    ])
    const started = stage.statuses.map(({ server }) => server)
    expect(new Set(started)).toEqual(new Set(['docs']))
  })

  test('but less, where it says so', async () => {
    const { call, requests } = await openStage({
      servers,
      plugins: [delegating],
    })
    const agent = { ...base, name: 'made', mcpServers: [] }
    await call('pass_on', { agent, task: 'x' })
    // The parent's first, then the child's.
    const childs = requests[1]
    expect(JSON.stringify(childs?.messages)).not.toContain('pass_on')
    expect(serversIn(childs?.tools.map(({ name }) => name) ?? [])).toEqual([])
  })
})

describe('the grant of a call', () => {
  const grant: Grant = {
    decision: 'allow',
    sandbox: 'none',
    roots: [],
    network: 'all',
    timeoutMs: 1_000,
    maxOutputBytes: 1_000,
  }
  const local: McpServerConfig = { command: 'x' }
  const remote: McpServerConfig = { url: 'https://a.example/mcp' }

  test.each([
    ['all rights, a program', local, {}, true],
    ['a sandbox, a program', local, { sandbox: 'workspace' }, false],
    ['no network, a program', local, { network: 'none' }, false],
    [
      'some hosts, a program',
      local,
      { network: { hosts: ['a.example'] } },
      false,
    ],
    ['all network, an address', remote, { sandbox: 'read_only' }, true],
    [
      'its host, an address',
      remote,
      { network: { hosts: ['a.example'] } },
      true,
    ],
    [
      'another host',
      remote,
      { network: { hosts: ['example', 'b.a.example'] } },
      false,
    ],
    ['no network, an address', remote, { network: 'none' }, false],
    [
      'nothing, but trusted',
      { ...local, isTrusted: true },
      { network: 'none', sandbox: 'read_only' },
      true,
    ],
  ] as const)('%s', (_, config, part, isAllowed) => {
    const problem = problemOfGrant(config, { ...grant, ...part })
    expect(problem === undefined).toBe(isAllowed)
  })

  test('is kept: a program without a sandbox is not asked by a confined call', async () => {
    const { call } = await openStage({
      servers: { odd: odd('plain', { isTrusted: false }) },
    })
    const { isError, text } = await call('mcp__odd__echo')
    expect(isError).toBe(true)
    expect(text).toContain('Grant it sandbox "none" and network "all"')
  })
})

describe('what a server says of a tool never makes its class worse or, untrusted, better', () => {
  const local: McpServerConfig = { command: 'x' }
  const remote: McpServerConfig = { url: 'https://a.example' }
  const trust = { trustAnnotations: true }
  const harmless = { readOnlyHint: true, openWorldHint: false }

  test.each([
    ['default of a program', local, {}, 'destructive'],
    ['default of an address', remote, {}, 'network'],
    ['not trusted', local, harmless, 'destructive'],
    ['as set', { ...local, safety: 'mutating' }, harmless, 'mutating'],
    ['trusted: reads', { ...local, ...trust }, harmless, 'read_only'],
    [
      'trusted: reads the world',
      { ...local, ...trust },
      { readOnlyHint: true },
      'network',
    ],
    [
      'trusted: writes',
      { ...local, ...trust },
      { destructiveHint: false, openWorldHint: false },
      'mutating',
    ],
    ['trusted: says nothing', { ...local, ...trust }, {}, 'destructive'],
    [
      'worse than set',
      { ...local, safety: 'read_only', ...trust },
      { destructiveHint: true },
      'read_only',
    ],
  ] as const)('%s', (_, config, annotations, expected) => {
    expect(safetyOf(config, annotations)).toBe(expected)
  })
})
