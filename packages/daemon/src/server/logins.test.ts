import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Client, createClient } from '../protocol/client.ts'
import { ask } from './fixtures/refused-request.ts'
import {
  closeAll,
  onClose,
  type SmallServer,
  startSmall,
} from './fixtures/small-server.ts'

let small: SmallServer
let now = Date.now()

beforeEach(async () => {
  now = Date.now()
  const url = () => 'http://127.0.0.1:1'
  small = await startSmall({ login: { now: () => now, url } })
})
afterEach(closeAll)

/** Over the port, as a page has it. */
function pageClient(token?: string): Client {
  const client = createClient({ url: small.url, token })
  onClose(() => client.close())
  return client
}

async function logIn(): Promise<string> {
  const { code } = await small.client.createLogin()
  const { token } = await pageClient().login({ code })
  return token
}

const refused = { code: 'no-token' }

test('T42 a code becomes a token of the same principal, and counts once', async () => {
  const { code, expiresAt, url } = await small.client.createLogin()
  expect(expiresAt).toBe(now + 60_000)
  expect(url).toBe('http://127.0.0.1:1')
  const { token, caller } = await pageClient().login({ code })
  expect(caller).toEqual({
    kind: 'user',
    id: 'owner',
    rights: ['run', 'approve', 'admin'],
  })
  await pageClient(token).listSessions()
  expect(small.small.asked.at(-1)).toMatchObject({ by: 'owner' })
  await expect(pageClient().login({ code })).rejects.toMatchObject(refused)
})

test('T42 a code that is wrong, too old or of somebody revoked lets nobody in', async () => {
  const page = pageClient()
  await expect(page.login({ code: 'hkl_login_x' })).rejects.toMatchObject(
    refused,
  )
  const { code: old } = await small.client.createLogin()
  now += 60_000
  await expect(page.login({ code: old })).rejects.toMatchObject(refused)
  const { principals } = small.home
  const { token } = await principals.create({ name: 'ann', rights: ['run'] })
  const { code } = await pageClient(token).createLogin()
  await principals.revoke('ann')
  await expect(page.login({ code })).rejects.toMatchObject(refused)
})

test('T42 guessing codes is limited, and the limit passes', async () => {
  const page = pageClient()
  const { code } = await small.client.createLogin()
  const guess = () =>
    page.login({ code: 'guess' }).catch((error: { code: string }) => error.code)
  const said: unknown[] = []
  for (let tries = 0; tries < 30; tries++) said.push(await guess())
  expect(said.filter((one) => one === 'no-token')).toHaveLength(20)
  expect(said.at(-1)).toBe('too-many')
  await expect(page.login({ code })).rejects.toMatchObject({ code: 'too-many' })
  now += 3_000
  expect((await page.login({ code })).caller.id).toBe('owner')
})

test('a login has the rights of its principal, and ends with it', async () => {
  const { principals } = small.home
  const { token } = await principals.create({ name: 'ann', rights: ['run'] })
  const { code } = await pageClient(token).createLogin()
  const login = pageClient((await pageClient().login({ code })).token)
  await login.listSessions()
  await expect(login.shutdown()).rejects.toMatchObject({ code: 'not-allowed' })
  await principals.revoke('ann')
  await expect(login.listSessions()).rejects.toMatchObject(refused)
  await principals.create({ name: 'ann', rights: ['run', 'admin'] })
  await expect(login.listSessions()).rejects.toMatchObject(refused)
})

test('a login ends after twelve hours without use, and by logout', async () => {
  const login = pageClient(await logIn())
  now += 11 * 3_600_000
  await login.listSessions()
  now += 11 * 3_600_000
  await login.listSessions()
  now += 12 * 3_600_000
  await expect(login.listSessions()).rejects.toMatchObject(refused)
  const other = pageClient(await logIn())
  expect(await other.logout()).toEqual({ ok: true })
  await expect(other.listSessions()).rejects.toMatchObject(refused)
  await expect(small.client.logout()).rejects.toMatchObject({
    code: 'bad-request',
  })
})

test('T42 whoever logs out leaves nothing behind that the login has made', async () => {
  const first = await logIn()
  const other = await logIn()
  const more = async (token: string) => {
    const { code } = await pageClient(token).createLogin()
    return (await pageClient().login({ code })).token
  }
  const second = await more(first)
  const third = await more(second)
  const { code } = await pageClient(third).createLogin()
  await pageClient(second).logout()
  for (const token of [second, third]) {
    const listed = pageClient(token).listSessions()
    await expect(listed).rejects.toMatchObject(refused)
  }
  await expect(pageClient().login({ code })).rejects.toMatchObject(refused)
  let last = first
  for (let count = 1; count < 10; count++) last = await more(last)
  await expect(more(last)).rejects.toMatchObject({ code: 'not-allowed' })
  // What it was made by, and what others are in by, goes on.
  for (const token of [first, other]) await pageClient(token).listSessions()
})

test('nobody opens more logins than there may be, nor takes the place of others', async () => {
  const { principals } = small.home
  const { token } = await principals.create({ name: 'ann', rights: ['run'] })
  const mine = pageClient(await logIn())
  const logins: Client[] = []
  for (let count = 0; count < 21; count++) {
    now++
    const { code } = await pageClient(token).createLogin()
    logins.push(pageClient((await pageClient().login({ code })).token))
  }
  await expect(logins[0]?.listSessions()).rejects.toMatchObject(refused)
  await logins.at(-1)?.listSessions()
  await mine.listSessions()
})

test('T43 neither code nor token is taken in a URL, or stands in a log', async () => {
  const { code } = await small.client.createLogin()
  const { token } = await pageClient().login({ code })
  const { code: unused } = await small.client.createLogin()
  for (const secret of [token, unused]) {
    for (const target of [`/?code=${secret}`, `/sessions/${secret}`]) {
      const answer = await ask(small, { target })
      expect(answer.status).toBe(400)
      expect(answer.body).not.toContain(secret)
    }
    expect(JSON.stringify(small.logged)).not.toContain(secret)
  }
  expect(small.logged).toContainEqual({
    level: 'info',
    name: 'login',
    about: { caller: 'owner' },
  })
})

const json = { 'content-type': 'application/json' }
const login = { method: 'POST', target: '/v1/login', body: '{"code":"x"}' }

test.each([
  ['another host', { ...json, host: 'evil.example' }, 403],
  ['another page', { ...json, origin: 'http://evil.example' }, 403],
  ['a page of a sibling', { ...json, 'sec-fetch-site': 'same-site' }, 403],
  ['a form', { 'content-type': 'text/plain' }, 415],
])('T42 a login by %s is refused', async (_, headers, status) => {
  const answer = await ask(small, { ...login, headers })
  expect(answer.status).toBe(status)
})
