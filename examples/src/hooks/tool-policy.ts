import assert from 'node:assert/strict'
import { createAgent, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const ran: unknown[] = []
const toolFor = (name: string) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    input: { type: 'object' },
    safety: 'read_only',
    execute(args) {
      ran.push(Object.values(args)[0])
      return 'done'
    },
  })

const fetched = [
  'https://docs.example.com/start',
  'http://2130706433/admin',
  'https://docs.example.com@evil.example/',
]
const model = scriptedModel([
  {
    calls: [
      ...fetched.map((url) => ({ tool: 'fetch', args: { url } })),
      { tool: 'shell', args: { command: 'git log --oneline | head -3' } },
      { tool: 'shell', args: { command: 'git log $(id)' } },
    ],
  },
  { text: 'Read.' },
])

// #region tool-policy
import { toolPolicy } from '@hookline/agent/hooks'

const policy = toolPolicy({
  rules: [
    {
      decision: 'deny',
      url: { argument: 'url', isPrivate: true },
      reason: 'Nothing in here is fetched.',
    },
    {
      decision: 'allow',
      tools: ['fetch'],
      url: { argument: 'url', schemes: ['https'], hosts: ['example.com'] },
    },
    {
      decision: 'allow',
      tools: ['shell'],
      command: { is: ['git log *', 'git diff *', 'head *'] },
    },
    {
      decision: 'allow',
      tools: ['read'],
      path: { argument: 'path', within: ['.'] },
    },
  ],
  otherwise: 'deny',
})
// #endregion

const tools = [toolFor('fetch'), toolFor('shell')]
const agent = createAgent({ model, tools, plugins: [policy] })
await agent.run('Read the docs.').result
await agent.close()
const allowed = [
  'git log --oneline | head -3',
  'https://docs.example.com/start',
]
assert.deepEqual(new Set(ran), new Set(allowed))
console.log(`Allowed: ${ran.join(', ')}`)
