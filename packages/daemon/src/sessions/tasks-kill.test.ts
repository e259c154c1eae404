import { describe, expect, test } from 'vitest'
import type { RemoteHost } from './fixtures/remote-host.ts'
import { kill, newSession, remoteHosts } from './fixtures/remote-hosts.ts'

const timeout = 120_000
const soon = { timeout: 60_000, interval: 50 }

interface Messages {
  readonly messages: readonly { role: string; content: unknown }[]
}

interface Listed {
  readonly items: readonly {
    readonly id: string
    readonly status: string
    readonly endReason: string | null
    readonly error: string | null
  }[]
}

/** What a session was told that its tasks have come to. */
async function resultsOf(host: RemoteHost, sessionId: string) {
  const { messages } = await host.call<Messages>('listMessages', { sessionId })
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => JSON.stringify(content))
    .filter((text) => text.includes('<event name=\\"delegated.'))
}

async function childrenOf(host: RemoteHost, parentId: string) {
  return (await host.call<Listed>('listSessions', { parentId })).items
}

async function statusesOf(host: RemoteHost, sessionId: string) {
  const { items } = await host.call<Listed>('listTurns', { sessionId })
  return items.map(({ status }) => status)
}

/** Nothing is left to be done, here or by whoever comes next. */
async function isAtRest(host: RemoteHost, sessionId: string) {
  const own = await statusesOf(host, sessionId)
  const children = await childrenOf(host, sessionId)
  const isOver = children.every(({ endReason }) => endReason !== null)
  return isOver && !own.includes('running')
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (dialect) => {
  test('F145 a daemon that is killed in the middle of a task: another finishes it and brings the result, once', {
    timeout,
  }, async () => {
    const { start, effects, openGate } = await remoteHosts(dialect)
    const one = await start()
    const sessionId = await newSession(one)
    await one.call('send', {
      sessionId,
      input: 'hand helper,helper: slow',
      wait: true,
    })
    await expect.poll(effects, soon).toHaveLength(2)
    await kill(one)
    openGate()
    const two = await start()
    await expect.poll(() => resultsOf(two, sessionId), soon).toHaveLength(2)
    await expect.poll(() => isAtRest(two, sessionId), soon).toBe(true)
    expect(await resultsOf(two, sessionId)).toHaveLength(2)
    // Nobody knows how the calls ended, and they were not made again.
    expect(effects()).toHaveLength(2)
    expect(await statusesOf(two, sessionId)).toEqual(Array(3).fill('succeeded'))
  })

  // Each is a moment between two things that have to be kept.
  test.each([
    ['task.begin:before-commit', 0],
    ['wake.fire:before-commit', 1],
    ['wake.fire:after-commit', 1],
    ['inbox.put:after-commit', 1],
    ['task.told:before-commit', 1],
  ])(
    'a daemon that is killed at %s loses and doubles nothing',
    {
      timeout,
    },
    async (moment, count) => {
      const { start, effects, openGate } = await remoteHosts(dialect)
      openGate()
      const failpoints = { [moment]: { do: 'kill' } }
      const one = await start({}, { failpoints })
      const sessionId = await newSession(one)
      const input = 'hand helper: slow'
      one.call('send', { sessionId, input, key: 'k' }).catch(() => {})
      await one.ended
      const two = await start()
      const again = { sessionId, input, key: 'k', wait: true }
      expect(await two.call('send', again)).toMatchObject({
        status: 'succeeded',
      })
      const results = () => resultsOf(two, sessionId)
      await expect.poll(results, soon).toHaveLength(count)
      await expect.poll(() => isAtRest(two, sessionId), soon).toBe(true)
      expect(await results()).toHaveLength(count)
      expect(await childrenOf(two, sessionId)).toHaveLength(count)
      expect(effects()).toHaveLength(count)
      expect(await statusesOf(two, sessionId)).toEqual(
        Array(1 + count).fill('succeeded'),
      )
    },
  )

  test('a daemon that is killed as soon as a task is begun: it goes on elsewhere, with no more than it may do', {
    timeout,
  }, async () => {
    const { start, effects, openGate } = await remoteHosts(dialect)
    openGate()
    const failpoints = { 'task.begin:after-commit': { do: 'kill' } }
    const one = await start({}, { failpoints })
    const boss = { agent: 'boss' }
    const { id: sessionId } = await one.call<{ id: string }>(
      'createSession',
      boss,
    )
    one.call('send', { sessionId, input: 'hand helper: slow' }).catch(() => {})
    await one.ended
    const two = await start()
    await expect.poll(() => resultsOf(two, sessionId), soon).toHaveLength(1)
    await expect.poll(() => isAtRest(two, sessionId), soon).toBe(true)
    expect(await childrenOf(two, sessionId)).toHaveLength(1)
    // Whoever handed it on has no such tool.
    expect(effects()).toEqual([])
  })

  test('F145 a sub-agent whose parent was killed has failed as soon as that goes on', {
    timeout,
  }, async () => {
    const { start, effects, openGate } = await remoteHosts(dialect)
    const one = await start()
    const sessionId = await newSession(one)
    const input = 'wait helper: slow'
    await one.call('send', { sessionId, input, key: 'k' })
    await expect.poll(effects, soon).toHaveLength(1)
    await kill(one)
    openGate()
    const two = await start()
    const again = { sessionId, input, key: 'k', wait: true }
    expect(await two.call('send', again)).toMatchObject({ status: 'succeeded' })
    const [child] = await childrenOf(two, sessionId)
    expect(child?.endReason).toBe('closed')
    const { items } = await two.call<Listed>('listTurns', {
      sessionId: child?.id,
    })
    expect(items).toMatchObject([
      { status: 'failed', error: expect.stringContaining('process stopped') },
    ])
    expect(effects()).toHaveLength(1)
  })
})
