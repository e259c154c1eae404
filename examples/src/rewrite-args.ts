// A hook changes the arguments of a call; what runs, what is judged and what
// history shows are the new ones.
import assert from 'node:assert/strict'
import { createAgent, createPolicy, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

// #region rewrite-args
import { defineHook, proceed, reject, transform } from 'hookline'
import { toolGuard, toolPreCall } from 'hookline/lifecycle'

const limitRows = defineHook({
  name: 'limit-rows',
  on: toolPreCall,
  writes: true,
  match: { tool: 'query' },
  run({ args }) {
    const { sql } = args
    if (typeof sql !== 'string' || /\blimit\b/i.test(sql)) return proceed
    return transform({ ...args, sql: `${sql} LIMIT 100` })
  },
})

// Whatever was rewritten: this judges the call as it will run.
const onlyReads = defineHook({
  name: 'only-reads',
  on: toolGuard,
  match: { tool: 'query' },
  run: ({ args: { sql } }) =>
    typeof sql === 'string' && /^select\b/i.test(sql)
      ? proceed
      : reject('Only SELECT is allowed here.'),
})
// #endregion

const ran: unknown[] = []
const query = defineTool({
  name: 'query',
  description: 'Asks the database.',
  input: { type: 'object', properties: { sql: { type: 'string' } } },
  safety: 'read_only',
  execute({ sql }) {
    ran.push(sql)
    return 'rows'
  },
})
const model = scriptedModel([
  {
    calls: [
      { tool: 'query', args: { sql: 'SELECT * FROM orders' } },
      { tool: 'query', args: { sql: 'DROP TABLE orders' } },
    ],
  },
  { text: 'Here they are.' },
])
const agent = createAgent({
  model,
  tools: [query],
  policy: createPolicy({ mode: 'open' }),
  hooks: [onlyReads, limitRows],
})
await agent.run('Show the orders, then drop them.').result
await agent.close()

console.log(ran)
assert.deepEqual(ran, ['SELECT * FROM orders LIMIT 100'])
assert.match(JSON.stringify(model.requests[1]), /LIMIT 100/)
assert.match(JSON.stringify(model.requests[1]), /Only SELECT is allowed/)
