import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { askServer, variable } from './fixtures/ask-server.ts'
import { type Certificates, makeCertificates } from './fixtures/certificates.ts'
import {
  always,
  answerTo,
  type HostileOptions,
  startHostile,
} from './fixtures/hostile-server.ts'
import { withoutLeaks } from './fixtures/leaks.ts'
import { endOf, openSender, specFor } from './fixtures/send.ts'

const proceed = always((seen) => ({ body: answerTo(seen) }))
const localhost = async () => [{ address: '127.0.0.1', family: 4 }]

let certificates: Certificates

beforeAll(async () => {
  certificates = await makeCertificates()
})

afterEach(() => {
  vi.unstubAllEnvs()
})

interface Asking {
  readonly onFailure?: 'closed' | 'open'
  readonly trustsCa?: boolean
  readonly host?: string
}

/** Asks a server with this certificate through a hook. */
async function ask(
  options: HostileOptions,
  { onFailure = 'closed', trustsCa = true, host = 'localhost' }: Asking = {},
) {
  return withoutLeaks(async () => {
    await using server = await startHostile(proceed, options)
    const url = `https://${host}:${server.port}/`
    const given = await askServer({
      handler: { url, allowPrivate: true },
      hook: { onFailure },
      sender: { lookup: localhost, ...(trustsCa && { ca: certificates.ca }) },
    })
    expect(server.seen).toHaveLength(given.record.state === 'failed' ? 0 : 1)
    return given
  })
}

test('a server that shows who it is, is asked over TLS', async () => {
  for (const host of ['localhost', '127.0.0.1', '0x7f.1']) {
    const { type, record } = await ask({ tls: certificates.good }, { host })
    expect([type, record.state]).toEqual(['proceed', 'completed'])
  }
})

interface BadServer {
  readonly name: string
  readonly options: () => HostileOptions
  readonly trustsCa?: boolean
}

const badServers: readonly BadServer[] = [
  {
    name: 'a certificate that nobody vouches for',
    options: () => ({ tls: certificates.selfSigned }),
  },
  {
    name: 'a certificate of an unknown authority',
    options: () => ({ tls: certificates.good }),
    trustsCa: false,
  },
  {
    name: 'a certificate that has expired',
    options: () => ({ tls: certificates.expired }),
  },
  {
    name: 'a certificate of another host',
    options: () => ({ tls: certificates.wrongHost }),
  },
  {
    name: 'TLS 1.0',
    options: () => ({ tls: { ...certificates.good, ...old('TLSv1') } }),
  },
  {
    name: 'TLS 1.1',
    options: () => ({ tls: { ...certificates.good, ...old('TLSv1.1') } }),
  },
]

function old(version: 'TLSv1' | 'TLSv1.1') {
  const ciphers = 'DEFAULT@SECLEVEL=0'
  return { minVersion: version, maxVersion: version, ciphers }
}

describe.for(['closed', 'open'] as const)(
  'under the policy %s',
  (onFailure) => {
    const outcome = onFailure === 'open' ? 'proceed' : 'reject'
    for (const { name, options, trustsCa = true } of badServers) {
      test(`F093 T39 ${name} is not believed`, async () => {
        const asked = await ask(options(), { onFailure, trustsCa })
        expect(asked.diagnostics).toContain('handler.tls')
        expect(asked.type).toBe(outcome)
      })

      test(`F093 T39 ${name} is not believed when NODE_TLS_REJECT_UNAUTHORIZED is 0, which is told`, async () => {
        vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
        const asked = await ask(options(), { onFailure, trustsCa })
        expect(asked.diagnostics).toContain('handler.tls')
        expect(asked.diagnostics).toContain('tls-variable-ignored')
        expect(asked.type).toBe(outcome)
      })
    }
  },
)

test('F093 a server that speaks no TLS, or says nothing, is no server for https', async () => {
  await using plain = await startPlain((socket) => socket.end('220 mail\r\n'))
  await using silent = await startPlain(() => {})
  await using rude = await startPlain((socket) => socket.resetAndDestroy())
  await using sender = openSender({ lookup: localhost })
  const send = (port: number, timeoutMs: number) => {
    const url = `https://localhost:${port}/`
    return endOf(sender.send(specFor(1, { url, timeoutMs })))
  }
  expect(await send(plain.port, 5_000)).toBe('tls')
  expect(await send(silent.port, 200)).toBe('timed-out')
  expect(await send(rude.port, 5_000)).toBe('network')
})

async function startPlain(greet: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.resume()
    greet(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It listens on a port, so that it has an address with one.
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => server.close(() => resolve()))
  return { port, [Symbol.asyncDispose]: close }
}

test('F087 T36 a redirect is not followed, and the credentials stay here', async () => {
  await using witness = await startHostile(proceed)
  const location = `http://127.0.0.1:${witness.port}/`
  await using server = await startHostile(
    always({ status: 307, headers: { location } }),
  )
  const asked = await askServer({
    handler: {
      url: `http://127.0.0.1:${server.port}/`,
      allowPrivate: true,
      headers: { authorization: `Bearer ${variable('TOKEN')}` },
      env: ['TOKEN'],
    },
    env: { TOKEN: 'canary' },
  })
  expect(server.seen[0]?.headers['authorization']).toBe('Bearer canary')
  expect(witness.connections.made).toBe(0)
  expect(asked.diagnostics).toContain('handler.redirect')
  expect(JSON.stringify(asked)).not.toContain('canary')
})
