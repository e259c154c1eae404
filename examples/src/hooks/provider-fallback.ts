// One provider is down. Another model answers, and the next call begins with it.
import assert from 'node:assert/strict'
import { createModelRegistry } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const large = scriptedModel(() => ({ error: { code: 'unavailable' } }))
const small = scriptedModel((_, call) => ({ text: `Answer ${call}.` }))
const models = createModelRegistry({
  models: { 'house/large': large, 'other/small': small },
})

// #region provider-fallback
import { createAgent } from '@hookline/agent'
import { providerFallback, retry } from '@hookline/agent/hooks'

const agent = createAgent({
  model: 'house/large',
  models,
  plugins: [
    retry({ maxAttempts: 2, baseMs: 10 }),
    providerFallback({
      models: [
        { model: 'other/tiny', cannot: ['tools', 'images'] },
        { model: 'other/small', contextTokens: 128_000 },
      ],
      stickFor: { minutes: 10 },
    }),
  ],
})
// #endregion

const image = {
  type: 'image',
  mediaType: 'image/png',
  source: { type: 'base64', data: 'iVBORw0KGgo=' },
} as const
const first = await agent.run([image]).result
const second = await agent.run('And now?').result

assert.equal(first.text, 'Answer 1.')
assert.equal(second.text, 'Answer 2.')
assert.equal(large.requests.length, 2)
console.log(`the large one was tried ${large.requests.length} times`)
console.log(`the small one said: ${first.text} ${second.text}`)
await agent.close()
