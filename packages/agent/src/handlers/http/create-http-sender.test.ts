import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import {
  always,
  answerTo,
  rawReply,
  type Serve,
  startHostile,
} from './fixtures/hostile-server.ts'
import { withoutLeaks } from './fixtures/leaks.ts'
import { endOf, openSender, specFor, until } from './fixtures/send.ts'

const proceed = always((seen) => ({ body: answerTo(seen) }))

/** The first request is treated in one way, all others are answered. */
const first =
  (serve: Serve): Serve =>
  (socket, seen) =>
    seen.number === 1 ? serve(socket, seen) : proceed(socket, seen)

test('a reply is its status, its headers and its body, however it is packed', async () => {
  const { gzipSync, deflateSync, brotliCompressSync } = await import(
    'node:zlib'
  )
  const text = JSON.stringify({ type: 'proceed', note: 'ü'.repeat(1_000) })
  const pack = {
    identity: Buffer.from(text),
    gzip: gzipSync(text),
    deflate: deflateSync(text),
    br: brotliCompressSync(text),
  }
  for (const [encoding, body] of Object.entries(pack)) {
    const headers = { 'content-encoding': encoding, 'x-Name': 'v' }
    await using server = await startHostile(always({ headers, body }))
    await using sender = openSender()
    const end = await sender.send(specFor(server.port))
    expect(end).toMatchObject({ status: 200, body: text })
    expect(end.headers['x-name']).toBe('v')
    expect(end.elapsedMs).toBeGreaterThan(0)
  }
})

test('F083 a host that cannot be found, or has no address, is a failed network', async () => {
  const lost = Object.assign(new Error('lost'), { code: 'ENOTFOUND' })
  await using unknown = openSender({ lookup: () => Promise.reject(lost) })
  await using empty = openSender({ lookup: async () => [] })
  const spec = specFor(1, { url: 'http://judge.test/' })
  expect(await endOf(unknown.send(spec))).toBe('network')
  expect(await endOf(empty.send(spec))).toBe('network')
})

test('F083 a port that refuses is tried once more, since nothing was sent, and is a failed network', async () => {
  await withoutLeaks(async () => {
    const gone = await startHostile(proceed)
    await gone[Symbol.asyncDispose]()
    const told: string[] = []
    const diagnose = (code: string) => told.push(code)
    await using sender = openSender()
    const sent = sender.send(specFor(gone.port, { diagnose }))
    expect(await endOf(sent)).toBe('network')
    expect(told).toEqual(['http-repeated'])
  })
})

test('F083 a host of several addresses that all refuse is a failed network', async () => {
  const gone = await startHostile(proceed)
  await gone[Symbol.asyncDispose]()
  const lookup = async () => [
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
  ]
  await using sender = openSender({ lookup })
  const url = `http://judge.test:${gone.port}/`
  expect(await endOf(sender.send(specFor(1, { url })))).toBe('network')
})

test.for([429, 502, 503])(
  'F084 a %i that passes is repeated once with the same run, where that is safe',
  async (status) => {
    const serve = first(always({ status, headers: { 'retry-after': '0' } }))
    await using server = await startHostile(serve)
    await using sender = openSender()
    const end = sender.send(specFor(server.port, { mayRepeat: true }))
    expect(await endOf(end)).toBe(200)
    expect(server.seen.map(({ run }) => run)).toEqual(['run-1', 'run-1'])
  },
)

test('F084 the wait that a server asks for is kept, if there is so much time', async () => {
  const clock = createFakeClock()
  for (const form of ['seconds', 'date']) {
    const date = new Date(clock.wallAt(clock.now()) + 1_000).toUTCString()
    const asked = form === 'date' ? date : '1'
    const retry = { status: 503, headers: { 'retry-after': asked } }
    await using server = await startHostile(first(always(retry)))
    await using sender = openSender({ clock })
    const spec = specFor(server.port, { mayRepeat: true, timeoutMs: 5_000 })
    const end = endOf(sender.send(spec))
    // The timer of the deadline, and that of the wait.
    await until(() => clock.pending === 2)
    await clock.advance(900)
    expect(server.seen).toHaveLength(1)
    await clock.advance(100)
    expect(await end).toBe(200)
  }
})

test('F084 there is no second try where its wait would outlast the deadline', async () => {
  const retry = { status: 503, headers: { 'retry-after': '10' } }
  await using server = await startHostile(first(always(retry)))
  await using sender = openSender()
  const spec = specFor(server.port, { mayRepeat: true, timeoutMs: 9_900 })
  expect(await endOf(sender.send(spec))).toBe(503)
  expect(server.seen).toHaveLength(1)
})

test('F084 an unreadable wait is no leave to repeat', async () => {
  const headers = { 'retry-after': 'soon' }
  await using server = await startHostile(
    first(always({ status: 503, headers })),
  )
  await using sender = openSender()
  const end = sender.send(specFor(server.port, { mayRepeat: true }))
  expect(await endOf(end)).toBe(503)
})

test('F090 the deadline covers connecting, headers and body, and is kept', async () => {
  const serves: Serve[] = [
    () => {},
    (socket) => void socket.write('HTTP/1.1 200 OK\r\nx: '),
    (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n{'),
  ]
  for (const serve of serves) {
    await withoutLeaks(async () => {
      await using server = await startHostile(serve)
      await using sender = openSender()
      const startedMs = performance.now()
      const sent = sender.send(specFor(server.port, { timeoutMs: 200 }))
      expect(await endOf(sent)).toBe('timed-out')
      const elapsedMs = performance.now() - startedMs
      expect(elapsedMs).toBeGreaterThanOrEqual(199)
      expect(elapsedMs).toBeLessThan(5_000)
    })
  }
  const lookup = () => new Promise<never>(() => {})
  await using slow = openSender({ lookup })
  const unanswered = { url: 'http://judge.test/', timeoutMs: 50 }
  expect(await endOf(slow.send(specFor(1, unanswered)))).toBe('timed-out')
  expect(await endOf(slow.send(specFor(1, { timeoutMs: 0 })))).toBe('timed-out')
})

test('F091 of an endless body no more is read than is allowed', async () => {
  let written = 0
  const chunk = Buffer.alloc(65_536, ' ')
  await using server = await startHostile((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', more)
    socket.once('close', () => {
      written = socket.bytesWritten
    })
    more()
  })
  await using sender = openSender()
  const before = process.memoryUsage().rss
  expect(await endOf(sender.send(specFor(server.port)))).toBe('too-large')
  await until(() => written > 0)
  // What the kernel holds between the two is a few megabytes.
  expect(written).toBeLessThan(32 * 1_048_576)
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576)
})

test('F095 after a failure the host is looked up anew, and the old connection is not used', async () => {
  let isDead = false
  await using old = await startHostile((socket, seen) => {
    if (isDead) socket.resetAndDestroy()
    else proceed(socket, seen)
  })
  await using other = await startHostile(proceed, {
    host: '127.0.0.2',
    port: old.port,
  })
  const lookup = async () => [
    { address: isDead ? '127.0.0.2' : '127.0.0.1', family: 4 },
  ]
  const url = `http://judge.test:${old.port}/`
  for (const mayRepeat of [false, true]) {
    isDead = false
    await using sender = openSender({ lookup })
    const spec = specFor(1, { url, mayRepeat })
    // Two connections are kept, and both lead to the one that is going to die.
    const both = [sender.send(spec), sender.send(spec)].map(endOf)
    expect(await Promise.all(both)).toEqual([200, 200])
    isDead = true
    const served = other.seen.length
    const end = await endOf(sender.send(spec))
    expect(end).toBe(mayRepeat ? 200 : 'unknown-outcome')
    expect(await endOf(sender.send(spec))).toBe(200)
    expect(other.seen.length - served).toBe(mayRepeat ? 2 : 1)
  }
})

test('F098 a request whose outcome is unknown is sent again, with the same run, only if it may come twice', async () => {
  const serve = first((socket) => socket.end())
  for (const mayRepeat of [false, true]) {
    await using server = await startHostile(serve)
    await using sender = openSender()
    const end = await endOf(sender.send(specFor(server.port, { mayRepeat })))
    expect(end).toBe(mayRepeat ? 200 : 'unknown-outcome')
    expect(new Set(server.seen.map(({ run }) => run))).toEqual(
      new Set(['run-1']),
    )
    expect(server.seen).toHaveLength(mayRepeat ? 2 : 1)
  }
})

test.for<[string, Serve]>([
  ['broke off', (socket) => socket.end()],
  [
    'could not answer now',
    always({
      status: 503,
      headers: { 'retry-after': '0', connection: 'close' },
    }),
  ],
])(
  'F098 a server that %s and is gone then has been asked, and is not said to be out of reach',
  async ([, serve]) => {
    await using server = await startHostile(serve)
    let lookups = 0
    const lookup = async () => [
      { address: lookups++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 },
    ]
    await using sender = openSender({ lookup })
    const url = `http://judge.test:${server.port}/`
    const end = sender.send(specFor(1, { url, mayRepeat: true }))
    expect(await endOf(end)).toBe('broken-off')
    expect(server.seen).toHaveLength(1)
    expect(lookups).toBe(2)
  },
)

test('F098 a server that could not answer, and has an address then that is not asked, is told with both', async () => {
  const headers = { 'retry-after': '0', connection: 'close' }
  await using server = await startHostile(always({ status: 503, headers }))
  const found = ['127.0.0.1', '169.254.169.254']
  let lookups = 0
  const lookup = async () => [{ address: found[lookups++] ?? '', family: 4 }]
  const told: string[] = []
  const diagnose = (code: string) => told.push(code)
  await using sender = openSender({ lookup })
  const url = `http://judge.test:${server.port}/`
  const spec = specFor(1, { url, mayRepeat: true, diagnose })
  const end = sender.send(spec)
  await expect(end).rejects.toMatchObject({
    code: 'broken-off',
    message: expect.stringMatching(
      /status 503.*judge\.test is not this machine/,
    ),
  })
  expect(told).toEqual(['http-repeated', 'handler.blocked-address'])
})

test('what is left of its caller’s time is asked for when the request begins', async () => {
  const clock = createFakeClock()
  const callerEndMs = clock.now() + 1_000
  await using server = await startHostile(() => {})
  await using sender = openSender({ clock })
  const caller = new AbortController()
  const spec = specFor(server.port, {
    timeoutMs: () => callerEndMs - clock.now(),
    signal: caller.signal,
  })
  // It stands still between making the request and sending it.
  await clock.advance(400)
  const end = endOf(sender.send(spec))
  await until(() => server.seen.length === 1)
  await clock.advance(600)
  caller.abort()
  expect(await end).toBe('timed-out')
})

test('connections are used again, and let go when the sender is closed', async () => {
  await withoutLeaks(async () => {
    await using server = await startHostile(proceed)
    const sender = openSender()
    for (let count = 0; count < 5; count++) {
      expect(await endOf(sender.send(specFor(server.port)))).toBe(200)
    }
    expect(server.connections).toEqual({ made: 1, open: 1 })
    await sender.close()
    await until(() => server.connections.open === 0)
    expect(await endOf(sender.send(specFor(server.port)))).toBe('cancelled')
  })
})

test('whoever gives up waiting, and whoever closes the sender, ends what is under way', async () => {
  await withoutLeaks(async () => {
    await using server = await startHostile(() => {})
    await using sender = openSender()
    const giving = new AbortController()
    const { signal } = giving
    const given = endOf(sender.send(specFor(server.port, { signal })))
    const left = endOf(sender.send(specFor(server.port)))
    await until(() => server.seen.length === 2)
    giving.abort()
    expect(await given).toBe('cancelled')
    await sender.close()
    expect(await left).toBe('cancelled')
    expect(await endOf(sender.send(specFor(1, { signal })))).toBe('cancelled')
  })
})

test('F100 a header that would be read as two, or that is not for others to set, is not sent', async () => {
  await using server = await startHostile(proceed)
  await using sender = openSender()
  const bad: Record<string, string>[] = [
    { 'x-note': 'canary\r\nauthorization: Bearer' },
    { 'x-note': 'canary\nx' },
    { 'x-note': 'canary\u0000' },
    { 'x-note': 'canary\u0100' },
    { 'x note': 'canary' },
    { '': 'canary' },
    { 'x:y': 'canary' },
    { Host: 'canary' },
    { 'Transfer-Encoding': 'chunked' },
    { 'content-length': '1' },
    { 'x-note': 'canary', 'X-Note': 'b' },
  ]
  for (const headers of bad) {
    const sent = sender.send(specFor(server.port, { headers }))
    await expect(sent).rejects.toMatchObject({ code: 'invalid' })
    await expect(sent).rejects.not.toThrow(/canary/)
  }
  expect(server.connections.made).toBe(0)
})

test('F097 a reply that comes twice is never the reply to the next request', async () => {
  const held: { again?: () => void } = {}
  await using server = await startHostile((socket, seen) => {
    const reply = rawReply({ body: answerTo(seen) })
    if (seen.number % 2 === 0) socket.write(Buffer.concat([reply, reply]))
    else socket.write(reply)
    held.again = () => socket.write(reply)
  })
  await using sender = openSender()
  for (const run of ['run-1', 'run-2', 'run-3', 'run-4']) {
    const headers = { 'hookline-run': run }
    const end = await sender.send(specFor(server.port, { headers }))
    expect(JSON.parse(end.body)).toMatchObject({ run })
    held.again?.()
    await until(() => server.connections.open === 0)
  }
})
