// The model writes a list, wants to stop too early, and is reminded of it.
import assert from 'node:assert/strict'
import { scriptedModel } from '@hookline/agent/testing'

const list = (test: 'pending' | 'done') => ({
  calls: [
    {
      tool: 'todo',
      args: {
        items: [
          { text: 'Mend the parser', status: 'done' },
          { text: 'Run the tests', status: test },
        ],
      },
    },
  ],
})
const model = scriptedModel([
  list('pending'),
  { text: 'The parser is mended.' },
  list('done'),
  { text: 'The tests pass.' },
])

// #region todo
import { createAgent } from '@hookline/agent'
import { todo } from '@hookline/agent/hooks'

const agent = createAgent({
  model,
  plugins: [todo({ keepsGoing: true })],
})
// #endregion

const { text } = await agent.run('Mend the parser, and test it.').result
assert.equal(text, 'The tests pass.')
const reminded = JSON.stringify(model.requests[2]?.messages)
assert.ok(reminded.includes('These items of your list are open'))
console.log(`went on until nothing was open: ${text}`)
await agent.close()
