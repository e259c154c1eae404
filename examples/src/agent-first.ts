import assert from 'node:assert/strict'
import { scriptedModel } from '@hookline/agent/testing'
import { describeEvent } from './support/describe-event.ts'

// Says what it is told to. With a provider it would be a name instead, such as
// `anthropic/…`.
const model = scriptedModel([
  {
    text: 'I look first.',
    chunks: 1,
    calls: [
      { tool: 'shell', args: { command: 'git log -1' } },
      { tool: 'shell', args: { command: 'git push --force' } },
    ],
  },
  { text: 'I may not force-push. The last commit is a fix.', chunks: 1 },
])

// #region agent-first
import { createAgent, createPolicy, defineTool } from '@hookline/agent'
import { defineHook, reject } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'

const shell = defineTool({
  name: 'shell',
  description: 'Runs a command in the workspace.',
  input: {
    type: 'object',
    properties: { command: { type: 'string' } },
    required: ['command'],
  },
  safety: 'mutating',
  execute: ({ command = '' }) => ({ ran: command }),
})

const noForcePush = defineHook({
  name: 'no-force-push',
  on: toolGuard,
  match: { tool: 'shell', args: { command: '*push --force*' } },
  run: () => reject('Force-pushing is not allowed in this workspace.'),
})

const agent = createAgent({
  model,
  tools: [shell],
  hooks: [noForcePush],
  policy: createPolicy({ mode: 'open' }),
})

for await (const event of agent.run('What changed last? Then publish it.')) {
  console.log(describeEvent(event))
}
// #endregion

const [, second] = model.requests
const results = second?.messages.at(-1)
assert.equal(results?.role, 'tool')
assert.deepEqual(
  results.content.map(({ callId, isError }) => [callId, isError]),
  [
    ['call-1', false],
    ['call-2', true],
  ],
)
await agent.close()
