import { readFileSync } from 'node:fs'
import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { greet, openWeb } from './fixtures/odd-web.ts'
import { openStage, until } from './fixtures/stage.ts'
import type { McpHttpServer } from './server-config.ts'

const key = 'tok-3141592653589'

function open(
  url: string,
  rest: Partial<McpHttpServer> = {},
  clock?: ReturnType<typeof createFakeClock>,
) {
  const headers = { authorization: `Bearer $${'{WEB_TOKEN}'}` }
  const env = { names: ['WEB_TOKEN'] }
  return openStage({
    servers: { web: { url, headers, env, isTrusted: true, ...rest } },
    env: { WEB_TOKEN: key },
    ...(clock && { clock }),
  })
}

function reply(id: number | undefined, text: string) {
  const result = { content: [{ type: 'text', text }] }
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

describe('a server that is asked over HTTP', () => {
  test('has its header with every request, and is told when nobody needs it', async () => {
    const { url, asked } = await openWeb((one, response) => {
      if (greet(one, response)) return
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(reply(one.body.id, `you sent ${one.headers.authorization}`))
    })
    const { call, runtime } = await open(url)
    expect(await call('mcp__web__go')).toMatchObject({
      isError: false,
      text: 'you sent [secret]',
    })
    await runtime.close()
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(
      asked.map(() => `Bearer ${key}`),
    )
    expect(asked.at(-1)).toMatchObject({
      method: 'DELETE',
      headers: { 'mcp-session-id': 'session-1' },
    })
  })

  test('is told who asks, and of which version', async () => {
    const { url, asked } = await openWeb((one, response) => {
      greet(one, response)
    })
    const { tools } = await open(url)
    await tools()
    const [first] = asked
    const manifest = new URL('../../../package.json', import.meta.url)
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
    expect(first?.body).toMatchObject({
      method: 'initialize',
      params: { clientInfo: { name: 'hookline', version } },
    })
  })

  test('T36 is not followed to another address, and its key goes nowhere else', async () => {
    const elsewhere = await openWeb((_, response) => response.end('{}'))
    const { url } = await openWeb((_, response) => {
      response.writeHead(307, { location: elsewhere.url }).end()
    })
    const { tools, plugin } = await open(url)
    expect(await tools()).toEqual([])
    expect(elsewhere.asked).toEqual([])
    expect(plugin.status()).toMatchObject([{ state: 'failed' }])
  })

  test('T36 nor to another place on the same server', async () => {
    const { url, asked } = await openWeb((_, response) => {
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    const { tools } = await open(url)
    expect(await tools()).toEqual([])
    expect(asked).toHaveLength(1)
  })

  test.each([
    [401, 'It refuses our credentials (HTTP 401).'],
    [404, 'It is not there, or has forgotten us (HTTP 404).'],
    [500, 'It answers with HTTP 500.'],
  ])(
    'T55 that answers %d is told of without its words',
    async (status, reason) => {
      const { url } = await openWeb(({ headers }, response) => {
        response.writeHead(status).end(`bad key ${headers.authorization}`)
      })
      const { tools, plugin, events } = await open(url)
      expect(await tools()).toEqual([])
      expect(plugin.status()).toEqual([
        { server: 'web', state: 'failed', reason, agents: 1, calls: 0 },
      ])
      expect(JSON.stringify(events)).not.toContain(key)
    },
  )

  test('that is not there is told as such', async () => {
    const { url, server } = await openWeb(() => {})
    await new Promise((done) => server.close(done))
    const { tools, plugin } = await open(url)
    expect(await tools()).toEqual([])
    expect(plugin.status()).toMatchObject([
      { reason: 'It cannot be reached (ECONNREFUSED).' },
    ])
  })

  test('T38 with an answer that never ends is left when it is too long', async () => {
    const { url } = await openWeb((one, response) => {
      if (greet(one, response)) return
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    const { call } = await open(url, { maxMessageBytes: 1_000_000 })
    const { isError, text } = await call('mcp__web__go')
    expect(isError).toBe(true)
    expect(text).toContain('It sent a message of more than 1000000 bytes.')
  })

  test('T38 with an event that never ends, too, and many short ones are fine', async () => {
    const { url } = await openWeb((one, response) => {
      if (greet(one, response)) return
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const isFirst = JSON.stringify(one.body.params).includes('"first"')
      for (let line = 0; line < 2_000; line++) {
        response.write(`data: ${'x'.repeat(1_000)}\n${isFirst ? '\n' : ''}`)
      }
      response.write(`data: ${reply(one.body.id, 'done')}\n\n`)
    })
    const { call } = await open(url, { maxMessageBytes: 100_000 })
    const short = await call('mcp__web__go', { which: 'first' })
    expect(short).toMatchObject({ isError: false, text: 'done' })
    const { isError, text } = await call('mcp__web__go')
    expect(isError).toBe(true)
    expect(text).toContain('It sent a message of more than 100000 bytes.')
  })

  test('T38 with an answer that does not come is left after its time, and its socket with it', async () => {
    const clock = createFakeClock()
    let isClosed = false
    const { url, asked } = await openWeb((one, response) => {
      if (greet(one, response)) return
      response.on('close', () => {
        isClosed = true
      })
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(' ')
    })
    const { call } = await open(url, { requestTimeoutMs: 4_000 }, clock)
    const hanging = call('mcp__web__go')
    const isAsked = () => asked.some(({ body }) => body.method === 'tools/call')
    await until(isAsked, 'the call')
    await clock.advance(4_000)
    expect((await hanging).text).toContain('did not answer within 4000 ms')
    await until(() => isClosed, 'the connection is closed')
  })

  test('that ends the stream without an answer ends the call', async () => {
    const { url } = await openWeb((one, response) => {
      if (greet(one, response)) return
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(': nothing\n\n')
    })
    const { call } = await open(url)
    const { isError, text } = await call('mcp__web__go')
    expect(isError).toBe(true)
    expect(text).toContain('It ended the connection without an answer.')
  })

  test('that has forgotten the session is greeted again by the next call', async () => {
    let forgets = true
    const { url, asked } = await openWeb((one, response) => {
      const isCall = one.body.method === 'tools/call'
      if (isCall && forgets) {
        forgets = false
        response.writeHead(404).end()
        return
      }
      if (greet(one, response)) return
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(reply(one.body.id, 'fine'))
    })
    const { call } = await open(url)
    expect(await call('mcp__web__go')).toMatchObject({ isError: true })
    expect(await call('mcp__web__go')).toMatchObject({ text: 'fine' })
    const greetings = asked.filter(({ body }) => body.method === 'initialize')
    expect(greetings).toHaveLength(2)
  })

  test('needs its variables, and says which is missing', async () => {
    const { url, asked } = await openWeb(() => {})
    const { tools, plugin, statuses } = await open(url, {
      headers: { 'x-key': `$${'{OTHER}'}` },
    })
    expect(await tools()).toEqual([])
    expect(asked).toEqual([])
    expect(statuses).toMatchObject([
      {
        state: 'failed',
        reason:
          'The variable OTHER is not set, or not granted; set it, and name it in "env".',
      },
    ])
    expect(plugin.status()).toMatchObject([{ server: 'web' }])
  })
})
