// The window fills: the model is warned in time, and a summary knows what to keep.
import assert from 'node:assert/strict'
import { scriptedModel } from '@hookline/agent/testing'

const model = scriptedModel((_, call) => ({
  text: call === 4 ? 'The invoice is 4711.' : 'Yes.',
  usage: { inputTokens: 3_000 + call * 1_000, outputTokens: 10 },
}))

// #region compaction-hint
import { createAgent } from '@hookline/agent'
import { compactionHint } from '@hookline/agent/hooks'

const agent = createAgent({
  model,
  plugins: [
    compactionHint({
      keep: ['Numbers of invoices, with what was decided about each.'],
      warnAt: 0.5,
      contextTokens: 10_000,
    }),
  ],
})
// #endregion

const session = await agent.openSession()
for (const input of ['Invoice 4711?', 'Paid?', 'Sure?']) {
  await session.send(input).result
}
const warned = model.requests.map(({ messages }) => {
  return JSON.stringify(messages).includes('of what you can take')
})
assert.deepEqual(warned, [false, false, true])
assert.equal(await session.compact({ keepMessages: 2 }), 'done')
assert.match(JSON.stringify(model.requests[3]), /Be sure to keep/)
console.log(`warned at the third call: ${warned}`)
await agent.close()
