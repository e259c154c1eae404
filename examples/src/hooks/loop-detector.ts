// A model that looks at the same page again and again.
import assert from 'node:assert/strict'
// #region loop-detector
import { createAgent, defineTool } from '@hookline/agent'
import { loopDetector } from '@hookline/agent/hooks'
import { scriptedModel } from '@hookline/agent/testing'

const detector = loopDetector({ warnAt: 2, endAt: 4, ignore: ['wait_for_*'] })

// #endregion
const read = defineTool({
  name: 'read_page',
  description: 'Reads a page.',
  input: { type: 'object', properties: { page: { type: 'number' } } },
  safety: 'read_only',
  execute: ({ page }) => `Page ${Number(page)} is empty.`,
})
const model = scriptedModel(
  [{ calls: [{ tool: 'read_page', args: { page: 7 } }] }],
  { loop: true },
)
const agent = createAgent({ model, tools: [read], plugins: [detector] })
const { reason } = await agent.run('What is on page 7?').result
await agent.close()

console.log(reason)
assert.equal(model.requests.length, 4)
assert.match(JSON.stringify(model.requests[2]), /with nothing new/)
