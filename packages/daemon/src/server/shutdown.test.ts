import { existsSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import type { StreamItem } from '../protocol/schemas/events.ts'
import { RawConnection, requestText, sendRaw } from './fixtures/raw.ts'
import { closeAll, startSmall, until } from './fixtures/small-server.ts'

afterEach(closeAll)

test.each(['1', '3'])(
  'F202: a client of version %s is told what to do, and learns the version',
  async (version) => {
    const { port, home } = await startSmall()
    const headers = {
      authorization: `Bearer ${home.token}`,
      'hookline-protocol': version,
    }
    const [answer] = await sendRaw({ port }, requestText({ headers }))
    expect(answer?.status).toBe(426)
    expect(answer?.headers.get('hookline-protocol')).toBe('2')
    const { error } = JSON.parse(answer?.body ?? '')
    expect(error.code).toBe('unknown-version')
    expect(error.message).toContain('update')
  },
)

test('F202: while it ends, streams get a last notice, what runs goes on, and what is new waits', async () => {
  const { client, small, server, home, port } = await startSmall({
    reconnect: { giveUpMs: 0 },
  })
  await client.createSession({ id: 's1' })
  const running = client.send({ sessionId: 's1', input: 'x', wait: true })
  const items: StreamItem[] = []
  const read = async () => {
    for await (const item of client.watchAll()) items.push(item)
  }
  const reading = read().catch((error) => error)
  await until(
    () => server.counts.streams === 1 && server.counts.requests === 1,
    'both are under way',
  )
  const early = new RawConnection({ port })
  const closing = server.close(30_000)
  await until(() => items.length === 1, 'the notice')
  expect(items).toMatchObject([{ type: 'notice', name: 'shutting-down' }])
  const headers = { authorization: `Bearer ${home.token}` }
  early.write(requestText({ headers }))
  await early.closed
  const [late] = await sendRaw({ port }, requestText({ headers }))
  for (const answer of [early.answers[0], late]) {
    expect(answer?.status).toBe(503)
    expect(answer?.headers.get('retry-after')).toBe('1')
    expect(answer?.body).toContain('"shutting-down"')
  }
  const [health] = await sendRaw(
    { port },
    requestText({ target: '/v1/health' }),
  )
  expect(health?.status).toBe(200)
  small.release()
  expect(await running).toMatchObject({ status: 'started' })
  await closing
  expect(existsSync(home.socket)).toBe(false)
  expect((await reading).code).toMatch(/unavailable|shutting-down/)
  expect(server.counts).toMatchObject({
    connections: 0,
    requests: 0,
    streams: 0,
  })
})

test('what takes longer than the grace is told that it has to be asked for again', async () => {
  const { client, server } = await startSmall()
  await client.createSession({ id: 's1' })
  const running = client.send({ sessionId: 's1', input: 'x', wait: true })
  await until(() => server.counts.requests === 1, 'it is under way')
  const closing = server.close(10)
  await expect(running).rejects.toMatchObject({ code: 'shutting-down' })
  await closing
  await expect(client.health()).rejects.toMatchObject({ code: 'unavailable' })
})

test('whoever reads nothing does not keep it from ending', async () => {
  const { server, port, home, small } = await startSmall()
  const stuck = new RawConnection({ port })
  stuck.write(
    requestText({
      target: '/v1/events',
      headers: { authorization: `Bearer ${home.token}` },
    }),
  )
  await until(() => server.counts.streams === 1, 'it is open')
  stuck.socket.pause()
  for (let at = 0; at < 200; at++) small.log.append('x', 'x'.repeat(100_000))
  await server.close(100)
  expect(server.counts.connections).toBe(0)
  stuck.socket.destroy()
})

test('F202: a stream goes on from its cursor when the daemon has been replaced', async () => {
  const first = await startSmall({ reconnect: { firstMs: 10, maxMs: 50 } })
  const names: string[] = []
  const stop = new AbortController()
  const read = async () => {
    for await (const item of first.client.watchAll({ after: '0' }, stop)) {
      if (item.type === 'notice') names.push(item.name)
    }
  }
  const reading = read()
  first.small.log.append('one')
  await until(() => names.length === 1, 'the first')
  await first.server.close(0)
  const second = await startSmall({ home: first.home.path })
  for (const name of ['one', 'two']) second.small.log.append(name)
  await until(() => names.includes('two'), 'the second')
  expect(names).toEqual(['one', 'shutting-down', 'two'])
  stop.abort()
  await reading
})
