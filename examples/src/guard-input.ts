// What a user says is judged as it will enter the conversation.
import assert from 'node:assert/strict'
import { createAgent } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

// #region guard-input
import { defineHook, proceed, reject } from 'hookline'
import { turnPreTurn } from 'hookline/lifecycle'

const noMedicine = defineHook({
  name: 'no-medicine',
  on: turnPreTurn,
  run({ content }) {
    const isAbout = content.some(
      (block) => block.type === 'text' && /\bdos(e|age)\b/i.test(block.text),
    )
    return isAbout ? reject('Ask a doctor about medicine.') : proceed
  },
})
// #endregion

const model = scriptedModel([{ text: 'At nine.' }])
const agent = createAgent({ model, hooks: [noMedicine] })
const refused = await agent.run('Which dose may I take?').result
const answered = await agent.run('When do you open?').result
await agent.close()

console.log(`${refused.status}: ${refused.reason}`)
assert.equal(refused.status, 'rejected')
assert.equal(answered.text, 'At nine.')
// The model never saw the first one, not even later.
assert.equal(model.requests.length, 1)
assert.doesNotMatch(JSON.stringify(model.requests), /dose/)
