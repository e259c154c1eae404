// What a session may spend, with all that work for it.
import assert from 'node:assert/strict'
// #region budget
import { createAgent } from '@hookline/agent'
import { budget } from '@hookline/agent/hooks'
import { scriptedModel } from '@hookline/agent/testing'

const limits = budget({
  session: { tokens: 3_000, cost: 0.05 },
  day: { cost: 2 },
  prices: { 'given/model': { input: 3, output: 15 } },
})

// #endregion
const usage = { inputTokens: 900, outputTokens: 400 }
const model = scriptedModel(
  Array.from({ length: 3 }, () => ({ text: 'A long answer.', usage })),
)
const agent = createAgent({ model, plugins: [limits] })
const statuses: string[] = []
for (const question of ['One?', 'Two?', 'Three?', 'Four?']) {
  const { status, reason = '' } = await agent.run(question).result
  statuses.push(status)
  console.log(`${question} ${status} ${reason}`.trim())
}
await agent.close()

assert.deepEqual(statuses.slice(0, 3), Array(3).fill('succeeded'))
assert.equal(statuses[3], 'rejected')
const most = model.requests.map(({ settings }) => settings.maxOutputTokens ?? 0)
// Each call may give no more than is left.
assert.ok((most[0] ?? 0) > (most[1] ?? 0) && (most[1] ?? 0) > (most[2] ?? 0))
