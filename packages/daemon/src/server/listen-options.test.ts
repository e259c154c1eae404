import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { closeAll, makeFolder, startSmall } from './fixtures/small-server.ts'
import { checkListen } from './listen-options.ts'

afterEach(closeAll)

const tls = { cert: 'c', key: 'k' }

test.each([
  { socket: '/x' },
  { tcp: { port: 1 } },
  { tcp: { port: 1, host: '127.0.0.1' } },
  { tcp: { port: 1, host: '127.9.9.9' } },
  { tcp: { port: 1, host: '::1' } },
  { tcp: { port: 1, host: '0.0.0.0', tls } },
  { tcp: { port: 1, host: '0.0.0.0', remote: 'without-tls' } },
] as const)('listening at %j is fine', (options) => {
  expect(() => checkListen(options)).not.toThrow()
})

test.each([
  [{}, 'nowhere to listen'],
  [{ tcp: { port: 1, host: '0.0.0.0' } }, 'remote to "without-tls"'],
  [{ tcp: { port: 1, host: '::' } }, 'a certificate'],
  [{ tcp: { port: 1, host: 'localhost' } }, 'a certificate'],
  [{ tcp: { port: 1, host: '127.0.0.1.evil.example' } }, 'a certificate'],
  [{ tcp: { port: 1, host: '10.0.0.1' } }, 'listen on 127.0.0.1'],
] as const)('listening at %j is refused', (options, why) => {
  expect(() => checkListen(options)).toThrow(why)
})

test('a server with a certificate speaks TLS, and checks everything just so', async () => {
  const folder = makeFolder()
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost,IP:127.0.0.1',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'ignore' },
  )
  const ca = readFileSync(cert, 'utf8')
  const listen = {
    tcp: { port: 0, tls: { cert: ca, key: readFileSync(key, 'utf8') } },
  }
  const { url, home } = await startSmall({ listen })
  expect(url).toMatch(/^https:/)
  const statusOf = (headers: Record<string, string>) =>
    new Promise((resolve, reject) => {
      const asked = request(
        `${url}/v1/sessions`,
        { ca, headers, agent: false, servername: 'localhost' },
        (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        },
      )
      asked.once('error', reject).end()
    })
  const authorization = `Bearer ${home.token}`
  expect(await statusOf({ authorization })).toBe(200)
  expect(await statusOf({})).toBe(401)
  expect(await statusOf({ authorization, host: 'evil.example' })).toBe(403)
})

test('a port that is taken is told, and nothing stays open', async () => {
  const { port } = await startSmall()
  const again = startSmall({ listen: { tcp: { port } } })
  await expect(again).rejects.toMatchObject({ code: 'address-taken' })
})
