// Personal data becomes marks before a model reads it: equal values, equal marks.
import assert from 'node:assert/strict'
import { createAgent, defineTool } from '@hookline/agent'
import { piiRedact } from '@hookline/agent/hooks'
import { scriptedModel } from '@hookline/agent/testing'

const findOrder = defineTool({
  name: 'find_order',
  description: 'Finds an order.',
  input: { type: 'object' },
  safety: 'read_only',
  execute: async () => 'Order 7 of anna.keller@example.org, from 203.0.113.7',
})

const model = scriptedModel([
  { calls: [{ tool: 'find_order', args: { id: 7 } }] },
  { text: 'Order 7 is on its way.' },
])

// #region pii-redact
const agent = createAgent({
  model,
  tools: [findOrder],
  plugins: [piiRedact({ kinds: { ip: false } })],
})
// #endregion

const { text } = await agent.run('I am anna.keller@example.org. My order?')
  .result
await agent.close()

const asked = JSON.stringify(model.requests.at(-1)?.messages)
const marks = asked.match(/\[email:[0-9a-f]{8}\]/g) ?? []
assert.equal(marks.length, 2)
assert.equal(new Set(marks).size, 1)
assert.ok(!asked.includes('anna.keller'))
assert.ok(asked.includes('203.0.113.7'))
assert.equal(text, 'Order 7 is on its way.')
console.log('Both times the model read the same mark.')
