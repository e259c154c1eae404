import { defineHook, proceed, reject } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { afterEach, expect, test } from 'vitest'
import { createClient } from '../protocol/client.ts'
import { closeAll, startSmall } from '../server/fixtures/small-server.ts'
import { hostWorld } from './fixtures/host-world.ts'

afterEach(closeAll)

test('a client is told whether a call failed, and how, without reading words', async () => {
  const world = await hostWorld()
  world.openGate()
  let isAllowed = true
  const guard = defineHook({
    name: 'guard',
    on: toolGuard,
    run: () => (isAllowed ? proceed : reject('Not today.')),
  })
  const { service } = await world.open({ hooks: [guard] })
  const { home } = await startSmall({ service })
  const { socket, token } = home
  const client = createClient({ socket, token })
  const { id: sessionId } = await client.createSession({})
  const ends: unknown[] = []
  const watched = client.watchSession({ sessionId, fromStart: true })
  for (isAllowed of [true, false]) {
    await client.send({ sessionId, input: 'slow', wait: true })
  }
  for await (const item of watched) {
    if (item.type !== 'event' || item.event.type !== 'tool-end') continue
    ends.push(item.event)
    if (ends.length === 2) break
  }
  expect(ends).toMatchObject([
    {
      status: 'executed',
      elapsedMs: expect.any(Number),
      result: { isError: false },
    },
    { status: 'denied', result: { isError: true, error: 'denied' } },
  ])
})
