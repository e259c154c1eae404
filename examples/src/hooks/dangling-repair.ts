// A hook cuts a conversation so that a call loses its result; it gets another.
import assert from 'node:assert/strict'
import { defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { defineHook, transform } from 'hookline'
import { llmPreCall } from 'hookline/lifecycle'

const look = defineTool({
  name: 'look',
  description: 'Looks at a file.',
  input: { type: 'object' },
  safety: 'read_only',
  execute: async () => 'A long text.',
})
const cutter = defineHook({
  name: 'cutter',
  on: llmPreCall,
  priority: 50,
  writes: true,
  run: ({ request }) =>
    transform({
      ...request,
      messages: request.messages.filter(({ role }) => role !== 'tool'),
    }),
})
const model = scriptedModel([{ calls: [{ tool: 'look' }] }, { text: 'Done.' }])

// #region dangling-repair
import { createAgent } from '@hookline/agent'
import { danglingRepair } from '@hookline/agent/hooks'

const agent = createAgent({
  model,
  tools: [look],
  hooks: [cutter], // which forgets that results belong to calls
  plugins: [danglingRepair({})],
})
// #endregion

const { status } = await agent.run('Look.').result
const last = model.requests.at(-1)?.messages.at(-1)
assert.equal(last?.role, 'tool')
assert.match(JSON.stringify(last), /its result was lost/)
console.log(`${status}: the model was told that the result was lost`)
await agent.close()
