import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { openLocalClient } from '../client.ts'
import {
  closeAll,
  makeFolder,
  onClose,
  startSmall,
  until,
} from '../server/fixtures/small-server.ts'
import { createClient } from './client.ts'
import type { Reconnect } from './client-stream.ts'
import { ProtocolError } from './errors.ts'

afterEach(closeAll)

const failureOf = (asked: Promise<unknown>): Promise<ProtocolError> =>
  asked.then(
    () => {
      throw new Error('It did not fail.')
    },
    (error) => error,
  )

/** Some server that is none of ours. */
async function startOther(
  answer: (write: (text: string) => void, end: () => void) => void,
  headers = {},
): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'hookline-protocol': '2', ...headers })
    answer(
      (text) => void response.write(text),
      () => void response.end(),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onClose(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  })
  // It listens on a port, so that this is its address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('without a daemon, the error says how to start one', async () => {
  const client = createClient({
    socket: join(makeFolder(), 'none.sock'),
    token: 'x',
  })
  const failed = await failureOf(client.listSessions())
  expect(failed).toBeInstanceOf(ProtocolError)
  expect(failed.code).toBe('unavailable')
  expect(failed.message).toContain('start one with "hookline up"')
  const overPort = createClient({ url: 'http://127.0.0.1:1', token: 'x' })
  expect(await failureOf(overPort.listSessions())).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('hookline up'),
  })
  const stream = client.watchAll()[Symbol.asyncIterator]()
  expect(await failureOf(stream.next())).toMatchObject({ code: 'unavailable' })
})

test('a client of this machine finds its daemon by the home', async () => {
  const { home } = await startSmall()
  const client = await openLocalClient({ home: home.path })
  onClose(() => client.close())
  await client.createSession({ id: 'x' })
  expect((await client.listSessions()).items).toHaveLength(1)
  const none = openLocalClient({ home: join(makeFolder(), 'none') })
  expect(await failureOf(none)).toMatchObject({ code: 'unavailable' })
})

test('whether a daemon is ready is an answer, whichever it is', async () => {
  const { client, small } = await startSmall()
  expect(await client.ready()).toMatchObject({ isReady: true })
  small.log.isBroken = true
  expect(await client.ready()).toMatchObject({ isReady: false })
})

test('what is asked for can be given up', async () => {
  const { client, server } = await startSmall()
  await client.createSession({ id: 's1' })
  const stop = new AbortController()
  const sent = client.send({ sessionId: 's1', input: 'x', wait: true }, stop)
  await until(() => server.counts.requests === 1, 'it is under way')
  stop.abort(new Error('enough'))
  await expect(sent).rejects.toThrow('enough')
  await until(() => server.counts.requests === 0, 'the server has noticed')
  const given = client.listSessions(
    {},
    { signal: AbortSignal.abort(new Error('never')) },
  )
  await expect(given).rejects.toThrow('never')
})

test('the same key, as input or as header, reaches the service', async () => {
  const { client, url, home } = await startSmall()
  await client.createSession({ id: 's1' })
  const first = await client.send({ sessionId: 's1', input: 'x', key: 'k' })
  expect(
    await client.send({ sessionId: 's1', input: 'x', key: 'k' }),
  ).toMatchObject({ turnId: first.turnId, isDuplicate: true })
  const answer = await fetch(`${url}/v1/sessions/s1/turns`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${home.token}`,
      'content-type': 'application/json',
      'idempotency-key': 'k',
    },
    body: '{"input":"x"}',
  })
  expect(await answer.json()).toMatchObject({
    turnId: first.turnId,
    isDuplicate: true,
  })
})

test('a stream ends when whoever reads stops, even while nothing comes', async () => {
  const { client, server } = await startSmall()
  const reader = client.watchAll()[Symbol.asyncIterator]()
  const next = reader.next()
  await until(() => server.counts.streams === 1, 'it is open')
  expect(await reader.return?.()).toMatchObject({ done: true })
  expect(await next).toMatchObject({ done: true })
  await until(() => server.counts.streams === 0, 'the server has noticed')
})

test('a stream that is cut off goes on after its last item, slower each time', async () => {
  let opened = 0
  const url = await startOther((write, end) => {
    opened++
    if (opened <= 2)
      write(
        `id: ${opened}\ndata: {"type":"notice","at":1,"name":"n${opened}"}\n\n`,
      )
    if (opened === 6) write('event: end\ndata: {}\n\n')
    end()
  })
  const asked: string[] = []
  const recordingFetch: typeof fetch = (input, init) => {
    asked.push(new URL(input instanceof Request ? input.url : input).search)
    return fetch(input, init)
  }
  const lost: Reconnect[] = []
  const reconnect = {
    firstMs: 10,
    maxMs: 40,
    onReconnect: (about: Reconnect) => void lost.push(about),
  }
  const client = createClient({ url, fetch: recordingFetch, reconnect })
  const names: string[] = []
  for await (const item of client.watchAll({ fromStart: true })) {
    if (item.type === 'notice') names.push(item.name)
  }
  expect(names).toEqual(['n1', 'n2'])
  expect(asked).toEqual([
    '?fromStart=true',
    '?after=1',
    '?after=2',
    '?after=2',
    '?after=2',
    '?after=2',
  ])
  expect(lost.map(({ after }) => after)).toEqual(['1', '2', '2', '2', '2'])
  for (const { inMs, error } of lost) {
    expect(inMs).toBeLessThanOrEqual(40)
    expect(error.code).toBe('unavailable')
  }
})

test('a stream on which not even a heartbeat comes is opened anew', async () => {
  // How long nothing comes is for the test to say, not for the machine.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  const url = await startOther((write) => {
    asked++
    write(asked === 1 ? ':\n\n' : 'event: end\ndata: {}\n\n')
  })
  let opened = 0
  const countingFetch: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    opened++
    return answer
  }
  const reconnect = { idleMs: 1_000, firstMs: 1 }
  const client = createClient({ url, fetch: countingFetch, reconnect })
  const read = (async () => {
    for await (const _ of client.watchAll());
  })()
  await until(() => opened === 1, 'it is open')
  vi.advanceTimersByTime(2_000)
  await read
  expect(asked).toBe(2)
})

test.each([
  [
    '1',
    'speaks version 1 of the protocol, and this program version 2; end its process, and start it again with "hookline up".',
  ],
  [
    '7',
    'speaks version 7 of the protocol, and this program version 2; update this program, or load its page anew.',
  ],
])(
  'F202: of a daemon of version %s is said which of the two is the older one',
  async (version, words) => {
    const headers = { 'hookline-protocol': version }
    const url = await startOther((_, end) => end(), headers)
    const failed = await failureOf(createClient({ url }).health())
    expect(failed.code).toBe('unknown-version')
    expect(failed.message).toBe(`The daemon at ${url} ${words}`)
  },
)

test('what is no daemon of ours gets no further', async () => {
  const stranger = createServer((_, response) => response.end('<html>')).listen(
    0,
    '127.0.0.1',
  )
  await new Promise((resolve) => stranger.once('listening', resolve))
  onClose(() => void stranger.close())
  const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
  expect(await failureOf(createClient({ url }).health())).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('no daemon of hookline'),
  })
})

test('nobody follows when an answer points elsewhere', async () => {
  let reached = 0
  const thief = createServer((_, response) => {
    reached++
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => thief.once('listening', resolve))
  onClose(() => void thief.close())
  const target = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/`
  const redirecting = createServer((_, response) =>
    response.writeHead(307, { location: target }).end(),
  ).listen(0, '127.0.0.1')
  await new Promise((resolve) => redirecting.once('listening', resolve))
  onClose(() => void redirecting.close())
  const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`
  expect(
    await failureOf(createClient({ url, token: 'secret' }).info()),
  ).toMatchObject({ code: 'unavailable' })
  expect(reached).toBe(0)
})

test.each([
  'ftp://localhost',
  'http://user:pass@localhost',
  'http://localhost/?token=x',
  'http://daemon.example',
])('%s is no URL for a token', (url) => {
  expect(() => createClient({ url, token: 'x' })).toThrow(ProtocolError)
})

test('other machines are reached by https, or by an explicit word', () => {
  expect(() => createClient({ url: 'https://daemon.example' })).not.toThrow()
  expect(() =>
    createClient({ url: 'http://daemon.example', remote: 'without-tls' }),
  ).not.toThrow()
})
