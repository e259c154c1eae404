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

const paths: Row[] = [
  { what: '/v1/../../etc/passwd', status: 400, code: 'bad-request' },
  { what: '/v1/%2e%2e/%2E%2E/etc/passwd', status: 400, code: 'bad-request' },
  { what: '/v1/./sessions', status: 400, code: 'bad-request' },
  { what: '/v1/sessions/%00', status: 400, code: 'bad-request' },
  {
    what: '/v1/sessions/a%0d%0aset-cookie:x',
    status: 400,
    code: 'bad-request',
  },
  { what: '/v1/sessions/%ff', status: 400, code: 'bad-request' },
  { what: '/v1/sessions/%zz', status: 400, code: 'bad-request' },
  { what: '/v1/sessions?limit=%ff', status: 400, code: 'bad-request' },
  { what: 'http://evil.example/v1/sessions', status: 400, code: 'bad-request' },
  { what: '*', status: 400, code: 'bad-request' },
  { what: '//evil.example/v1/sessions', status: 404, code: 'not-found' },
  { what: '/v1//sessions', status: 404, code: 'not-found' },
  { what: '/v1/sessions/', status: 404, code: 'not-found' },
  { what: '/V1/SESSIONS', status: 404, code: 'not-found' },
  { what: '/v1/sessions%2fs1', status: 404, code: 'not-found' },
  { what: '/v1\\sessions', status: 404, code: 'not-found' },
  { what: '/', status: 404, code: 'not-found' },
  { what: '/v1/sessions/s/__proto__', status: 404, code: 'not-found' },
  { what: '/v1/constructor', status: 404, code: 'not-found' },
]
test.each(paths)('the path $what leads nowhere', async (row) => {
  await checkRow({ ...row, target: row.what })
})

const inputs: Row[] = [
  {
    what: 'a prototype',
    body: '{"__proto__":{"isAdmin":true}}',
    status: 400,
    code: 'bad-request',
  },
  {
    what: 'a constructor',
    body: '{"constructor":{"prototype":{}}}',
    status: 400,
    code: 'bad-request',
  },
  {
    what: 'a key twice',
    body: '{"agent":"a","agent":"b"}',
    status: 400,
    code: 'bad-request',
  },
  {
    what: 'a key that is not known',
    body: '{"rights":["admin"]}',
    status: 400,
    code: 'bad-request',
  },
  { what: 'a list', body: '[]', status: 400, code: 'bad-request' },
  { what: 'a text', body: '"x"', status: 400, code: 'bad-request' },
  { what: 'no JSON', body: '{agent:1}', status: 400, code: 'bad-request' },
  {
    what: 'JSON with something after it',
    body: '{} {}',
    status: 400,
    code: 'bad-request',
  },
  {
    what: 'JSON that is too deep',
    body: `{"agent":${'['.repeat(100)}${']'.repeat(100)}}`,
    status: 400,
    code: 'bad-request',
  },
  {
    what: 'half of a character',
    body: '{"agent":"\\ud800"}',
    status: 400,
    code: 'bad-request',
  },
  {
    what: 'a wrong type',
    body: '{"agent":1}',
    status: 400,
    code: 'bad-request',
  },
  {
    what: 'too long a text',
    body: JSON.stringify({ agent: 'x'.repeat(201) }),
    status: 400,
    code: 'bad-request',
  },
  {
    what: 'inputs in the query of a change',
    target: '/v1/sessions?agent=a',
    status: 400,
    code: 'bad-request',
  },
  {
    what: 'an input of the path in the body',
    target: '/v1/sessions/s1/cancel',
    body: '{"sessionId":"s2"}',
    status: 400,
    code: 'bad-request',
  },
  {
    what: 'a key for what knows none',
    headers: { ...json, 'idempotency-key': 'k' },
    status: 400,
    code: 'bad-request',
  },
  {
    what: 'two keys',
    target: '/v1/events',
    body: '{"name":"a","key":"x"}',
    headers: { ...json, 'idempotency-key': 'y' },
    status: 400,
    code: 'bad-request',
  },
]
test.each(inputs)('$what as input is refused', async (row) => {
  await checkRow({ headers: json, ...change, ...row })
})

test.each([
  'limit=5&limit=6',
  'limit=0x10',
  'limit=1e2',
  'limit=%201',
  'limit=NaN',
  'limit=',
  'limit[]=1',
  '__proto__=x',
  'constructor=x',
])('the query %s is refused', async (query) => {
  await checkRow({
    what: '',
    target: `/v1/sessions?${query}`,
    status: 400,
    code: 'bad-request',
  })
})

test.each(['PUT', 'PATCH', 'TRACE', 'PROPFIND', 'LOCK'])(
  'the method %s is refused, and those that there are, told',
  async (method) => {
    await checkRow({ what: '', method, status: 405, code: 'wrong-method' })
    const { headers } = await ask({ method })
    expect(headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
  },
)

test.each(['FOO', 'get', 'CONNECT'])(
  'the method %s, which is none, is refused',
  async (method) => {
    const target = method === 'CONNECT' ? 'evil.example:80' : '/v1/sessions'
    await checkRow({
      what: '',
      method,
      target,
      status: 405,
      code: 'wrong-method',
    })
  },
)

test('HEAD answers like GET without a body; OPTIONS tells the methods', async () => {
  const get = await ask({})
  const head = await ask({ method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(head.body).toBe('')
  expect(head.headers.get('content-length')).toBe(
    get.headers.get('content-length'),
  )
  const stream = await ask({ method: 'HEAD', target: '/v1/events' })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  expect(small.small.log.open).toBe(0)
  const options = await ask({ method: 'OPTIONS' })
  expect(options.status).toBe(204)
  expect(options.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
  expect(options.headers.get('access-control-allow-origin')).toBeUndefined()
})

test('headers that name somebody else change nothing', async () => {
  const headers = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-for': '10.0.0.1',
    'x-user': 'admin',
    forwarded: 'host=evil.example',
  }
  expect((await ask({ headers })).status).toBe(200)
  expect(small.small.asked.at(-1)?.by).toBe('owner')
})

test('a right is needed for each operation, and none includes another', async () => {
  const { principals } = small.home
  const runner = await principals.create({ name: 'runner', rights: ['run'] })
  const boss = await principals.create({ name: 'boss', rights: ['admin'] })
  const as = (token: string) => ({ authorization: `Bearer ${token}` })
  const admin = { method: 'POST', target: '/v1/shutdown', body: '{}' }
  const answer = {
    method: 'POST',
    target: '/v1/approvals/a1/answer',
    body: '{"type":"allow","shownHash":"x"}',
  }
  const refused = { what: '', status: 403, code: 'not-allowed' }
  await checkRow({
    ...admin,
    headers: { ...json, ...as(runner.token) },
    ...refused,
  })
  await checkRow({
    ...answer,
    headers: { ...json, ...as(runner.token) },
    ...refused,
  })
  await checkRow({
    ...answer,
    headers: { ...json, ...as(boss.token) },
    ...refused,
  })
  await checkRow({ headers: as(boss.token), ...refused })
  expect((await ask({ headers: as(runner.token) })).status).toBe(200)
  expect(small.small.asked.at(-1)?.by).toBe('runner')
})

test('a failure inside is told by a name that the log has, and no more', async () => {
  const answer = await ask({
    method: 'POST',
    target: '/v1/events',
    body: '{"name":"fail"}',
    headers: json,
  })
  expect(answer.status).toBe(500)
  expect(answer.body).not.toContain('secret-of-the-inside')
  const { error } = JSON.parse(answer.body)
  const id = /"([0-9a-f]{12})"/.exec(error.message)?.[1]
  const logged = small.logged.find(({ name }) => name === 'request-failed')
  expect(logged).toMatchObject({
    level: 'error',
    about: { id, operation: 'emit', caller: 'owner' },
  })
})

test.each(['.', '..'])(
  'no session is called "%s", which no path could name',
  async (id) => {
    const body = JSON.stringify({ id })
    const answer = await ask({ ...change, headers: json, body })
    expect(answer.status).toBe(400)
    const other = JSON.stringify({ id: `${id}.a` })
    const fine = await ask({ ...change, headers: json, body: other })
    expect(fine.status).toBe(200)
  },
)
