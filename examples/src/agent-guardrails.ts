import assert from 'node:assert/strict'
// #region agent-guardrails
import { defineHook, keepGoing, proceed, reject, transform } from 'hookline'
import { turnInput, turnOutput, turnStop } from 'hookline/lifecycle'

const maskCards = defineHook({
  name: 'mask-cards',
  on: turnInput,
  writes: true,
  run: ({ content }) =>
    transform(
      content.map((block) =>
        block.type === 'text'
          ? { ...block, text: block.text.replace(/\d{16}/g, '[card]') }
          : block,
      ),
    ),
})

const saysSource = defineHook({
  name: 'says-source',
  on: turnStop,
  run: ({ reply }) =>
    JSON.stringify(reply).includes('Source:')
      ? proceed
      : keepGoing('Name the source of what you said.'),
})

const noPrices = defineHook({
  name: 'no-prices',
  on: turnOutput,
  // The text streams, sentence by sentence, while this has not answered yet.
  holdBack: 'sentence',
  run: ({ reply }) =>
    /\$\d/.test(JSON.stringify(reply))
      ? reject('Prices are quoted by people.')
      : proceed,
})

// #endregion

import { createAgent } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { describeEvent } from './support/describe-event.ts'

const model = scriptedModel([
  { text: 'The card was charged twice.', chunks: 1 },
  { text: 'It was charged twice. Source: the ledger.', chunks: 3 },
  { text: 'Source: the list. It costs $20 a month.', chunks: 3 },
])
const hooks = [maskCards, saysSource, noPrices]
const agent = createAgent({ model, hooks })

const questions = [
  'Why was 4111111111111111 charged twice?',
  'What is the fee?',
]
for (const question of questions) {
  for await (const event of agent.run(question)) {
    console.log(describeEvent(event))
  }
  console.log()
}

const asked = JSON.stringify(model.requests)
assert.match(asked, /\[card\]/)
assert.doesNotMatch(asked, /4111/)
// Later turns know that something was withheld, and not what.
const { text, status } = await createAgent({
  model: scriptedModel([{ text: 'It costs $20. Source: me.' }]),
  hooks,
}).run('What is the fee?').result
assert.equal(status, 'withheld')
assert.equal(text, '[withheld: Prices are quoted by people.]')
await agent.close()
