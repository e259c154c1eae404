import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Asked,
  ask as askServer,
  checkRefused,
  type Row,
} from './fixtures/refused-request.ts'
import {
  closeAll,
  type SmallServer,
  startSmall,
} from './fixtures/small-server.ts'

let small: SmallServer

beforeAll(async () => {
  const origins = ['http://localhost:5173']
  small = await startSmall({ listen: { origins } })
})
afterAll(closeAll)

const ask = (asked: Asked) => askServer(small, asked)
const checkRow = (row: Row) => checkRefused(small, row)

const change = { method: 'POST', target: '/v1/sessions', body: '{}' }
const json = { 'content-type': 'application/json' }

const hosts = [
  'evil.example',
  'evil.example:80',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'localhost@evil.example',
  'evil.example#localhost',
  '127.0.0.1, evil.example',
  'localhost.',
  '0.0.0.0',
  '169.254.169.254',
  '[::ffff:127.0.0.1]',
  '127.1',
  '',
  undefined,
]
test.each(hosts)(
  'T41: a request for the host %j is refused, even with a token',
  async (host) => {
    const refused = { status: 403, code: 'wrong-host' }
    await checkRow({ what: '', headers: { host }, ...refused })
    await checkRow({
      what: '',
      headers: { host, ...json },
      ...change,
      ...refused,
    })
    await checkRow({
      what: '',
      target: '/v1/health',
      headers: { host },
      ...refused,
    })
  },
)

test.each(['localhost', 'LOCALHOST:7777', '127.0.0.1', '[::1]:80'])(
  'T41: a request for the host %j is answered',
  async (host) => {
    expect((await ask({ headers: { host } })).status).toBe(200)
  },
)

const forged: Row[] = [
  {
    what: 'a form',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    ...change,
    status: 415,
    code: 'wrong-type',
  },
  {
    what: 'plain text',
    headers: { 'content-type': 'text/plain' },
    ...change,
    status: 415,
    code: 'wrong-type',
  },
  {
    what: 'plain text with JSON behind it',
    headers: { 'content-type': 'text/plain; application/json' },
    ...change,
    status: 415,
    code: 'wrong-type',
  },
  {
    what: 'a form of parts',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    ...change,
    status: 415,
    code: 'wrong-type',
  },
  { what: 'no type at all', ...change, status: 415, code: 'wrong-type' },
  {
    what: 'JSON in another encoding',
    headers: { 'content-type': 'application/json; charset=utf-16' },
    ...change,
    status: 415,
    code: 'wrong-type',
  },
  {
    what: 'compressed JSON',
    headers: { ...json, 'content-encoding': 'gzip' },
    ...change,
    status: 415,
    code: 'wrong-type',
  },
  {
    what: 'a removal without a type',
    method: 'DELETE',
    target: '/v1/sessions/s1',
    status: 415,
    code: 'wrong-type',
  },
  {
    what: 'an image on a page elsewhere',
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    status: 403,
    code: 'wrong-origin',
  },
  {
    what: 'a page of a sibling site',
    headers: { 'sec-fetch-site': 'same-site' },
    status: 403,
    code: 'wrong-origin',
  },
  {
    what: 'a change by a page elsewhere',
    headers: { ...json, 'sec-fetch-site': 'cross-site' },
    ...change,
    status: 403,
    code: 'wrong-origin',
  },
  {
    what: 'a change by GET',
    target: '/v1/shutdown',
    status: 405,
    code: 'wrong-method',
  },
  {
    what: 'another method in a header',
    target: '/v1/sessions/s1/turns',
    method: 'PUT',
    headers: { 'x-http-method-override': 'POST', ...json },
    status: 405,
    code: 'wrong-method',
  },
  {
    what: 'no token',
    headers: { authorization: undefined },
    status: 401,
    code: 'no-token',
  },
  {
    what: 'a change without a token',
    headers: { authorization: undefined, ...json },
    ...change,
    status: 401,
    code: 'no-token',
  },
  {
    what: 'a wrong token',
    headers: { authorization: `Bearer hkl_${'x'.repeat(43)}` },
    status: 401,
    code: 'no-token',
  },
  {
    what: 'an empty token',
    headers: { authorization: 'Bearer ' },
    status: 401,
    code: 'no-token',
  },
  {
    what: 'a password',
    headers: { authorization: 'Basic b3duZXI6eA==' },
    status: 401,
    code: 'no-token',
  },
  {
    what: 'a cookie',
    headers: { authorization: undefined, cookie: 'token=x' },
    status: 401,
    code: 'no-token',
  },
  {
    what: 'a token of the wrong size',
    headers: { authorization: `Bearer ${'x'.repeat(501)}` },
    status: 401,
    code: 'no-token',
  },
]
test.each(forged)('T42: $what is refused', checkRow)

const origins = [
  'http://evil.example',
  'null',
  'http://localhost',
  'http://localhost:5174',
  'https://localhost:5173',
  'http://LOCALHOST:5173',
  'http://localhost:5173.evil.example',
  'file://',
]
test.each(origins)(
  'T43: a page of %j gets neither an answer nor a stream',
  async (origin) => {
    const refused = { status: 403, code: 'wrong-origin' }
    await checkRow({ what: '', headers: { origin }, ...refused })
    await checkRow({
      what: '',
      target: '/v1/events',
      headers: { origin, accept: 'text/event-stream' },
      ...refused,
    })
    const asks = { origin, 'access-control-request-method': 'POST' }
    await checkRow({ what: '', method: 'OPTIONS', headers: asks, ...refused })
  },
)

test('T43: a page that is on the list may ask, and only it may read the answer', async () => {
  const origin = 'http://localhost:5173'
  const preflight = await ask({
    method: 'OPTIONS',
    headers: {
      origin,
      authorization: undefined,
      'access-control-request-method': 'POST',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
  expect(preflight.headers.get('access-control-allow-headers')).toContain(
    'authorization',
  )
  expect(
    preflight.headers.get('access-control-allow-credentials'),
  ).toBeUndefined()
  const answer = await ask({
    headers: { origin, 'sec-fetch-site': 'cross-site' },
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
  const refused = await ask({ headers: { origin, authorization: undefined } })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('access-control-allow-origin')).toBe(origin)
})

const upgrades = [
  {
    upgrade: 'websocket',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13',
  },
  { upgrade: 'websocket', origin: 'http://evil.example' },
  { upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' },
]
test.each(upgrades)(
  'T43: an upgrade to $upgrade is refused, and the connection closed',
  async (headers) => {
    const row = {
      target: '/v1/events',
      headers: { connection: 'Upgrade', ...headers },
    }
    await checkRow({ what: '', ...row, status: 400, code: 'bad-request' })
  },
)

const inUrl = [
  'token=',
  'access_token=',
  'auth_token=',
  'authorization=Bearer%20',
  'api_key=',
  'Token=',
  'q=',
  'limit=1&agent=',
]
test.each(inUrl)(
  'T43: a token in a URL (%s) is refused, not told and not logged',
  async (query) => {
    const target = `/v1/sessions?${query}${small.home.token}`
    await checkRow({
      what: '',
      target,
      headers: { authorization: undefined },
      status: 400,
      code: 'bad-request',
    })
    await checkRow({ what: '', target, status: 400, code: 'bad-request' })
    await checkRow({
      what: '',
      target: `/v1/sessions/${small.home.token}`,
      status: 400,
      code: 'bad-request',
    })
    expect(JSON.stringify(small.logged)).not.toContain(small.home.token)
  },
)
