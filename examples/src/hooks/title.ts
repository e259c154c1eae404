// A small model names sessions, so that people find them again in a list.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createModelRegistry } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const folder = await mkdtemp(join(tmpdir(), 'hookline-title-'))
const file = join(folder, 'sessions.db')
const models = createModelRegistry({
  models: {
    'house/worker': scriptedModel([{ text: 'It is mended.' }]),
    'house/small': scriptedModel([{ text: '"A parser that loses commas"' }]),
  },
})

// #region title
import { createDurableRuntime, openStore } from '@hookline/agent/durable'
import { title } from '@hookline/agent/hooks'

// Titles are content: they are kept where the journal keeps any.
const content = { journal: 'redacted' } as const
const store = await openStore({ database: { file }, content })
const runtime = createDurableRuntime({
  store,
  models,
  plugins: [title({ model: 'house/small', everyTurns: 10 })],
})
// #endregion

await runtime.register({
  name: 'main',
  model: 'house/worker',
  instructions: 'Help with code.',
})
const session = await runtime.openSession({ agent: 'main' })
await session.send('Hi! My parser drops every second comma. Can you?').result
await runtime.drain()

// #region list
import { listSessions } from '@hookline/agent/durable'

const { items } = await listSessions(store.parts)
const titles = items.map((one) => one.title)
// #endregion

assert.deepEqual(titles, ['A parser that loses commas'])
console.log(`the list shows: ${titles.join(', ')}`)
await runtime.close()
await store.close()
await rm(folder, { recursive: true })
