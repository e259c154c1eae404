// No more than so many calls, however many a model asks for at once.
import assert from 'node:assert/strict'
import { createAgent, defineTool } from '@hookline/agent'
import { callLimit } from '@hookline/agent/hooks'
import { scriptedModel } from '@hookline/agent/testing'

let searches = 0
const search = defineTool({
  name: 'search',
  description: 'Searches.',
  input: { type: 'object' },
  safety: 'read_only',
  execute: () => {
    searches++
    return 'nothing'
  },
})
const call = { tool: 'search', args: {} }
const model = scriptedModel([
  { calls: [call, call, call] },
  { text: 'I found nothing.' },
])

// #region call-limit
const agent = createAgent({
  model,
  tools: [search],
  plugins: [callLimit({ toolCalls: 20, tools: { search: 2 } })],
})
// #endregion

const { text } = await agent.run('Look for it.').result
assert.equal(searches, 2)
console.log(`${text} (${searches} of 3 searches were made)`)
await agent.close()
