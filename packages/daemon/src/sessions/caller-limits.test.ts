import { expect, test } from 'vitest'
import { hostWorld } from './fixtures/host-world.ts'
import { contextOf } from './fixtures/open-host.ts'

const context = contextOf()
const limits = { sessions: 2 }
const tooMany = { code: 'too-many' }

test('sessions that have been let go of are not counted, though nobody has closed them', async () => {
  const world = await hostWorld()
  const { service, host } = await world.open({ host: { limits, idleMs: 0 } })
  for (let at = 0; at < 5; at++) {
    const { id: sessionId } = await service.createSession({}, context)
    const sent = { sessionId, input: 'Hello.', wait: true }
    expect(await service.send(sent, context)).toMatchObject({
      status: 'succeeded',
    })
    await expect.poll(() => host.counts.sessions).toBe(0)
  }
})

test('a session that one daemon has begun and another has ended is not counted by either', async () => {
  const world = await hostWorld('postgres')
  const one = await world.open({ host: { limits } })
  const other = await world.open({ host: { limits } })
  for (let at = 0; at < 3; at++) {
    const { id: sessionId } = await one.service.createSession({}, context)
    await other.service.closeSession({ sessionId }, context)
    const end = async () =>
      (await one.service.getSession({ sessionId }, context)).endReason
    await expect.poll(end).toBe('closed')
    await expect.poll(() => one.host.counts.sessions).toBe(0)
  }
})

test('a session that is begun twice in the same moment is one, and counted once', async () => {
  const world = await hostWorld()
  const { service } = await world.open({ host: { limits } })
  const begin = () => service.createSession({ id: 'same' }, context)
  const [first, second] = await Promise.all([begin(), begin()])
  expect(first.id).toBe(second.id)
  const { id } = await service.createSession({}, context)
  const third = service.createSession({}, context)
  await expect(third).rejects.toMatchObject(tooMany)
  for (const sessionId of ['same', id]) {
    await service.closeSession({ sessionId }, context)
  }
  for (let at = 0; at < 2; at++) await service.createSession({}, context)
})

test('whoever has as many as may be is told what to do about it', async () => {
  const world = await hostWorld()
  const { service } = await world.open({ host: { limits: { sessions: 1 } } })
  await service.createSession({}, context)
  await expect(service.createSession({}, context)).rejects.toMatchObject({
    ...tooMany,
    message:
      'One session that you have begun is open in this daemon, which is as many as you may have (daemon.limits.maxSessionsPerCaller); close one, or try again when one has had nothing to do for a while.',
  })
})
