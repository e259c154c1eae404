// A reply is judged before its tools run and before a word of it is released.
import assert from 'node:assert/strict'
import { createAgent, createPolicy, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

// #region guard-output
import { defineHook, proceed, reject } from 'hookline'
import { llmPostCall } from 'hookline/lifecycle'

const noKeys = defineHook({
  name: 'no-keys',
  on: llmPostCall,
  match: { type: 'response' },
  run: ({ response }) =>
    /\bsk-\w{8,}/.test(JSON.stringify(response?.content))
      ? reject('There is a key in it.')
      : proceed,
})
// #endregion

let posts = 0
const post = defineTool({
  name: 'post',
  description: 'Posts a text.',
  input: { type: 'object', properties: { text: { type: 'string' } } },
  safety: 'network',
  execute: () => `posted ${++posts}`,
})
const agent = createAgent({
  model: scriptedModel([
    {
      text: 'I post the key sk-abcdefgh1234.',
      calls: [{ tool: 'post', args: { text: 'sk-abcdefgh1234' } }],
    },
  ]),
  tools: [post],
  policy: createPolicy({ mode: 'open' }),
  hooks: [noKeys],
})
const seen: string[] = []
const turn = agent.run('Post the key.')
for await (const event of turn) seen.push(JSON.stringify(event))
const { status, text } = await turn.result
await agent.close()

console.log(`${status}: ${text}`)
assert.equal(status, 'withheld')
assert.equal(posts, 0)
assert.doesNotMatch(seen.join(), /sk-abc/)
