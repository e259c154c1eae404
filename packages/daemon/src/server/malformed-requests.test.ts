import { afterEach, expect, test } from 'vitest'
import { RawConnection, requestText, sendRaw } from './fixtures/raw.ts'
import { closeAll, startSmall, until } from './fixtures/small-server.ts'

afterEach(closeAll)

const head = 'POST /v1/sessions HTTP/1.1\r\nhost: localhost\r\n'
const typed = `${head}content-type: application/json\r\n`

const broken: readonly (readonly [string, string, number])[] = [
  ['no HTTP at all', 'hello\r\n\r\n', 405],
  ['TLS to a plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 405],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['a version that is none', 'GET / HTTP/9.9\r\nhost: localhost\r\n\r\n', 400],
  ['a header without a colon', 'GET / HTTP/1.1\r\nhost localhost\r\n\r\n', 400],
  [
    'a blank before the colon',
    'GET / HTTP/1.1\r\nhost : localhost\r\n\r\n',
    400,
  ],
  [
    'a header over two lines',
    'GET / HTTP/1.1\r\nhost: localhost\r\nx: a\r\n b\r\n\r\n',
    400,
  ],
  [
    'a zero in a header',
    'GET / HTTP/1.1\r\nhost: localhost\r\nx: a\0b\r\n\r\n',
    400,
  ],
  ['a lone line feed', 'GET / HTTP/1.1\nhost: localhost\n\n', 400],
  [
    'a length and chunks',
    `${typed}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  [
    'two lengths',
    `${typed}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
    400,
  ],
  ['a length that is none', `${typed}content-length: 2x\r\n\r\n{}`, 400],
  ['a negative length', `${typed}content-length: -1\r\n\r\n{}`, 400],
  [
    'a length beyond numbers',
    `${typed}content-length: 99999999999999999999999\r\n\r\n{}`,
    400,
  ],
  [
    'an unknown coding',
    `${typed}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  [
    'chunks that are not last',
    `${typed}transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
    400,
  ],
  [
    'a chunk without a size',
    `${typed}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    400,
  ],
  [
    'a chunk longer than it says',
    `${typed}transfer-encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`,
    400,
  ],
  [
    'a host twice',
    'GET /v1/health HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\nconnection: close\r\n\r\n',
    400,
  ],
  [
    'a token twice',
    'GET /v1/health HTTP/1.1\r\nhost: localhost\r\nauthorization: a\r\nauthorization: b\r\nconnection: close\r\n\r\n',
    400,
  ],
  ['a GET with a body', requestText({ body: '{}' }), 400],
  [
    'an expectation that nobody has',
    requestText({ headers: { expect: 'a-miracle' } }),
    417,
  ],
  [
    'headers of 17 KiB',
    requestText({ headers: { x: 'x'.repeat(17_000) } }),
    431,
  ],
  [
    'a target of 17 KiB',
    requestText({ target: `/${'x'.repeat(17_000)}` }),
    431,
  ],
]
test.each(broken)('F196: %s is refused', async (_, text, status) => {
  const { port, home, server, client } = await startSmall()
  const withToken = text.replace(
    'host: localhost\r\n',
    `host: localhost\r\nauthorization: Bearer ${home.token}\r\n`,
  )
  const isAboutToken = text.includes('authorization')
  const bytes = Buffer.from(isAboutToken ? text : withToken, 'latin1')
  for (const place of [{ port }, { path: home.socket }]) {
    const answers = await sendRaw(place, bytes)
    expect(answers.map((answer) => answer.status)).toEqual([status])
    expect(answers[0]?.headers.get('cache-control')).toBe('no-store')
  }
  expect(await client.health()).toMatchObject({ status: 'ok' })
  expect(server.counts.requests).toBe(0)
})

test('F196: many headers are no way around their size', async () => {
  const { port } = await startSmall()
  const many = Object.fromEntries(
    Array.from({ length: 4_000 }, (_, at) => [`x${at}`, 'y']),
  )
  const [answer] = await sendRaw({ port }, requestText({ headers: many }))
  expect(answer?.status).toBe(431)
})

test('F196: no header is overlooked because it comes after many others', async () => {
  const { port, home, small } = await startSmall()
  const named = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`x${at}`, 'y']),
    )
  const authorization = `Bearer ${home.token}`
  const origin = 'http://evil.example'
  const ask = (count: number) =>
    sendRaw(
      { port },
      requestText({ headers: { authorization, ...named(count), origin } }),
    )
  expect((await ask(90))[0]?.status).toBe(403)
  expect((await ask(110))[0]?.status).toBe(413)
  expect(small.asked).toEqual([])
})

test('F196: a body that is too large is refused before it is read, and as it comes', async () => {
  const { port, home, client } = await startSmall({
    limits: { bodyBytes: 1_000 },
  })
  const authorization = `Bearer ${home.token}`
  const base = { authorization, 'content-type': 'application/json' }
  const body = JSON.stringify({ cwd: 'x'.repeat(2_000) })
  const said = requestText({
    method: 'POST',
    headers: { ...base, 'content-length': '100000000' },
  })
  const connection = new RawConnection({ port })
  connection.write(said)
  await until(
    () => connection.answers.length === 1,
    'it is refused by its length',
  )
  expect(connection.answers[0]?.status).toBe(413)
  connection.socket.destroy()
  const chunked = requestText({
    method: 'POST',
    headers: { ...base, 'transfer-encoding': 'chunked' },
  })
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const [answer] = await sendRaw({ port }, chunked + chunk)
  expect(answer?.status).toBe(413)
  const failed = await client
    .createSession({ cwd: 'x'.repeat(2_000) })
    .catch((error) => error)
  expect(failed.code).toBe('too-large')
  expect((await client.createSession({})).id).toBe('s1')
})

test('F196: whoever goes on sending what was refused is cut off', async () => {
  const { port, home } = await startSmall({ limits: { bodyBytes: 1_000 } })
  const headers = {
    authorization: `Bearer ${home.token}`,
    'content-type': 'application/json',
    connection: 'keep-alive',
    'content-length': '1000000000',
  }
  const connection = new RawConnection({ port })
  connection.write(requestText({ method: 'POST', headers }))
  const piece = Buffer.alloc(1_048_576)
  let sent = 0
  while (!connection.isClosed && sent < 200) {
    const isTaken = await new Promise((resolve) =>
      connection.socket.write(piece, (error) => resolve(!error)),
    )
    if (!isTaken) break
    sent++
  }
  await connection.closed
  expect(sent).toBeLessThan(100)
})

test('F196: a body is only asked for when it would be taken', async () => {
  const { port, home } = await startSmall()
  const headers = {
    'content-type': 'application/json',
    expect: '100-continue',
    'content-length': '2',
  }
  const refused = new RawConnection({ port })
  refused.write(requestText({ method: 'POST', headers }))
  await until(() => refused.answers.length > 0, 'an answer')
  expect(refused.answers[0]?.status).toBe(401)
  refused.socket.destroy()
  const taken = new RawConnection({ port })
  taken.write(
    requestText({
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${home.token}` },
    }),
  )
  await until(
    () => taken.received.startsWith('HTTP/1.1 100 Continue'),
    'a word to go on',
  )
  taken.write('{}')
  await taken.closed
  expect(taken.received).toContain('HTTP/1.1 200 OK')
})

test('F196: requests behind each other are answered in order', async () => {
  const { port, home } = await startSmall()
  const authorization = `Bearer ${home.token}`
  const get = (target: string, connection: string) =>
    requestText({ target, headers: { authorization, connection } })
  const answers = await sendRaw(
    { port },
    get('/v1/health', 'keep-alive') +
      get('/v1/sessions/none', 'keep-alive') +
      get('/v1/health', 'close'),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200])
})

test('F196: a request hidden in the body of another is not one', async () => {
  const { port, home, small } = await startSmall()
  const authorization = `Bearer ${home.token}`
  const hidden = requestText({
    method: 'POST',
    target: '/v1/shutdown',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{}',
  })
  const text = requestText({
    method: 'POST',
    body: hidden,
    headers: { authorization, 'content-type': 'application/json' },
  })
  const answers = await sendRaw({ port }, text)
  expect(answers.map(({ status }) => status)).toEqual([400])
  expect(small.asked).toEqual([])
})

test('F196: a flood of requests behind each other costs its connection, and nothing else', async () => {
  const { port, client, small, home } = await startSmall()
  await client.createSession({ id: 's1' })
  const body = '{"input":"x","wait":true}'
  const headers = {
    authorization: `Bearer ${home.token}`,
    'content-type': 'application/json',
    connection: 'keep-alive',
  }
  const one = requestText({
    method: 'POST',
    target: '/v1/sessions/s1/turns',
    headers,
    body,
  })
  await sendRaw({ port }, one.repeat(100))
  expect(small.asked.length).toBeLessThan(12)
  expect(await client.health()).toMatchObject({ status: 'ok' })
})

const quick = {
  headersTimeoutMs: 150,
  requestTimeoutMs: 300,
  checkMs: 20,
  keepAliveMs: 100,
}

test('F196: headers that trickle in are cut off', async () => {
  const { port, server } = await startSmall({ limits: quick })
  const loris = new RawConnection({ port })
  loris.write('GET /v1/health HTTP/1.1\r\nhost: localhost\r\n')
  const trickle = setInterval(() => loris.write('x: y\r\n'), 20)
  await loris.closed
  clearInterval(trickle)
  expect(loris.answers[0]?.status).toBe(408)
  await until(() => server.counts.connections === 0, 'nobody is connected')
})

test('F196: a body that trickles in is cut off, however long it says it is', async () => {
  const { port, home, server } = await startSmall({ limits: quick })
  for (const length of [
    { 'content-length': '1000' },
    { 'transfer-encoding': 'chunked' },
  ]) {
    const loris = new RawConnection({ port })
    const headers = {
      authorization: `Bearer ${home.token}`,
      'content-type': 'application/json',
      ...length,
    }
    loris.write(requestText({ method: 'POST', headers }))
    const trickle = setInterval(
      () => loris.write('content-length' in length ? '{' : '1\r\n{\r\n'),
      20,
    )
    await loris.closed
    clearInterval(trickle)
    expect(loris.answers[0]?.status).toBe(408)
  }
  await until(() => server.counts.requests === 0, 'nothing is under way')
})

test('F196: connections that say nothing, or nothing more, are closed', async () => {
  const { port, server } = await startSmall({ limits: quick })
  const silent = Array.from({ length: 20 }, () => new RawConnection({ port }))
  await Promise.all(silent.map(({ closed }) => closed))
  await until(() => server.counts.connections === 0, 'nobody is connected')
  // What was asked has all the time to come in.
  const { keepAliveMs } = quick
  const patient = await startSmall({ limits: { keepAliveMs } })
  const once = new RawConnection({ port: patient.port })
  once.write(
    requestText({
      target: '/v1/health',
      headers: { connection: 'keep-alive' },
    }),
  )
  await once.closed
  expect(once.answers[0]?.status).toBe(200)
  await until(() => patient.server.counts.connections === 0, 'nor here')
})

test('F196: there are no more connections than there may be', async () => {
  const { port, server } = await startSmall({ limits: { connections: 10 } })
  const all = Array.from({ length: 30 }, () => new RawConnection({ port }))
  await until(
    () => all.filter(({ isClosed }) => isClosed).length === 20,
    'twenty are turned away',
  )
  expect(server.counts.connections).toBe(10)
  for (const { socket } of all) socket.destroy()
  await until(() => server.counts.connections === 0, 'all have gone')
  const [answer] = await sendRaw(
    { port },
    requestText({ target: '/v1/health' }),
  )
  expect(answer?.status).toBe(200)
})

test('nothing goes on for those who have gone, however many they asked for', async () => {
  const { port, home, client, server } = await startSmall()
  const { id } = await client.createSession({})
  const asked = requestText({
    method: 'POST',
    target: `/v1/sessions/${id}/turns`,
    headers: {
      authorization: `Bearer ${home.token}`,
      'content-type': 'application/json',
      connection: 'keep-alive',
    },
    body: JSON.stringify({ input: 'Go.', wait: true }),
  })
  const connection = new RawConnection({ port })
  // All but the first wait for their turn, and have no line of their own.
  connection.write(asked.repeat(3))
  await until(() => server.counts.requests === 3, 'all are under way')
  connection.socket.destroy()
  await until(() => server.counts.requests === 0, 'none is any more')
  // This one is gone by the time it has been read.
  const hasty = new RawConnection({ port })
  hasty.socket.write(asked, () => hasty.socket.resetAndDestroy())
  await hasty.closed
  await until(() => server.counts.requests === 0, 'nor is the hasty one')
})
