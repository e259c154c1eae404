// A turn that may work for a while, and a tool that would take longer.
import assert from 'node:assert/strict'
// #region timeout-budget
import { createAgent, defineTool } from '@hookline/agent'
import { timeoutBudget } from '@hookline/agent/hooks'
import { scriptedModel } from '@hookline/agent/testing'

const limits = timeoutBudget({ turnMs: 100, sessionMs: 600_000 })

// #endregion
const build = defineTool({
  name: 'build',
  description: 'Builds it all.',
  input: { type: 'object' },
  safety: 'read_only',
  async execute(_, { signal }) {
    const { promise, reject } = Promise.withResolvers<string>()
    signal.addEventListener('abort', () => reject(new Error('Stopped.')))
    return await promise
  },
})
const model = scriptedModel([
  { calls: [{ tool: 'build' }] },
  { text: 'It is built.' },
])
const agent = createAgent({ model, tools: [build], plugins: [limits] })
const { reason } = await agent.run('Build it.').result
await agent.close()

console.log(reason)
assert.match(reason ?? '', /worked for 100 ms/)
assert.equal(model.requests.length, 1)
