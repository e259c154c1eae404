import { afterEach, expect, test } from 'vitest'
import { createClient } from '../protocol/client.ts'
import type { ProtocolError } from '../protocol/errors.ts'
import { anybody } from './authenticate.ts'
import { RawConnection, requestText } from './fixtures/raw.ts'
import {
  closeAll,
  onClose,
  startSmall,
  until,
} from './fixtures/small-server.ts'
import { PrincipalLimits } from './principal-limits.ts'
import { defaultServerLimits } from './server-limits.ts'

afterEach(closeAll)

const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'done',
    (error: ProtocolError) => error.code,
  )

test('T46: one principal has so many requests under way, and takes none from others', async () => {
  const { client, home, small } = await startSmall({
    limits: { concurrent: 3 },
  })
  const { token } = await home.principals.create({
    name: 'flood',
    rights: ['run'],
  })
  const flood = createClient({ socket: home.socket, token })
  onClose(() => flood.close())
  await client.createSession({ id: 's1' })
  const send = () =>
    codeOf(flood.send({ sessionId: 's1', input: 'x', wait: true }))
  const asked = Array.from({ length: 20 }, send)
  const settled: string[] = []
  for (const one of asked) void one.then((code) => settled.push(code))
  await until(() => settled.length === 17, 'seventeen are turned away')
  expect(new Set(settled)).toEqual(new Set(['too-many']))
  expect(await client.listSessions()).toMatchObject({ items: [{ id: 's1' }] })
  small.release()
  expect(
    (await Promise.all(asked)).filter((code) => code === 'done'),
  ).toHaveLength(3)
  expect(await codeOf(flood.listSessions())).toBe('done')
})

test('T46: one principal has so many streams, and may ask all the same', async () => {
  const { home, small, port } = await startSmall({ limits: { streams: 2 } })
  const headers = { authorization: `Bearer ${home.token}` }
  const text = requestText({ target: '/v1/events', headers })
  const all = Array.from({ length: 5 }, () => {
    const one = new RawConnection({ port })
    one.write(text)
    onClose(() => void one.socket.destroy())
    return one
  })
  await until(
    () => all.every(({ answers }) => answers.length === 1),
    'all are answered',
  )
  const statuses = all.map(({ answers }) => answers[0]?.status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  expect(statuses.filter((status) => status === 429)).toHaveLength(3)
  const refused = all.find(({ answers }) => answers[0]?.status === 429)
  expect(refused?.answers[0]?.headers.get('retry-after')).toBe('1')
  expect(small.log.open).toBe(2)
})

test('T46: requests that come too fast are refused, until some time has passed', () => {
  let nowMs = 0
  const limits = { ...defaultServerLimits, rate: 10, burst: 5 }
  const principals = new PrincipalLimits(limits, () => nowMs)
  const about = { name: 'health', isStream: false }
  const ask = (id: string) =>
    principals.enter({ kind: 'user', id, rights: new Set() }, about)()
  for (let at = 0; at < 5; at++) ask('a')
  expect(() => ask('a')).toThrow('More than 600 requests a minute')
  ask('b')
  nowMs = 100
  ask('a')
  expect(() => ask('a')).toThrow('ask less often')
  // Nobody can keep others from asking whether the daemon lives.
  for (let at = 0; at < 100; at++) principals.enter(anybody, about)()
})

test('T46: logins that are begun and not ended keep nobody from asking whether the daemon lives', () => {
  const limits = { ...defaultServerLimits, concurrent: 3 }
  const principals = new PrincipalLimits(limits)
  const begin = (name: string) =>
    principals.enter(anybody, { name, isStream: false })
  for (let at = 0; at < 3; at++) begin('login')
  expect(() => begin('login')).toThrow('under way')
  expect(() => begin('health')).not.toThrow()
  expect(() => begin('ready')).not.toThrow()
})

test('T46: bodies that are being read have a bound together', async () => {
  const { client, home, port } = await startSmall({
    limits: { bufferedBytes: 3_000 },
  })
  const headers = {
    authorization: `Bearer ${home.token}`,
    'content-type': 'application/json',
    'content-length': '2500',
  }
  const slow = new RawConnection({ port })
  onClose(() => void slow.socket.destroy())
  slow.write(requestText({ method: 'POST', headers }) + ' '.repeat(2_000))
  const large = { cwd: 'x'.repeat(2_000) }
  const endMs = performance.now() + 30_000
  while ((await codeOf(client.createSession(large))) !== 'too-many') {
    if (performance.now() > endMs) throw new Error('The bound never held.')
  }
  slow.write(`${' '.repeat(498)}{}`)
  await until(() => slow.answers.length === 1, 'the slow one is answered')
  expect(slow.answers[0]?.status).toBe(200)
  expect(await codeOf(client.createSession(large))).toBe('done')
})

test('T46: whoever reads nothing is cut off, and goes on from the cursor later', async () => {
  const { client, home, small, port, server } = await startSmall({
    limits: { stalledMs: 200 },
  })
  const stuck = new RawConnection({ port })
  const headers = { authorization: `Bearer ${home.token}` }
  stuck.write(requestText({ target: '/v1/events', headers }))
  await until(() => small.log.open === 1, 'the stream is open')
  stuck.socket.pause()
  const text = 'x'.repeat(100_000)
  for (let at = 0; at < 500; at++) small.log.append(`n${at}`, text)
  await until(() => server.counts.streams === 0, 'it is cut off')
  expect(small.log.open).toBe(0)
  // So many fit into what the system buffers, and no more are kept for it.
  const { read } = small.log
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(200)
  const next = client.watchAll({ after: String(read) })[Symbol.asyncIterator]()
  expect((await next.next()).value).toMatchObject({ name: `n${read}` })
  await next.return?.()
  stuck.socket.destroy()
})
