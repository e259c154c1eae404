import { defineHook, proceed, reject } from 'hookline'
import { sessionStart } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { hostWorld } from './fixtures/host-world.ts'
import { contextOf, type OpenedHost } from './fixtures/open-host.ts'

const timeout = 60_000
const soon = { timeout: 30_000, interval: 20 }
const context = contextOf()

/** What was said to sessions of an agent by events. */
async function heardBy({ service }: OpenedHost, agent: string) {
  const { items } = await service.listSessions({ agent }, context)
  const heard = items.map(async ({ id: sessionId }) => {
    const { messages } = await service.listMessages({ sessionId }, context)
    return messages.filter(
      ({ role, content }) =>
        role === 'user' && JSON.stringify(content).includes('<event name='),
    )
  })
  return (await Promise.all(heard)).flat()
}

async function wake({ service }: OpenedHost, sessionId?: string) {
  const about = { event: 'built', ...(sessionId && { sessionId }) }
  await service.createWake({ ...about, agent: 'helper' }, context)
  const emitted = { name: 'built', data: {} }
  expect(await service.emit(emitted, context)).toMatchObject({ woken: 1 })
}

test('a wake whose session a gate would not begin is tried again, and leads to one turn', {
  timeout,
}, async () => {
  const asked: unknown[] = []
  const gate = defineHook({
    name: 'gate',
    on: sessionStart,
    run() {
      asked.push(undefined)
      return asked.length === 1 ? reject('Nobody can be asked.') : proceed
    },
  })
  const world = await hostWorld()
  const host = await world.open({ hooks: [gate] })
  await wake(host)
  expect(await heardBy(host, 'helper')).toEqual([])
  await expect.poll(() => heardBy(host, 'helper'), soon).toHaveLength(1)
  await expect.poll(() => host.store.wakes.left(10), soon).toEqual([])
})

test('a wake that could not be left for its session is left there later', {
  timeout,
}, async () => {
  const failpoints = { 'inbox.put:before-write': { do: 'throw' } } as const
  const world = await hostWorld()
  const host = await world.open({}, failpoints)
  const { id } = await host.service.createSession({ agent: 'helper' }, context)
  await wake(host, id)
  expect(await host.store.wakes.left(10)).toHaveLength(1)
  await expect.poll(() => heardBy(host, 'helper'), soon).toHaveLength(1)
})

test('a wake whose agent is out for a while leads to a turn when it is back', {
  timeout,
}, async () => {
  const world = await hostWorld()
  const host = await world.open()
  const { runtime } = host.workspace
  const { service } = host
  await service.createWake({ event: 'built', agent: 'helper' }, context)
  await runtime.unregister('helper')
  await service.emit({ name: 'built', data: {} }, context)
  expect(await host.store.wakes.left(10)).toHaveLength(1)
  await runtime.register({ name: 'helper', model: 'x', instructions: '' })
  await expect.poll(() => heardBy(host, 'helper'), soon).toHaveLength(1)
})

test('a wake whose agent one daemon lacks is seen to by another that has it', {
  timeout,
}, async () => {
  const world = await hostWorld('postgres')
  const one = await world.open()
  const { service, workspace } = one
  await service.createWake({ event: 'built', agent: 'helper' }, context)
  await workspace.runtime.unregister('helper')
  await service.emit({ name: 'built', data: {} }, context)
  const other = await world.open()
  await expect.poll(() => heardBy(other, 'helper'), soon).toHaveLength(1)
})

test('the result of a task is told when whoever handed it on hears of it, and not before', {
  timeout,
}, async () => {
  const failpoints = { 'inbox.put:before-write': { do: 'throw' } } as const
  const told: unknown[] = []
  const world = await hostWorld()
  const onError = (about: unknown) => told.push(about)
  const host = await world.open({ onError }, failpoints)
  const { service, store } = host
  const { id } = await service.createSession({ agent: 'main' }, context)
  const input = 'hand helper: Hello.'
  await service.send({ sessionId: id, input, wait: true }, context)
  await expect.poll(() => told, soon).not.toEqual([])
  expect(await store.tasks.open(10)).toHaveLength(1)
  await expect.poll(() => heardBy(host, 'main'), soon).toHaveLength(1)
  await expect.poll(() => store.tasks.open(10), soon).toEqual([])
})
