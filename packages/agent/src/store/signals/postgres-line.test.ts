import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createFakeClock } from 'hookline/testing'
import pg from 'pg'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { startChild } from '../fixtures/child.ts'
import { makeReadyPlace, removePlace } from '../fixtures/places.ts'
import { startProxy, type TcpProxy } from '../fixtures/tcp-proxy.ts'
import { openSignals } from './open-signals.ts'
import type { OwnSignals } from './signal-hub.ts'

const program = new URL('./fixtures/listen-program.ts', import.meta.url)
const opened: OwnSignals[] = []
const proxies: TcpProxy[] = []
let count = 0
/** Of a database that nobody else has: its connections are all ours. */
let databaseUrl = ''
// The server may have to be started.
beforeAll(async () => {
  const place = await makeReadyPlace('postgres')
  if (place.dialect === 'postgres') databaseUrl = place.url
  return () => removePlace(place)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((signals) => signals.close()))
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()))
})

interface OpenOptions {
  readonly schema: string
  readonly url?: string
  readonly statementMs?: number
}

/** Nobody looks for themselves: the clock stands still. */
async function open({ schema, url, statementMs = 10_000 }: OpenOptions) {
  const errors: unknown[] = []
  const database = { url: url ?? databaseUrl, schema }
  const signals = await openSignals(
    { ...database, statementMs },
    { clock: createFakeClock(), onError: (error) => errors.push(error) },
  )
  opened.push(signals)
  return { signals, errors }
}

/** Through a line that can be cut. */
async function openThroughProxy(options: OpenOptions) {
  const url = new URL(databaseUrl)
  const proxy = await startProxy(Number(url.port))
  proxies.push(proxy)
  url.port = `${proxy.port}`
  return { proxy, ...(await open({ ...options, url: url.href })) }
}

const newSchema = () => `signals_${process.pid}_${++count}`

/** Counts calls, and can wait for the next one. */
function listen(signals: OwnSignals, topic = 'a') {
  let calls = 0
  let next = Promise.withResolvers<void>()
  signals.on(topic, () => {
    calls += 1
    next.resolve()
    next = Promise.withResolvers()
  })
  return {
    get calls() {
      return calls
    },
    next: () => next.promise,
  }
}

async function ask(sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('a word is heard by other processes at once, and not by other schemas', async () => {
  const schema = newSchema()
  const [one, other] = [await open({ schema }), await open({ schema })]
  const stranger = await open({ schema: newSchema() })
  const heard = listen(other.signals)
  const strange = listen(stranger.signals)
  // The first call is that it is connected.
  await Promise.all([heard.next(), strange.next()])
  const tookMs: number[] = []
  for (let round = 0; round < 20; round++) {
    const next = heard.next()
    const start = performance.now()
    one.signals.tell('a')
    await next
    tookMs.push(performance.now() - start)
  }
  tookMs.sort((a, b) => a - b)
  console.log(`a word to another connection: ${tookMs[10]?.toFixed(1)} ms`)
  expect(heard.calls).toBe(21)
  expect(strange.calls).toBe(1)
  expect([one.errors, other.errors]).toEqual([[], []])
})

test('odd topics pass as they are', async () => {
  const schema = newSchema()
  const [one, other] = [await open({ schema }), await open({ schema })]
  const topic = `odd \u0000 \ud800 "'; ${'long'.repeat(1_000)}`
  const heard = listen(other.signals, topic)
  await heard.next()
  const next = heard.next()
  one.signals.tell(topic)
  await next
  expect(heard.calls).toBe(2)
})

test('who tells all the time is heard often enough, and after the last word', async () => {
  const schema = newSchema()
  const [one, other] = [await open({ schema }), await open({ schema })]
  const [heard, last] = [listen(other.signals), listen(other.signals, 'last')]
  const own = listen(one.signals)
  await Promise.all([heard.next(), last.next(), own.next()])
  const next = last.next()
  for (let round = 0; round < 20_000; round++) {
    one.signals.tell('a')
    if (round % 100 === 0) await Promise.resolve()
  }
  one.signals.tell('last')
  await next
  expect(heard.calls).toBeGreaterThan(1)
  expect(heard.calls).toBeLessThan(100)
})

test('F171 a connection that is lost is made again, and whoever listens looks', async () => {
  const schema = newSchema()
  const [one, other] = [await open({ schema }), await open({ schema })]
  const [heard, own] = [listen(other.signals), listen(one.signals)]
  await Promise.all([heard.next(), own.next()])
  const again = Promise.all([heard.next(), own.next()])
  await ask(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'hookline signals' AND datname = current_database()`,
  )
  await again
  const next = heard.next()
  one.signals.tell('a')
  await next
  expect([one.errors, other.errors]).toEqual([[], []])
})

test('F171 a line that says nothing any more is noticed by whoever tells, and the word is not lost', async () => {
  const schema = newSchema()
  const one = await openThroughProxy({ schema, statementMs: 1_000 })
  const other = await open({ schema })
  const [own, heard] = [listen(one.signals), listen(other.signals)]
  await Promise.all([own.next(), heard.next()])
  one.proxy.freeze()
  const next = heard.next()
  one.signals.tell('a')
  await next
  expect(heard.calls).toBe(2)
})

test('a server that is not there is told of, and harms nobody', async () => {
  // Where nobody ever listens.
  const url = 'postgres://nobody@127.0.0.1:1/none'
  const { signals, errors } = await open({ schema: newSchema(), url })
  const heard = listen(signals)
  const next = heard.next()
  signals.tell('a')
  // Here it is heard all the same.
  await next
  await expect.poll(() => errors.length).toBeGreaterThan(1)
  await signals.close()
})

test('closing does not wait for a server that never answers', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const url = `postgres://nobody@127.0.0.1:${port}/none`
  const { signals } = await open({ schema: newSchema(), url })
  signals.on('a', () => {})
  await expect.poll(() => sockets.length).toBe(1)
  const start = performance.now()
  await signals.close()
  expect(performance.now() - start).toBeLessThan(5_000)
  for (const socket of sockets) socket.destroy()
  server.close()
})

test('the last word before closing is heard', async () => {
  const schema = newSchema()
  const [one, other] = [await open({ schema }), await open({ schema })]
  const heard = listen(other.signals)
  await heard.next()
  const next = heard.next()
  one.signals.tell('a')
  await one.signals.close()
  await next
  await other.signals.close()
  const sql = `SELECT 1 FROM pg_stat_activity
    WHERE application_name = 'hookline signals' AND datname = current_database()`
  await expect.poll(() => ask(sql)).toEqual([])
})

test('to listen does not keep a process alive', async () => {
  const about = { url: databaseUrl, schema: newSchema() }
  const child = startChild(program, about)
  expect(await child.ended).toEqual({ code: 0, signal: null, errors: '' })
  expect(child.lines).toEqual(['listening'])
})
