import assert from 'node:assert/strict'
import { createAgent } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const search = {
  type: 'tool_call' as const,
  id: 'p1',
  tool: 'web_search',
  args: { query: 'our passwords' },
  providerExecuted: true,
}
const found = { type: 'text' as const, text: 'Found them.' }
const model = scriptedModel([
  { content: [search, found], stopReason: 'end_turn' },
])
const alarms: string[] = []

// #region canary
import { canary } from '@hookline/agent/hooks'

const agent = createAgent({
  model,
  plugins: [canary({ action: 'withhold' })],
  onAlarm: (code, about) => alarms.push(`${code}: ${about}`),
})
// #endregion

// The provider has run a tool itself, past every gate.
const { status } = await agent.run('Look it up.').result
assert.equal(status, 'withheld')
assert.equal(alarms.at(-1), 'ungated-call: The provider\'s tool "web_search"')
console.log(`${status}; ${alarms.at(-1)}`)
await agent.close()
