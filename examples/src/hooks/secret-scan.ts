// A key that a tool gives back does not reach the model, and none goes out.
import assert from 'node:assert/strict'
import { createAgent, defineTool } from '@hookline/agent'
import { secretScan } from '@hookline/agent/hooks'
import { scriptedModel } from '@hookline/agent/testing'

// Made up, and in two pieces, so that nothing here has the shape of a key.
const key = ['ghp', 'a1B2c3D4e5F6g7H8i9j0K1l2M3n4O5p6Q7r8'].join('_')

const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a file.',
  input: { type: 'object' },
  safety: 'read_only',
  execute: async () => `GITHUB=${key}\nREGION=eu-west-1`,
})

const model = scriptedModel([
  { calls: [{ tool: 'read_file', args: { path: '.env' } }] },
  { text: `The file has a key, ${key}, and a region.`, chunks: 24 },
])

// #region secret-scan
const agent = createAgent({
  model,
  tools: [readFile],
  plugins: [secretScan({ action: 'redact', names: ['door-code'] })],
})
// #endregion

const turn = agent.run('What is in .env?')
const said: string[] = []
for await (const event of turn) {
  if (event.type === 'text-delta') said.push(event.text)
}
await agent.close()

const asked = JSON.stringify(model.requests)
assert.ok(asked.includes('GITHUB=[secret:github]'))
assert.ok(asked.includes('REGION=eu-west-1'))
assert.ok(!asked.includes(key))
assert.equal(
  said.join(''),
  'The file has a key, [secret:github], and a region.',
)
console.log(said.join(''))
