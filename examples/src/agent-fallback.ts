import assert from 'node:assert/strict'
import { createRuntime } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { describeEvent } from './support/describe-event.ts'

const large = scriptedModel([
  { error: { code: 'overloaded', retryAfterMs: 5 } },
  { error: { code: 'overloaded' } },
])
const small = scriptedModel([{ text: 'Here, from the small one.', chunks: 1 }])

// #region agent-fallback
import { createModelRegistry } from '@hookline/agent'
import { defineHook, proceed, respond } from 'hookline'
import { llmError } from 'hookline/lifecycle'

const fallback = defineHook({
  name: 'fallback',
  on: llmError,
  match: { isRetryable: true },
  run({ attempt, error }) {
    const afterMs = error.retryAfterMs ?? 0
    if (attempt === 1) return respond({ type: 'retry', afterMs })
    if (attempt > 2) return proceed // which gives up
    return respond({ type: 'switch_model', model: 'house/small' })
  },
})

const models = createModelRegistry({
  models: { 'house/large': large, 'house/small': small },
})
const runtime = createRuntime({ models, hooks: [fallback] })
// #endregion

await runtime.register({
  name: 'helper',
  model: 'house/large',
  instructions: 'Be brief.',
})
const session = await runtime.openSession({ agent: 'helper' })
const turn = session.send('Is anybody there?')
for await (const event of turn) console.log(describeEvent(event))

assert.equal((await turn.result).status, 'succeeded')
assert.equal(large.requests.length, 2)
assert.equal(small.requests.length, 1)
await runtime.close()
