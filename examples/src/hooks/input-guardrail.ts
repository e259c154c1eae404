import assert from 'node:assert/strict'
import { createAgent } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const model = scriptedModel([{ text: 'It rains in Ulm.' }])

// #region input-guardrail
import { inputGuardrail } from '@hookline/agent/hooks'

const guardrail = inputGuardrail({
  patterns: { 'card number': '\\b(?:\\d[ -]?){15,18}\\d\\b' },
  words: ['project falcon'],
  maxChars: 20_000,
  action: 'respond',
  message: 'I cannot help with that. Please write to support.',
})
const agent = createAgent({ model, plugins: [guardrail] })
// #endregion

const { text: refused } = await agent.run('My card is 4111 1111 1111 1111.')
  .result
// The same words, with a Cyrillic letter and a space that nobody sees.
const { text: disguised } = await agent.run('What is Prоject\u200b FALCON?')
  .result
const { text: allowed } = await agent.run('What is the weather in Ulm?').result

assert.match(refused, /write to support/)
assert.equal(disguised, refused)
assert.equal(allowed, 'It rains in Ulm.')
assert.equal(model.requests.length, 1)
assert.doesNotMatch(JSON.stringify(model.requests), /4111|FALCON/)
console.log('card number:', refused)
console.log('weather:', allowed)
await agent.close()
