import assert from 'node:assert/strict'
import { createAgent } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const model = scriptedModel([
  { text: 'Sure. The plan costs $20 a month.' },
  { text: '{"verdict":"allow","reason":"No advice."}' },
  { text: 'Buy their shares now.' },
  { text: '{"verdict":"refuse","reason":"Advice on shares."}' },
])

// #region output-guardrail
import { outputGuardrail } from '@hookline/agent/hooks'

const redactPrices = outputGuardrail(
  { patterns: { price: '\\$\\d+' }, action: 'redact', replacement: '[price]' },
  { name: 'redact-prices' },
)
const noAdvice = outputGuardrail({
  judge: { model: 'given/model', policy: 'Advice to buy or sell shares.' },
  message: 'Advice on shares is given by people.',
})
const agent = createAgent({ model, plugins: [redactPrices, noAdvice] })
// #endregion

const seen: string[] = []
for (const question of ['What is the fee?', 'What shall I buy?']) {
  const turn = agent.run(question)
  for await (const event of turn) {
    if (event.type === 'text-delta') seen.push(event.text)
  }
  const { status, text } = await turn.result
  console.log(`${status}: ${text}`)
}
const all = seen.join('')
assert.match(all, /costs \[price\] a month/)
assert.doesNotMatch(all, /\$20|Buy/)
await agent.close()
