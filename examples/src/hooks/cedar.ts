import assert from 'node:assert/strict'
import { createAgent, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const model = scriptedModel([
  {
    calls: [
      { tool: 'read', args: { path: 'notes.txt' } },
      { tool: 'read', args: { path: '.env' } },
    ],
  },
  { text: 'Done.' },
])
const readPaths: unknown[] = []
const read = defineTool({
  name: 'read',
  description: 'Reads a file.',
  input: { type: 'object', properties: { path: { type: 'string' } } },
  safety: 'read_only',
  execute({ path }) {
    readPaths.push(path)
    return 'Buy milk.'
  },
})

// #region cedar
import { cedar } from '@hookline/agent/hooks'

const policies = cedar({
  policies: `
    permit (principal, action == Action::"call", resource)
    when { resource.safety == "read_only" };

    forbid (principal, action, resource == Tool::"read")
    when { context.args has path && context.args.path like "*.env" };
  `,
})
const agent = createAgent({ model, tools: [read], plugins: [policies] })
// #endregion

await agent.run('Read them.').result
assert.deepEqual(readPaths, ['notes.txt'])
console.log('read:', readPaths.join(', '))
await agent.close()
