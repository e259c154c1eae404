// A skill is a folder with a SKILL.md: listed in the prompt, read when it is
// needed. While one is in use, `allowed-tools` narrows what the turn may call.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { createPolicy, createRuntime, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const folder = fileURLToPath(new URL('../skills', import.meta.url))
const tool = (name: string) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    input: { type: 'object' },
    safety: 'read_only',
    execute: () => `${name} ran`,
  })
const model = scriptedModel([
  { calls: [{ tool: 'skill', args: { name: 'release-notes' } }] },
  { calls: [{ tool: 'git_log' }, { tool: 'publish' }] },
  { text: 'Here they are.' },
])

// #region skills
import { createSkillsPlugin } from '@hookline/agent/plugins'

const runtime = createRuntime({
  models: { resolve: () => model },
  policy: createPolicy({ mode: 'open' }),
  tools: [tool('git_log'), tool('publish')],
  plugins: [createSkillsPlugin({ roots: [folder], watch: false })],
})
await runtime.register({
  name: 'writer',
  model: 'demo',
  instructions: 'You write for people in a hurry.',
  plugins: { skills: {} }, // without this, the agent has none
})
// #endregion

const session = await runtime.openSession({ agent: 'writer' })
const { status } = await session.send('Write the release notes.').result
await runtime.close()

assert.equal(status, 'succeeded')
const [first, second, third] = model.requests.map((one) => JSON.stringify(one))
assert.match(first ?? '', /How this project writes release notes/)
assert.doesNotMatch(first ?? '', /no names of people/)
assert.match(second ?? '', /no names of people/)
assert.match(third ?? '', /git_log ran/)
assert.doesNotMatch(third ?? '', /publish ran/)
console.log('read when needed; "publish" was not allowed meanwhile')
