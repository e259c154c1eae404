import assert from 'node:assert/strict'
import { createAgent, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const model = scriptedModel([
  {
    calls: [
      { tool: 'search', args: { query: 'rust', limit: 5000 } },
      { tool: 'read', args: { path: '../../etc/passwd' } },
    ],
  },
  { text: 'Done.' },
])
const ran: unknown[] = []
const tools = ['search', 'read'].map((name) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    input: { type: 'object' },
    safety: 'read_only',
    execute(args) {
      ran.push(args)
      return 'done'
    },
  }),
)

// #region args-rewrite
import { argsRewrite } from '@hookline/agent/hooks'

const tame = argsRewrite({
  rules: [
    { tools: ['search'], at: 'limit', clamp: { min: 1, max: 50 } },
    { tools: ['search'], at: 'region', default: 'eu' },
    { tools: ['read', 'write'], at: 'path', under: 'workspace' },
  ],
})
const agent = createAgent({ model, tools, plugins: [tame] })
// #endregion

await agent.run('Search and read.').result
assert.deepEqual(ran, [
  { query: 'rust', limit: 50, region: 'eu' },
  { path: 'workspace/etc/passwd' },
])
console.log('ran with', JSON.stringify(ran))
await agent.close()
