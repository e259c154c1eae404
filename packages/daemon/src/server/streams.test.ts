import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { createClient } from '../protocol/client.ts'
import type { StreamItem } from '../protocol/schemas/events.ts'
import { RawConnection, requestText } from './fixtures/raw.ts'
import { SmallLog } from './fixtures/small-log.ts'
import {
  closeAll,
  onClose,
  startSmall,
  until,
} from './fixtures/small-server.ts'
import { homePaths } from './home-paths.ts'
import { replacePrivateFile } from './private-file.ts'

afterEach(closeAll)

const slow = 120_000

test('200 streams at once all get everything, in order', {
  timeout: slow,
}, async () => {
  const { client, small, server } = await startSmall()
  const stop = new AbortController()
  const seen = Array.from({ length: 200 }, () => [] as string[])
  const readers = seen.map(async (names) => {
    for await (const item of client.watchAll({ after: '0' }, stop)) {
      if (item.type === 'notice') names.push(item.name)
    }
  })
  await until(() => server.counts.streams === 200, 'all are open')
  const beganMs = performance.now()
  for (let at = 0; at < 50; at++) {
    small.log.append(`n${at}`, { text: 'x'.repeat(500) })
    await new Promise((resolve) => setImmediate(resolve))
  }
  await until(() => seen.every((names) => names.length === 50), 'all have all')
  const tookMs = performance.now() - beganMs
  const expected = Array.from({ length: 50 }, (_, at) => `n${at}`)
  for (const names of seen) expect(names).toEqual(expected)
  stop.abort()
  await Promise.all(readers)
  await until(() => server.counts.streams === 0, 'all have ended')
  expect(small.log.open).toBe(0)
  console.log(
    `200 streams, 50 items each, to the last reader: ${tookMs.toFixed(0)} ms`,
  )
})

test('a stream is open before anything happens, and says that it lives', async () => {
  const { port, home } = await startSmall({ limits: { heartbeatMs: 20 } })
  const stream = new RawConnection({ port })
  onClose(() => void stream.socket.destroy())
  const headers = { authorization: `Bearer ${home.token}` }
  stream.write(requestText({ target: '/v1/events', headers }))
  await until(
    () => stream.received.split(':\n\n').length > 4,
    'four heartbeats',
  )
  const [answer] = stream.answers
  expect(answer?.headers.get('content-type')).toBe(
    'text/event-stream; charset=utf-8',
  )
  expect(answer?.headers.get('cache-control')).toBe('no-store')
})

test('items have their cursors as ids, and the header of a browser goes before its URL', async () => {
  const { port, home, small } = await startSmall()
  for (const name of ['a', 'b', 'c']) small.log.append(name)
  const stream = new RawConnection({ port })
  onClose(() => void stream.socket.destroy())
  const headers = {
    authorization: `Bearer ${home.token}`,
    'last-event-id': '2',
  }
  stream.write(requestText({ target: '/v1/events?after=1', headers }))
  await until(() => stream.received.includes('"c"'), 'the third')
  expect(stream.received).toContain('id: 3\ndata: {')
  expect(stream.received).not.toContain('id: 2')
})

test('what is too old is told by a reset', async () => {
  const { client, small } = await startSmall()
  for (let at = 0; at < 1_200; at++) small.log.append('x')
  const items: StreamItem[] = []
  for await (const item of client.watchAll({ after: '10' })) {
    items.push(item)
    if (items.length === 2) break
  }
  expect(items).toMatchObject([
    { type: 'reset', cursor: '200' },
    { type: 'notice', cursor: '201' },
  ])
})

test('a slow reader gets all of it, and nothing is piled up for it', {
  timeout: slow,
}, async () => {
  const { client, small } = await startSmall()
  const text = 'x'.repeat(20_000)
  for (let at = 0; at < 900; at++) small.log.append(`n${at}`, text)
  const reader = client.watchAll({ fromStart: true })[Symbol.asyncIterator]()
  expect((await reader.next()).value).toMatchObject({ name: 'n0' })
  // Nothing more is taken from the service than fits into what waits already.
  let before = -1
  await until(() => {
    const isQuiet = before === small.log.read
    before = small.log.read
    return isQuiet
  }, 'nothing moves')
  expect(small.log.read).toBeLessThan(500)
  for (let at = 1; at < 900; at++) {
    expect((await reader.next()).value).toMatchObject({ name: `n${at}` })
  }
  await reader.return?.()
  await until(() => small.log.open === 0, 'it has ended')
})

test('a stream that fails says so, without saying why', async () => {
  const { client, small, logged } = await startSmall()
  const reader = client.watchAll()[Symbol.asyncIterator]()
  const next = reader.next()
  await until(() => small.log.open === 1, 'it is open')
  small.log.isBroken = true
  small.log.wakeAll()
  await expect(next).rejects.toMatchObject({ code: 'internal' })
  await expect(next).rejects.not.toThrow('secret')
  expect(logged.at(-1)).toMatchObject({ name: 'request-failed' })
})

test('hundreds that go away at once are let go of, a few at a time', async () => {
  const { server, home, small } = await startSmall()
  const text = requestText({
    target: '/v1/events',
    headers: { authorization: `Bearer ${home.token}` },
  })
  const path = home.socket
  const streams = Array.from({ length: 300 }, () => new RawConnection({ path }))
  for (const stream of streams) stream.write(text)
  await until(() => server.counts.streams === 300, 'all are open')
  let most = 0
  let before = 300
  for (const { socket } of streams) socket.destroy()
  while (small.log.open > 0) {
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, before - small.log.open)
    before = small.log.open
  }
  expect(most).toBeLessThan(100)
  await until(() => server.counts.streams === 0, 'all have ended')
})

test('a stream of somebody who is no longer let in ends', async () => {
  const { home, small } = await startSmall({ limits: { heartbeatMs: 20 } })
  const { token } = await home.principals.create({
    name: 'guest',
    rights: ['run'],
  })
  const guest = createClient({ socket: home.socket, token })
  onClose(() => guest.close())
  const items: StreamItem[] = []
  const read = async () => {
    for await (const item of guest.watchAll()) items.push(item)
  }
  const reading = read()
  await until(() => small.log.open === 1, 'it is open')
  await home.principals.revoke('guest')
  await expect(reading).rejects.toMatchObject({ code: 'no-token' })
  expect(items).toMatchObject([{ type: 'notice', name: 'no-token' }])
})

test('a stream of somebody who is no longer let in ends with what happens next', async () => {
  const { home, small } = await startSmall({ limits: { heartbeatMs: 600_000 } })
  const { token } = await home.principals.create({
    name: 'guest',
    rights: ['run'],
  })
  const guest = createClient({ socket: home.socket, token })
  onClose(() => guest.close())
  const names: string[] = []
  const read = async () => {
    for await (const item of guest.watchAll()) {
      if (item.type === 'notice') names.push(item.name)
    }
  }
  const ended = expect(read()).rejects.toMatchObject({ code: 'no-token' })
  await until(() => small.log.open === 1, 'it is open')
  await home.principals.revoke('guest')
  await until(() => {
    small.log.append('late')
    return small.log.open === 0
  }, 'it has ended')
  small.log.append('later')
  await ended
  expect(names.at(-1)).toBe('no-token')
})

test('a stream of somebody whose rights have changed ends, and goes on with those they have now', async () => {
  const rights: string[] = []
  const log = new SmallLog()
  const { home } = await startSmall({
    limits: { heartbeatMs: 20 },
    service: {
      watchAll(input, { caller, signal }) {
        rights.push([...caller.rights].join(' '))
        const { after, fromStart = false } = input
        return log.watch({ after, fromStart, signal })
      },
    },
  })
  const { token } = await home.principals.create({
    name: 'guest',
    rights: ['run', 'admin'],
  })
  const guest = createClient({ socket: home.socket, token })
  onClose(() => guest.close())
  const names: string[] = []
  const stop = new AbortController()
  const read = async () => {
    for await (const item of guest.watchAll({}, stop)) {
      if (item.type === 'notice') names.push(item.name)
    }
  }
  const reading = read()
  await until(() => rights.length === 1, 'it is open')
  const { principals: path } = homePaths({ path: home.path })
  const text = readFileSync(path, 'utf8')
  const book = JSON.parse(text)
  for (const one of book.principals) {
    if (one.name === 'guest') one.rights = ['run']
  }
  replacePrivateFile(path, JSON.stringify(book))
  await until(() => rights.length === 2 && log.open === 1, 'it is open again')
  expect(rights).toEqual(['run admin', 'run'])
  expect(names).toEqual(['rights-changed'])
  log.append('later')
  await until(() => names.includes('later'), 'it goes on')
  stop.abort()
  await reading
})

test('whatever made the items is let go of, even if it listens to nothing else', async () => {
  let returned = 0
  const deaf = (): AsyncIterable<StreamItem> => ({
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => undefined),
      return: async () => {
        returned++
        return { done: true, value: undefined }
      },
    }),
  })
  const { client, server } = await startSmall({ service: { watchAll: deaf } })
  const left = client.watchAll()[Symbol.asyncIterator]()
  void left.next()
  await until(() => server.counts.streams === 1, 'it is open')
  await left.return?.()
  await until(() => server.counts.streams === 0 && returned === 1, 'it ended')
  const open = client.watchAll()[Symbol.asyncIterator]()
  const notice = open.next()
  await until(() => server.counts.streams === 1, 'the next is open')
  await server.close(1_000)
  expect((await notice).value).toMatchObject({ name: 'shutting-down' })
  expect(returned).toBe(2)
  await open.return?.()
})

test('lines that break off are no whole', async () => {
  const { client } = await startSmall()
  await client.createSession({ id: 'broken' })
  const lines: unknown[] = []
  const read = async () => {
    for await (const line of client.exportSession({ sessionId: 'broken' }))
      lines.push(line)
  }
  await expect(read()).rejects.toMatchObject({ code: 'unavailable' })
  expect(lines.length).toBeLessThan(501)
  const none = client
    .exportSession({ sessionId: 'none' })
    [Symbol.asyncIterator]()
  await expect(none.next()).rejects.toMatchObject({ code: 'not-found' })
})

test('everything is let go of: descriptors are back to where they were', {
  timeout: slow,
}, async () => {
  const { client, small, server, port, home } = await startSmall()
  const held = () => readdirSync('/proc/self/fd').length
  await client.createSession({ id: 's1' })
  const before = held()
  for (let round = 0; round < 5; round++) {
    const stop = new AbortController()
    const streams = Array.from({ length: 20 }, async () => {
      for await (const _ of client.watchAll({}, stop));
    })
    const waits = Array.from({ length: 20 }, () =>
      client
        .send({ sessionId: 's1', input: 'x', wait: true }, stop)
        .catch(() => undefined),
    )
    await until(
      () => server.counts.streams === 20 && server.counts.requests === 20,
      'all are under way',
    )
    const rude = Array.from({ length: 20 }, () => new RawConnection({ port }))
    for (const one of rude) {
      one.write(
        requestText({
          target: '/v1/events',
          headers: { authorization: `Bearer ${home.token}` },
        }).slice(0, 60),
      )
    }
    stop.abort()
    await Promise.all([...streams, ...waits])
    for (const one of rude) one.socket.resetAndDestroy()
    await Promise.all(rude.map(({ closed }) => closed))
  }
  client.close()
  await until(() => server.counts.connections === 0, 'nobody is connected')
  await until(() => held() <= before, 'all descriptors are closed')
  expect(server.counts).toMatchObject({ requests: 0, streams: 0 })
  expect(small.log.open).toBe(0)
})
