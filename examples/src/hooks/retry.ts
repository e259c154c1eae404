// A provider is busy twice; the same model is asked again, and answers.
import assert from 'node:assert/strict'
import { scriptedModel } from '@hookline/agent/testing'

const model = scriptedModel([
  { error: { code: 'overloaded' } },
  { error: { code: 'rate_limited', retryAfterMs: 20 } },
  { text: 'Here I am.' },
])

// #region retry
import { createAgent } from '@hookline/agent'
import { retry } from '@hookline/agent/hooks'

const agent = createAgent({
  model,
  plugins: [retry({ maxAttempts: 3, baseMs: 10 })],
})
// #endregion

const { status, text } = await agent.run('Is anybody there?').result
assert.equal(status, 'succeeded')
assert.equal(model.requests.length, 3)
console.log(`${status} after ${model.requests.length} tries: ${text}`)
await agent.close()
