// A plugin of one's own: tools, what agents are told about them, hooks, state
// for each agent, and work for the background.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// #region own-plugin
import { createPolicy, definePlugin, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { defineHook, proceed, reject } from 'hookline'
import { job, turnPostTurn } from 'hookline/lifecycle'

const input = {
  type: 'object',
  properties: { id: { type: 'number' } },
  required: ['id'],
} as const

/** The tickets of a help desk, and what agents may do with them. */
function createTicketsPlugin(tickets: Map<number, string>) {
  // By agent: the tickets that it has read. No other agent sees them.
  const read = new Map<string, Set<unknown>>()
  return definePlugin({
    name: 'tickets',
    tools: [
      defineTool({
        name: 'read_ticket',
        description: 'Gives the text of a ticket.',
        input,
        safety: 'read_only',
        execute({ id }, { scope }) {
          read.get(scope.agent)?.add(id)
          return tickets.get(Number(id)) ?? 'There is none.'
        },
      }),
      defineTool({
        name: 'close_ticket',
        description: 'Closes a ticket.',
        input,
        safety: 'mutating',
        execute: ({ id }) => ({ closed: tickets.delete(Number(id)) }),
      }),
    ],
    // What agents are told beside the descriptions, in their system prompt.
    prompt: () => `${tickets.size} tickets are open. Read one to close it.`,
    // Its state: there before anybody sees the agent, gone when it is gone.
    register: ({ name }) => void read.set(name, new Set()),
    unregister: ({ name }) => void read.delete(name),
    // Brief hooks, by their points; `defaults` is what they have in common.
    defaults: { match: { tool: 'close_ticket' } },
    on: {
      'tool.guard': ({ args }, { scope }) =>
        read.get(scope.agent)?.has(args['id'])
          ? proceed
          : reject('Read the ticket before you close it.'),
    },
    // And whole ones: this leaves work to be done after the turn.
    hooks: [
      defineHook({
        name: 'tickets:count',
        on: turnPostTurn,
        capabilities: ['job'],
        run(_, { contribute }) {
          const payload = { open: tickets.size }
          contribute(job({ id: 'tickets.count', payload }))
          return proceed
        },
      }),
    ],
  })
}
// #endregion

const folder = await mkdtemp(join(tmpdir(), 'hookline-plugin-'))
const tickets = new Map([
  [7, 'It does not start.'],
  [8, 'It does not stop.'],
])
const call = (tool: string) => ({ tool, args: { id: 7 } })
const model = scriptedModel([
  { calls: [call('close_ticket')] },
  { calls: [call('read_ticket')] },
  { calls: [call('close_ticket')] },
  { text: 'Ticket 7 is closed.' },
])
const models = { resolve: () => model }
const counted = Promise.withResolvers<number>()

// #region own-job
import {
  createDurableRuntime,
  defineJob,
  openStore,
} from '@hookline/agent/durable'
import { z } from 'zod'

// Who does that work: at once, or after a restart.
const count = defineJob('tickets.count', {
  schema: z.object({ open: z.number() }),
  isIdempotent: true,
  retry: { type: 'exponential', delayMs: 1_000, maxAttempts: 3 },
  run: ({ open }) => counted.resolve(open),
})

const store = await openStore({ database: { file: join(folder, 'desk.db') } })
const runtime = createDurableRuntime({
  store,
  models,
  policy: createPolicy({ mode: 'open' }),
  plugins: [createTicketsPlugin(tickets)],
  jobs: [count],
})
// #endregion

await runtime.register({ name: 'desk', model: 'demo', instructions: 'Help.' })
const session = await runtime.openSession({ agent: 'desk' })
const { text } = await session.send('Close ticket 7.').result
console.log(text)
const [first] = model.requests
const told = JSON.stringify(first?.messages[0])
assert.match(told, /2 tickets are open/)
const results = session.messages.flatMap((message) =>
  message.role === 'tool' ? message.content : [],
)
assert.deepEqual(
  results.map(({ isError }) => isError),
  [true, false, false],
)
assert.equal(await counted.promise, 1)
await runtime.close()
await store.close()
await rm(folder, { recursive: true })
