import assert from 'node:assert/strict'
import { createAgent, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { describeEvent } from './support/describe-event.ts'

const model = scriptedModel([
  {
    calls: [
      { tool: 'read', args: { path: 'notes.txt' } },
      { tool: 'write', args: { path: '/etc/motd', text: 'Hello' } },
      { tool: 'write', args: { path: '.env', text: 'KEY=1' } },
    ],
  },
  { text: 'Written where you wanted it.', chunks: 1 },
])

const path = { type: 'string' }
const text = { type: 'string' }
const written: unknown[] = []

const read = defineTool({
  name: 'read',
  description: 'Reads a file.',
  input: { type: 'object', properties: { path }, required: ['path'] },
  safety: 'read_only',
  execute: () => 'Buy milk.',
})

const write = defineTool({
  name: 'write',
  description: 'Writes a file.',
  input: {
    type: 'object',
    properties: { path, text },
    required: ['path', 'text'],
  },
  safety: 'mutating',
  execute({ path }) {
    written.push(path)
    return 'done'
  },
})

// #region agent-approval
import { createMemoryApprovals, createPolicy } from '@hookline/agent'

const policy = createPolicy({
  mode: 'ask-writes',
  rules: [
    {
      tool: 'write',
      args: { path: '*.env' },
      decision: 'deny',
      reason: 'Secrets are written by people.',
    },
  ],
})

// Stands for a person: they change where the file goes, then agree.
const approvals = createMemoryApprovals({
  onQuestion({ question: { id, call } }) {
    const isHome = call.args['path'] === 'home/motd'
    approvals.answer(
      id,
      isHome
        ? { type: 'allow' }
        : { type: 'edit', args: { ...call.args, path: 'home/motd' } },
      'ann',
    )
  },
})

const agent = createAgent({ model, tools: [read, write], policy, approvals })
// #endregion

for await (const event of agent.run('Leave a greeting.')) {
  console.log(describeEvent(event))
}

// The file was written where the person wanted it, and the model is told so:
// what it asked for is not what its history shows.
assert.deepEqual(written, ['home/motd'])
const asked = model.requests[1]?.messages.at(-2)
assert.match(JSON.stringify(asked), /home\/motd/)
assert.doesNotMatch(JSON.stringify(asked), /etc/)
await agent.close()
