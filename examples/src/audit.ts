// Who did what: a line for every call that ended and every turn, written by
// hooks that nobody waits for.
import assert from 'node:assert/strict'
import { createAgent, createPolicy, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const lines: string[] = []
const append = (line: string) => void lines.push(line)

// #region audit
import { defineHook } from 'hookline'
import { toolPostCall, turnPostTurn } from 'hookline/lifecycle'

const calls = defineHook({
  name: 'audit:calls',
  on: toolPostCall,
  execution: 'record', // starts when all is decided, and delays nobody
  run({ call, status, elapsedMs }, { scope: { sessionId, agent }, decision }) {
    const { id, tool } = call
    const by = decision.type === 'proceed' ? undefined : decision.by
    append(
      JSON.stringify({ sessionId, agent, id, tool, status, elapsedMs, by }),
    )
  },
})

const turns = defineHook({
  name: 'audit:turns',
  on: turnPostTurn,
  execution: 'record',
  run({ status, summary: { model, usage } }, { scope: { sessionId, agent } }) {
    append(JSON.stringify({ sessionId, agent, status, model, usage }))
  },
})
// #endregion

const remove = defineTool({
  name: 'remove',
  description: 'Removes a file.',
  input: { type: 'object', properties: { path: { type: 'string' } } },
  safety: 'destructive',
  execute: () => 'done',
})
const agent = createAgent({
  model: scriptedModel([
    { calls: [{ tool: 'remove', args: { path: 'a' } }] },
    { text: 'Removed.' },
  ]),
  tools: [remove],
  policy: createPolicy({ mode: 'read-only' }),
  hooks: [calls, turns],
})
await agent.run('Remove a.').result
await agent.close()

console.log(lines.join('\n'))
const [call, turn] = lines.map((line) => JSON.parse(line))
assert.equal(call.tool, 'remove')
assert.equal(call.status, 'denied') // by the policy, and still on record
assert.equal(turn.status, 'succeeded')
