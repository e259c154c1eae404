// Twelve long results; the model sees the latest whole, and the old ones short.
import assert from 'node:assert/strict'
import { defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const read = defineTool({
  name: 'read',
  description: 'Reads a page.',
  input: { type: 'object' },
  safety: 'read_only',
  execute: async ({ page }) => `Page ${Number(page)}: ${'text '.repeat(200)}`,
})
const model = scriptedModel((_, call) =>
  call <= 12
    ? { calls: [{ tool: 'read', args: { page: call } }] }
    : { text: 'I have read it.' },
)

// #region context-editor
import { createAgent } from '@hookline/agent'
import { contextEditor } from '@hookline/agent/hooks'

const agent = createAgent({
  model,
  tools: [read],
  plugins: [
    contextEditor({ contextTokens: 4_000, keepLatest: 3, keepChars: 40 }),
  ],
})
// #endregion

await agent.run('Read the book.').result
const sizes = model.requests.map(({ messages }) => {
  return JSON.stringify(messages).length
})
const largest = Math.max(...sizes)
assert.ok(largest < 12_000, `${largest} characters`)
const last = JSON.stringify(model.requests.at(-1)?.messages)
assert.match(last, /Page 1:.{0,60}characters of this result were left out/)
assert.ok(last.includes(`Page 12: ${'text '.repeat(200)}`))
console.log(`at most ${largest} characters instead of 15 000`)
await agent.close()
