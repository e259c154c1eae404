import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Model } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../log/create-log.ts'
import { createClient } from '../protocol/client.ts'
import { makePlace } from '../reload/fixtures/place.ts'
import { startDaemon } from '../start-daemon.ts'

vi.setConfig({ testTimeout: 60_000 })

/** A daemon whose files say that a model names sessions, and its client. */
async function namingDaemon(journal: string) {
  const place = await makePlace()
  const { root, home, user, managed } = place
  const config = {
    store: { content: { journal } },
    hooks: [{ use: 'title', options: { model: 'house/namer' } }],
  }
  await place.write('user/hookline.config.yaml', JSON.stringify(config))
  const agent = scriptedModel(() => ({ text: 'Done.' }))
  const text = '"A parser\u202e that loses commas"'
  const namer = scriptedModel(() => ({ text }))
  const { promise: mayAnswer, resolve: letAnswer } =
    Promise.withResolvers<void>()
  const waiting: Model = {
    abilities: namer.abilities,
    async generate(request, asked) {
      await mayAnswer
      return namer.generate(request, asked)
    },
  }
  const daemon = await startDaemon({
    ...{ root, home, user, managed, env: {} },
    models: { resolve: (name) => (name === 'house/namer' ? waiting : agent) },
    log: createLog({ write: () => {} }),
  })
  const token = readFileSync(join(home, 'token'), 'utf8').trim()
  const { socket = '' } = daemon.addresses
  const client = createClient({ socket, token })
  onTestFinished(async () => {
    client.close()
    await daemon.close({ graceMs: 0 })
  })
  return { client, namer, letAnswer }
}

test('a title that comes after the turn is in the list, and whoever watches is told', async () => {
  const { client, letAnswer } = await namingDaemon('redacted')
  const { id: sessionId, cursor = '' } = await client.createSession({})
  const input = 'My parser loses commas. Mend it.'
  const turn = await client.send({ sessionId, input, wait: true })
  expect(turn.status).toBe('succeeded')
  const now = await client.getSession({ sessionId })
  expect(now.title).toBe(input)
  letAnswer()
  let told: unknown
  for await (const item of client.watchAll({ after: cursor })) {
    told = item
    if (item.type === 'notice' && item.name === 'session-titled') break
  }
  expect(told).toMatchObject({ data: { sessionId } })
  // Whoever may not see the session learns nothing of what it is about.
  expect(JSON.stringify(told)).not.toContain('commas')
  const title = 'A parser that loses commas'
  const { items } = await client.listSessions({ search: 'LOSES parser' })
  expect(items).toMatchObject([{ id: sessionId, title }])
  expect(await client.getSession({ sessionId })).toMatchObject({ title })
})

test('where content is not kept, no model is asked, and there is no title', async () => {
  const { client, namer } = await namingDaemon('metadata')
  const { id: sessionId } = await client.createSession({})
  await client.send({ sessionId, input: 'Mend it.', wait: true })
  await client.send({ sessionId, input: 'And test it.', wait: true })
  expect(namer.requests).toHaveLength(0)
  expect((await client.getSession({ sessionId })).title).toBeNull()
})
