import { createFakeClock } from 'hookline/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { type Reply, serveOpa, told } from './fixtures/opa-server.ts'
import { playOpa } from './fixtures/play-opa.ts'
import { opa } from './opa.ts'
import type { OpaOptions } from './options.ts'

const entrypoint = 'tools/allow'

afterEach(() => vi.unstubAllEnvs())

test('a running OPA is asked about every call, with what it is', async () => {
  const { url, asked } = await serveOpa((response, one) =>
    told({ result: !one.body.includes('secret') })(response, one),
  )
  const calls = [{ path: 'a' }, { path: 'secret' }, {}]
  const { statuses, failures } = await playOpa(
    { server: url, entrypoint },
    calls,
  )
  expect(statuses).toEqual(['denied', 'executed', 'executed'])
  expect(failures).toEqual([])
  expect(asked).toHaveLength(3)
  expect(asked[0]).toMatchObject({
    method: 'POST',
    path: '/v1/data/tools/allow',
  })
  expect(asked[0]?.headers['content-type']).toBe('application/json')
  expect(asked[0]?.headers.authorization).toBeUndefined()
  const inputs = asked.map(({ body }) => JSON.parse(body))
  expect(inputs.map(({ input }) => input.args)).toEqual(
    expect.arrayContaining(calls),
  )
  expect(inputs[0]).toEqual({
    input: {
      ...{ tool: 'look', safety: 'read_only', agent: 'agent', parents: [] },
      ...{ origin: 'user', owner: expect.any(String) },
      ...{ args: expect.anything(), cwd: expect.any(String) },
    },
  })
})

test('a call that would arrive as another one is denied, unasked', async () => {
  const { url, asked } = await serveOpa(told({ result: true }))
  const calls = [{ path: 'a\ud800' }]
  const { statuses } = await playOpa({ server: url, entrypoint }, calls)
  expect(statuses).toEqual(['denied'])
  expect(asked).toEqual([])
})

test('it may be below a path, want a token, and have rules of any name', async () => {
  vi.stubEnv('OPA_TEST_TOKEN', 'sesame')
  const { url, asked } = await serveOpa(told({ result: { allow: true } }))
  const { statuses } = await playOpa({
    ...{ server: `${url}/opa/`, entrypoint: 'tools/a?b#c/%2e' },
    tokenEnv: 'OPA_TEST_TOKEN',
  })
  expect(statuses).toEqual(['executed'])
  expect(asked[0]?.path).toBe('/opa/v1/data/tools/a%3Fb%23c/%252e')
  expect(asked[0]?.headers.authorization).toBe('Bearer sesame')
})

const broken = { code: 'internal_error', message: 'error(s) occurred' }

const cut: Reply = (response) => {
  response.writeHead(200, { 'content-length': 100 })
  response.write('{"result":')
  response.socket?.end()
}

const elsewhere: Reply = (response) => {
  response.writeHead(307, { location: '/v1/data/other/allow' }).end()
}

const endless: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"result":true,"more":"')
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.on('drain', more)
  more()
}

test.each([
  ['nothing, as for a rule that is undefined', told({}), 'no rule permits it'],
  [
    'a warning and nothing',
    told({ warning: { code: 'api_usage_warning' } }),
    'no rule permits it',
  ],
  ['false', told({ result: false }), 'does not permit it'],
  [
    'a reason',
    told({ result: { allow: false, reason: 'No.' } }),
    'Not allowed: No.',
  ],
  ['null', told({ result: null }), 'neither true nor false'],
  ['a text', told({ result: 'true' }), 'neither true nor false'],
  ['a list', told({ result: [true] }), 'neither true nor false'],
])('a call is denied where the server says: %s', async (_, reply, word) => {
  const { url } = await serveOpa(reply)
  const { statuses, events, failures } = await playOpa({
    server: url,
    entrypoint,
  })
  expect(statuses).toEqual(['denied'])
  expect(JSON.stringify(events)).toContain(word)
  expect(failures).toEqual([])
})

test.each([
  [
    'a bad request',
    told({ code: 'invalid_parameter', message: '' }, 400),
    'status 400',
  ],
  [
    'no permission',
    told({ code: 'unauthorized', message: '' }, 401),
    'status 401',
  ],
  ['no such thing', told(broken, 404), 'status 404'],
  ['an error of its own', told(broken, 500), 'status 500'],
  ['true, with an error', told({ result: true }, 500), 'status 500'],
  ['true, with another success', told({ result: true }, 202), 'status 202'],
  ['a redirect', elsewhere, 'not followed'],
  ['a page', told('<html>'), 'not JSON'],
  ['nothing at all', told(''), 'not JSON'],
  ['a list', told([{ result: true }]), 'no object'],
  ['true and false', told('{"result":false,"result":true}'), 'twice'],
  ['a key of a prototype', told('{"__proto__":{"result":true}}'), '__proto__'],
  ['half of an answer', cut, ''],
  ['an answer without end', endless, 'larger than'],
])('a call is denied where the server gives %s', async (_, reply, why) => {
  const { url } = await serveOpa(reply)
  const { statuses, failures } = await playOpa({
    ...{ server: url, entrypoint, timeoutMs: 10_000 },
  })
  expect(statuses).toEqual(['denied'])
  expect(failures).toEqual([expect.stringContaining(why)])
})

test('a call is denied where the server takes too long', async () => {
  const clock = createFakeClock()
  const { url } = await serveOpa(() => void clock.advance(2_000))
  const { statuses, failures } = await playOpa(
    { server: url, entrypoint },
    [{}],
    { clock },
  )
  expect(statuses).toEqual(['denied'])
  expect(failures).toEqual(['There was no answer in time.'])
})

test('a call is denied where there is no server', async () => {
  const { statuses, failures } = await playOpa({
    ...{ server: 'http://127.0.0.1:9', entrypoint, timeoutMs: 10_000 },
  })
  expect(statuses).toEqual(['denied'])
  expect(failures).toEqual([expect.any(String)])
})

test.each([
  [{}, 'no entrypoint'],
  [{ entrypoint, data: 'data.json' }, 'for policy'],
  [{ entrypoint, maxMemoryMb: 1 }, 'for policy'],
  [{ entrypoint, tokenEnv: 'OPA_TEST_UNSET' }, 'not set'],
  [{ entrypoint, server: 'opa:8181' }, 'server'],
  [{ entrypoint, server: 'http://' }, 'is no URL'],
  [{ entrypoint, server: 'http://opa.example' }, 'this machine only'],
  [{ entrypoint, server: 'http://127.0.0.1.example' }, 'this machine only'],
  [{ entrypoint, server: 'https://ann:x@opa.example' }, 'user or password'],
  [{ entrypoint, server: 'https://opa.example/?pretty' }, 'more than a path'],
  [{ entrypoint: 'tools/../../policies' }, 'entrypoint'],
])('options that do not fit are refused: %j', (more, word) => {
  const options: OpaOptions = { server: 'https://opa.example', ...more }
  expect(() => opa(options)).toThrow(word)
})
