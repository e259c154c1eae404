// A session that outlives its process: it is left while somebody is asked, and
// goes on with the answer when it is opened again.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPolicy, defineTool } from '@hookline/agent'
import {
  createDurableRuntime,
  openStore,
  whyCall,
} from '@hookline/agent/durable'
import { type Script, scriptedModel } from '@hookline/agent/testing'

const folder = await mkdtemp(join(tmpdir(), 'hookline-durable-'))

const refund = defineTool({
  name: 'refund',
  description: 'Pays an order back.',
  input: { type: 'object', properties: { order: { type: 'number' } } },
  safety: 'destructive',
  execute: ({ order }) => `Order ${Number(order)} was paid back.`,
})

// #region durable-store
/** What a process does when it starts. What the model says is written here. */
async function start(script: Script) {
  const store = await openStore({ database: { file: join(folder, 'shop.db') } })
  const model = scriptedModel(script)
  const runtime = createDurableRuntime({
    store,
    models: { resolve: () => model },
    policy: createPolicy({ mode: 'ask-writes' }),
    tools: [refund],
  })
  await runtime.register({ name: 'shop', model: 'demo', instructions: 'Help.' })
  const session = await runtime.openSession({ agent: 'shop', id: 'ticket-1' })
  return { store, runtime, session }
}
// #endregion

// The first process asks, and stops before anybody has answered.
const first = await start([{ calls: [{ tool: 'refund', args: { order: 7 } }] }])
const turn = first.session.send('Please pay order 7 back.')
while ((await first.store.approvals.pending()).items.length === 0) {
  await new Promise((resolve) => setTimeout(resolve, 10))
}
await first.runtime.close()
console.log(`first: ${(await turn.result).reason}`)
await first.store.close()

// #region durable-resume
const second = await start([{ text: 'It is on its way.' }])
const { approvals, parts } = second.store
const [question] = (await approvals.pending()).items
if (question === undefined) throw new Error('The question is gone.')
console.log(`asked: ${question.tool}, ${question.state}`)
const { id, shownHash } = question
const maria = { kind: 'user', id: 'maria' } as const
await approvals.answer(id, { type: 'allow', shownHash }, maria)

const { text, turnId } = await second.session.resume().result
console.log(`second: ${text}`)
// #endregion
const why = await whyCall(parts, { turnId, callId: question.callId })
console.log(`why: ${why?.status}, approved by ${why?.approvedBy?.name}`)
await second.runtime.close()
await second.store.close()
await rm(folder, { recursive: true })
