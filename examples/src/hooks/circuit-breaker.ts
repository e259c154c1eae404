// A tool fails twice; the third call is denied at once, and the model is told.
import assert from 'node:assert/strict'
import { defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

let runs = 0
const search = defineTool({
  name: 'search',
  description: 'Searches the web.',
  input: { type: 'object' },
  safety: 'read_only',
  execute: async () => {
    runs++
    throw new Error('The search service is down.')
  },
})
const call = { calls: [{ tool: 'search', args: {} }] }
const model = scriptedModel([call, call, call, { text: 'No search today.' }])

// #region circuit-breaker
import { createAgent } from '@hookline/agent'
import { circuitBreaker } from '@hookline/agent/hooks'

const agent = createAgent({
  model,
  tools: [search],
  plugins: [circuitBreaker({ tools: ['search'], minCalls: 2, share: 0.5 })],
})
// #endregion

const { text } = await agent.run('Find it.').result
assert.equal(runs, 2)
const last = JSON.stringify(model.requests.at(-1)?.messages)
assert.match(last, /has failed too often/)
console.log(`${runs} of 3 calls were made: ${text}`)
await agent.close()
