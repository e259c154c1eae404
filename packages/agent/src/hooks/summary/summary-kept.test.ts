import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelRequest } from 'hookline/lifecycle'
import { expect, onTestFinished, test } from 'vitest'
import { createDurableRuntime, openStore } from '../../durable.ts'
import { scriptedModel } from '../../testing/index.ts'
import { summary } from './summary.ts'

interface Life {
  readonly session: string
  readonly inputs: readonly string[]
  readonly closes?: boolean
}

/** One process: what its agent and the model that sums up were asked. */
async function live(file: string, { session: id, inputs, closes }: Life) {
  const store = await openStore({ database: { file } })
  const agent = scriptedModel(() => ({ text: 'Done.' }))
  const writer = scriptedModel(({ messages }) => {
    const { length } = JSON.stringify(messages)
    return { text: `Written from ${length} characters.` }
  })
  const runtime = createDurableRuntime({
    store,
    models: { resolve: (name) => (name === 'writer' ? writer : agent) },
    plugins: [summary({ model: 'writer', everyTurns: 3 })],
  })
  await runtime.register({ name: 'main', model: 'a', instructions: '' })
  const session = await runtime.openSession({ agent: 'main', id, cwd: '/work' })
  for (const input of inputs) {
    await session.send(input).result
    await runtime.drain()
  }
  if (closes) await session.close()
  await runtime.close()
  await store.close()
  return { told: toldIn(agent.requests), asked: writer.requests }
}

function toldIn(requests: readonly ModelRequest[]): string {
  return JSON.stringify(requests.map(({ messages }) => messages))
}

test('what was summed up outlives the process, its agent and its session', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-summary-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'store.db')
  const first = await live(file, { session: 'a', inputs: ['One.', 'Two.'] })
  expect(first.asked).toHaveLength(0)
  // The same session goes on elsewhere, and its turns are counted on.
  const second = await live(file, { session: 'a', inputs: ['Three.'] })
  expect(second.asked).toHaveLength(1)
  const seen = JSON.stringify(second.asked)
  for (const word of ['One.', 'Two.', 'Three.']) expect(seen).toContain(word)
  expect(second.told).not.toContain('last-session')
  const third = await live(file, {
    ...{ session: 'b', inputs: ['Hello.'], closes: true },
  })
  expect(third.told).toContain('Written from')
  expect(third.told).not.toContain('"Two."')
  // It was closed with one turn that nobody had summed up.
  expect(third.asked).toHaveLength(1)
  const fourth = await live(file, { session: 'c', inputs: ['And now?'] })
  expect(fourth.told).toContain('session')
  expect(fourth.told).toContain('Written from')
  expect(fourth.told).not.toContain('Hello.')
})
