import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from 'hookline'
import { expect, test, vi } from 'vitest'
import type { Client } from '../protocol/client.ts'
import { homePaths } from '../server/home-paths.ts'
import {
  type LiveDaemon,
  startHere,
  tell,
  until,
} from './fixtures/live-daemon.ts'
import { siteForEach } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const site = siteForEach()

const plugins = { skills: false, memory: false, delegate: false }
const asking = { values: [{ plugins }] }

async function start(
  options: Parameters<typeof startHere>[1] = asking,
): Promise<LiveDaemon> {
  return await startHere(site, options)
}

const write = (path: string) => ({
  tool: 'write',
  args: { path, content: 'x' },
})

async function askFor(client: Client, path: string) {
  const { id: sessionId } = await client.createSession({})
  await client.send({ sessionId, input: JSON.stringify([write(path)]) })
  return await until(async () => {
    return (await client.listApprovals({ sessionId })).items[0]
  })
}

test('F180 an answer after the end of its time is told so, and nothing runs', async () => {
  const { client } = await start()
  const { id: approvalId, shownHash, sessionId } = await askFor(client, 'a.txt')
  const database = new DatabaseSync(join(site.home, 'hookline.db'))
  database.exec(
    'PRAGMA busy_timeout = 10000; UPDATE approvals SET expires_at = 1',
  )
  database.close()
  const answer = { approvalId, shownHash, type: 'allow' as const }
  const { type, problem } = await client
    .answerApproval(answer)
    .then((told) => ({ type: told.type, problem: JSON.stringify(told) }))
  expect(type).not.toBe('accepted')
  expect(problem).toContain('expired')
  await until(async () => {
    return (await client.getSession({ sessionId })).state === 'idle'
  })
  expect(site.read('root/a.txt')).toBe('')
})

/** Whatever a program does that opens links. */
function ask({
  method,
  path,
  token,
}: {
  readonly method: string
  readonly path: string
  readonly token?: string
}): Promise<number> {
  const socketPath = homePaths({ path: site.home }).socket
  const headers = {
    host: 'localhost',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  return new Promise((resolve, reject) => {
    request({ socketPath, method, path, headers }, (reply) => {
      reply.resume()
      resolve(reply.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

test('F189 to open a link answers nothing, with a token or without; an answer is a POST with one', async () => {
  const { client } = await start()
  const { id: approvalId, shownHash } = await askFor(client, 'c.txt')
  const token = readFileSync(join(site.home, 'token'), 'utf8').trim()
  const path = `/v1/approvals/${approvalId}/answer?type=allow&shownHash=${shownHash}`
  expect(await ask({ method: 'GET', path, token })).toBe(405)
  expect(await ask({ method: 'HEAD', path, token })).toBe(405)
  expect(await ask({ method: 'POST', path })).toBe(401)
  expect(await ask({ method: 'POST', path, token })).toBe(415)
  const still = await client.getApproval({ approvalId })
  expect(still).toMatchObject({ state: 'pending', votes: 0 })
  const answer = { approvalId, shownHash, type: 'allow' as const }
  const once = await client.answerApproval(answer)
  const twice = await client.answerApproval(answer)
  expect([once.type, twice.type]).toEqual(['accepted', 'repeated'])
  await until(() => site.read('root/c.txt') === 'x')
})

test('T49 of very many alike questions only so many are asked; the rest is denied, and says so', async () => {
  const { client } = await start()
  const { id: sessionId } = await client.createSession({})
  const calls = Array.from({ length: 200 }, (_, at) => write(`d-${at}.txt`))
  await client.send({ sessionId, input: JSON.stringify(calls) })
  await until(async () => {
    const { items } = await client.listApprovals({ sessionId, limit: 200 })
    return items.length > 0
  })
  const seen = new Set<string>()
  const deny = async () => {
    const { items } = await client.listApprovals({ sessionId, limit: 200 })
    for (const { id: approvalId, shownHash } of items) {
      seen.add(approvalId)
      const answer = { approvalId, shownHash, type: 'deny' as const }
      await client.answerApproval(answer)
    }
    return (await client.getSession({ sessionId })).state === 'idle'
  }
  // So many answers take a while.
  await until(deny, 100_000)
  expect(seen.size).toBeLessThan(150)
})

test('F205 times are milliseconds in UTC, also after 2038', async () => {
  const years = 20 * 365.25 * 86_400_000
  const clock = {
    now: () => systemClock.now(),
    after: systemClock.after.bind(systemClock),
    wallAt: (at: number) => systemClock.wallAt(at) + years,
  }
  const { client } = await start({ clock })
  const from = Date.now() + years - 60_000
  await tell(client, [{ tool: 'glob', args: { pattern: '*' } }])
  const until2040 = Math.floor(from + 3_600_000)
  const { items } = await client.listHooks()
  const name = items[0]?.name ?? ''
  const hook = await client.setHook({
    name,
    isEnabled: false,
    until: until2040,
  })
  expect(hook.disabledBy).toContain(new Date(until2040).toISOString())
  const { items: runs } = await client.listRuns({ limit: 10 })
  const { items: audit } = await client.listAudit({})
  const times = [
    ...runs.map((run) => run.startedAt),
    ...audit.map(({ at }) => at),
  ]
  expect(times.length).toBeGreaterThan(0)
  for (const time of times) expect(Number.isInteger(time)).toBe(true)
})
