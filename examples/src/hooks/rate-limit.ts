// No more than so many searches a minute.
import assert from 'node:assert/strict'
// #region rate-limit
import { createAgent, defineTool } from '@hookline/agent'
import { rateLimit } from '@hookline/agent/hooks'
import { scriptedModel } from '@hookline/agent/testing'

const limits = rateLimit({
  rules: [
    { of: 'tools', names: ['search*'], calls: 2, perMs: 60_000 },
    { of: 'models', calls: 100, perMs: 60_000, per: 'actor', waitMs: 5_000 },
  ],
})

// #endregion
const search = defineTool({
  name: 'search_web',
  description: 'Searches.',
  input: { type: 'object', properties: { words: { type: 'string' } } },
  safety: 'read_only',
  execute: ({ words }) => `Nothing about ${JSON.stringify(words)}.`,
})
const calls = ['a', 'b', 'c'].map((words) => {
  return { tool: 'search_web', args: { words } }
})
const model = scriptedModel([{ calls }, { text: 'Nothing there.' }])
const agent = createAgent({ model, tools: [search], plugins: [limits] })
const statuses: string[] = []
for await (const event of agent.run('Find something.')) {
  if (event.type === 'tool-end') statuses.push(event.status)
}
await agent.close()

console.log(statuses.join(', '))
assert.deepEqual(statuses.toSorted(), ['denied', 'executed', 'executed'])
