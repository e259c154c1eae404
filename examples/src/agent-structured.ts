import assert from 'node:assert/strict'
import { createAgent } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const model = scriptedModel([
  { text: 'It is about 21 degrees.' },
  { text: '{ "city": "Lisbon", "celsius": 21 }' },
])

// #region agent-structured
const agent = createAgent({ model })
const { value, status } = await agent.run('How warm is it in Lisbon?', {
  output: {
    type: 'object',
    properties: { city: { type: 'string' }, celsius: { type: 'number' } },
    required: ['city', 'celsius'],
    additionalProperties: false,
  },
}).result
// #endregion

console.log(status, value)
assert.deepEqual(value, { city: 'Lisbon', celsius: 21 })
// The first reply was no such value, and the model was told so.
assert.equal(model.requests.length, 2)
assert.match(JSON.stringify(model.requests[1]?.messages), /JSON/)
await agent.close()
