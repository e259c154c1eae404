// A session ends; the next one, in another process, knows what it was about.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createModelRegistry } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const folder = await mkdtemp(join(tmpdir(), 'hookline-summary-'))
const file = join(folder, 'sessions.db')
const worker = scriptedModel(() => ({ text: 'Done.' }))
const small = scriptedModel([
  { text: 'The parser loses commas; a test for that is still open.' },
])
const models = createModelRegistry({
  models: { 'house/worker': worker, 'house/small': small },
})

// #region summary
import { createDurableRuntime, openStore } from '@hookline/agent/durable'
import { summary } from '@hookline/agent/hooks'

async function talk(...inputs: readonly string[]) {
  const store = await openStore({ database: { file } })
  const runtime = createDurableRuntime({
    store,
    models,
    plugins: [summary({ model: 'house/small', everyTurns: 2 })],
  })
  await runtime.register({
    name: 'main',
    model: 'house/worker',
    instructions: 'Help with code.',
  })
  const session = await runtime.openSession({ agent: 'main', cwd: '/work' })
  for (const input of inputs) await session.send(input).result
  await runtime.close()
  await store.close()
}

await talk('My parser loses commas.', 'Mend it; the test comes later.')
await talk('Where were we?')
// #endregion

const told = JSON.stringify(worker.requests.at(-1)?.messages)
assert.equal(small.requests.length, 1)
assert.match(told, /a test for that is still open/)
assert.match(told, /written by a model/)
console.log('the second session knows what the first was about')
await rm(folder, { recursive: true })
