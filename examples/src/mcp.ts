// The tools of an MCP server, which is a process of its own. They pass the
// same points as all others.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { createPolicy, createRuntime } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { defineHook, reject } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'

const { resolve } = createRequire(import.meta.url)
const program = resolve('@modelcontextprotocol/server-everything/dist/index.js')
const model = scriptedModel([
  {
    calls: [
      { tool: 'mcp__all__echo', args: { message: 'hello' } },
      { tool: 'mcp__all__get-env' },
    ],
  },
  { text: 'It echoes.' },
])

// #region mcp
import { createMcpPlugin } from '@hookline/agent/plugins'

const servers = createMcpPlugin({
  servers: {
    all: {
      command: process.execPath,
      args: [program, 'stdio'],
      isTrusted: true,
    },
  },
})

const noEnvironment = defineHook({
  name: 'no-environment',
  on: toolGuard,
  match: { tool: 'mcp__*env*' },
  run: () => reject('The environment is nobody else’s business.'),
})

const runtime = createRuntime({
  models: { resolve: () => model },
  policy: createPolicy({ mode: 'open' }),
  plugins: [servers],
  hooks: [noEnvironment],
})
await runtime.register({
  name: 'main',
  model: 'demo',
  instructions: '',
  plugins: { mcp: { servers: ['all'] } }, // which of them this agent has
})
// #endregion

const session = await runtime.openSession({ agent: 'main' })
await session.send('Say hello.').result
await runtime.close()

const told = JSON.stringify(model.requests.at(-1)?.messages.at(-1))
console.log(told)
assert.match(told, /Echo: hello/)
assert.match(told, /nobody else’s business/)
