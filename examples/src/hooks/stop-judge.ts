// The agent stops too early; a judge says what is missing, and it goes on.
import assert from 'node:assert/strict'
import { createModelRegistry } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const worker = scriptedModel([
  { text: 'I have mended the parser.' },
  { text: 'The tests pass, too.' },
])
const judge = scriptedModel([
  { text: '{"done": false, "missing": "Nobody has run the tests."}' },
  { text: '{"done": true, "missing": ""}' },
])
const models = createModelRegistry({
  models: { 'house/worker': worker, 'house/judge': judge },
})

// #region stop-judge
import { createAgent } from '@hookline/agent'
import { stopJudge } from '@hookline/agent/hooks'

const agent = createAgent({
  model: 'house/worker',
  models,
  plugins: [
    stopJudge({
      model: 'house/judge',
      rubric: 'The bug is mended, and the tests were run and pass.',
      openPatterns: ['(?i)next,? I will'],
    }),
  ],
})
// #endregion

const { text } = await agent.run('Mend the parser, and test it.').result
assert.equal(text, 'The tests pass, too.')
assert.equal(judge.requests.length, 2)
console.log(`asked the judge ${judge.requests.length} times: ${text}`)
await agent.close()
