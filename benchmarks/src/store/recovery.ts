import { createPolicy, defineTool } from '@hookline/agent'
import { createDurableRuntime, openStore } from '@hookline/agent/durable'
import { scriptedModel } from '@hookline/agent/testing'
import { defineHook, proceed } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { startedRun } from './rows.ts'

const left = 10_000

/** From the start of a process until a gated call has run, with much to mend. */
export async function secondsToRecover(file: string): Promise<number> {
  const dead = await openStore({ database: { file } })
  for (let run = 0; run < left; run++) {
    dead.records.start(startedRun(`left-${run}`, run))
  }
  await dead.records.flush()
  // Its process is not there any more: it gives nothing back.
  const sql = "UPDATE runs SET worker = 'gone' WHERE state = 'started'"
  await dead.parts.database.write({
    name: 'bench.leave',
    statements: [{ sql, values: [] }],
  })
  await dead.close()

  const begun = performance.now()
  const store = await openStore({ database: { file } })
  const model = scriptedModel([{ calls: [{ tool: 'act' }] }, { text: 'Done.' }])
  const act = defineTool({
    name: 'act',
    description: 'Acts.',
    input: { type: 'object' },
    safety: 'mutating',
    execute: () => 'acted',
  })
  const runtime = createDurableRuntime({
    store,
    models: { resolve: () => model },
    policy: createPolicy({ mode: 'open' }),
    tools: [act],
    hooks: [
      defineHook({ name: 'guard', on: toolGuard, run: async () => proceed }),
    ],
  })
  await runtime.register({ name: 'main', model: 'x', instructions: 'Act.' })
  const session = await runtime.openSession({ agent: 'main' })
  const { status } = await session.send('Go.').result
  const usable = (performance.now() - begun) / 1_000
  await runtime.recovered
  const all = (performance.now() - begun) / 1_000
  if (status !== 'succeeded') throw new Error(`The turn ${status}.`)
  const open = "SELECT COUNT(*) AS count FROM runs WHERE state = 'started'"
  const [row] = await store.parts.database.read({ sql: open, values: [] })
  if (Number(row?.['count']) !== 0) throw new Error('Runs were left open.')
  await runtime.close()
  await store.close()
  console.log(
    `recovery of ${left.toLocaleString('en')} runs: gates usable after ${usable.toFixed(2)} s, all of them dealt with after ${all.toFixed(2)} s`,
  )
  return usable
}
