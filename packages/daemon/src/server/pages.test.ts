import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from './fixtures/refused-request.ts'
import {
  closeAll,
  makeFolder,
  type SmallServer,
  startSmall,
} from './fixtures/small-server.ts'
import { viewNames } from './pages.ts'

let small: SmallServer
const html = '<!doctype html><title>Pages</title>'
const script = 'export const x = 1\n'.repeat(50)

beforeAll(async () => {
  const folder = makeFolder()
  const pages = join(folder, 'pages')
  mkdirSync(join(pages, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.html'), 'secret')
  writeFileSync(join(pages, 'index.html'), html)
  writeFileSync(join(pages, 'assets', 'main-1a2b.js'), script)
  writeFileSync(join(pages, 'assets', 'main-1a2b.js.gz'), gzipSync(script))
  writeFileSync(join(pages, 'notes.exe'), 'no page')
  small = await startSmall({ pages })
})
afterAll(closeAll)

const nobody = { authorization: undefined }
const get = (target: string, headers: Record<string, string> = {}) =>
  ask(small, { target, headers: { ...nobody, ...headers } })

test.each(['/', '/?theme=dark', ...viewNames.map((name) => `/${name}/a/b`)])(
  'the page is shown at %s, without a token',
  async (target) => {
    const answer = await get(target)
    expect(answer).toMatchObject({ status: 200, body: html })
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  },
)

test('a page runs its own scripts only, and nobody frames it', async () => {
  const { headers } = await get('/')
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
  })
  expect(headers.get('permissions-policy')).toContain('camera=()')
})

test('what has its hash in its name is kept for good, and comes small where that is understood', async () => {
  const plain = await get('/assets/main-1a2b.js')
  expect(plain.body).toBe(script)
  expect(plain.headers.get('cache-control')).toContain('immutable')
  const encoding = { 'accept-encoding': 'br, gzip' }
  const small = await get('/assets/main-1a2b.js', encoding)
  expect(small.headers.get('content-encoding')).toBe('gzip')
  expect(small.headers.get('vary')).toContain('accept-encoding')
  expect(Number(small.headers.get('content-length'))).toBeLessThan(200)
  const unwanted = { 'accept-encoding': 'gzip;q=0, identity' }
  expect((await get('/assets/main-1a2b.js', unwanted)).body).toBe(script)
})

test('HEAD says what GET would send, and nothing else is taken', async () => {
  const head = await ask(small, { method: 'HEAD', target: '/' })
  expect(head.status).toBe(200)
  expect(head.headers.get('content-length')).toBe(String(html.length))
  const post = await ask(small, { method: 'POST', target: '/', body: '{}' })
  expect(post.status).toBe(405)
  expect(post.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
})

test.each([
  '/secret.html',
  '/../secret.html',
  '/assets/../../secret.html',
  '/assets/..%2f..%2fsecret.html',
  '/%2e%2e/secret.html',
  '/..%5csecret.html',
  '/notes.exe',
  '/index.html/',
  '//etc/passwd',
  '/assets',
])('nothing but the files that were built is found: %s', async (target) => {
  const answer = await get(target)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.body).not.toContain('secret"')
  expect(answer.body).not.toContain('no page')
})

test('T41 a page is not shown under another name', async () => {
  expect((await get('/', { host: 'evil.example' })).status).toBe(403)
})

test('a link from elsewhere leads to a page, and never to data', async () => {
  const visit = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }
  expect((await get('/sessions/s1', visit)).status).toBe(200)
  expect((await get('/v1/sessions', visit)).status).toBe(403)
  const frame = { ...visit, 'sec-fetch-dest': 'iframe' }
  expect((await get('/', frame)).status).toBe(403)
  const image = { ...visit, 'sec-fetch-mode': 'no-cors' }
  expect((await get('/', image)).status).toBe(403)
})

const change = {
  method: 'POST',
  target: '/v1/sessions',
  body: '{}',
}

test('T43 its own page may ask, and no other that says it is', async () => {
  const host = `127.0.0.1:${small.port}`
  const own = {
    host,
    origin: `http://${host}`,
    'content-type': 'application/json',
  }
  const status = async (headers: Record<string, string>) =>
    (await ask(small, { ...change, headers: { ...own, ...headers } })).status
  expect(await status({})).toBe(200)
  expect(await status({ 'sec-fetch-site': 'same-origin' })).toBe(200)
  expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await status({ origin: `http://localhost:${small.port}` })).toBe(403)
  expect(await status({ origin: `http://127.0.0.1:${small.port + 1}` })).toBe(
    403,
  )
  expect(await status({ origin: 'null' })).toBe(403)
})
