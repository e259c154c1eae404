import { expect, test } from 'vitest'
import { hostWorld } from './fixtures/host-world.ts'
import { contextOf } from './fixtures/open-host.ts'

const context = contextOf()
const soon = { timeout: 30_000, interval: 20 }

test('an event that comes while a daemon stops wakes its agent after the next start', async () => {
  const world = await hostWorld()
  const one = await world.open()
  const prompt = 'Look at it.'
  await one.service.createWake(
    { event: 'done', agent: 'main', prompt },
    context,
  )
  await one.host.drain(0)
  await one.service.emit({ name: 'done' }, context)
  await one.close()
  const { service } = await world.open()
  const turns = async () => {
    const { items } = await service.listSessions({}, context)
    return items.map((session) => session.turns)
  }
  await expect.poll(turns, soon).toEqual([1])
})

test('whoever needs a session of a daemon that stops is told so, and not that the session is gone', async () => {
  const { host, service } = await (await hostWorld()).open()
  const { id: sessionId } = await service.createSession({}, context)
  await host.drain(0)
  const stopping = { code: 'shutting-down' }
  const compacted = service.compact({ sessionId }, context)
  await expect(compacted).rejects.toMatchObject(stopping)
})
