import { expect, test } from 'vitest'
import { AgentError } from '../../ports/agent-error.ts'
import type { HttpDefinition } from '../definition.ts'
import { createHttpHandler } from './create-http-handler.ts'
import { askServer, variable } from './fixtures/ask-server.ts'
import {
  always,
  answerTo,
  firstOf,
  type RawReply,
  type Seen,
  startHostile,
} from './fixtures/hostile-server.ts'
import type { HttpSender } from './http-sender.ts'

const unused: HttpSender = {
  send: () => Promise.reject(new Error('not sent')),
  close: async () => {},
}

function create(
  definition: Partial<HttpDefinition>,
  env: Readonly<Record<string, string>> = {},
) {
  const url = 'https://judge.test/'
  const given: HttpDefinition = { type: 'http', url, ...definition }
  return createHttpHandler(given, { sender: unused, env })
}

/** Asks a server of this machine; what it saw comes along. */
async function ask(
  reply: RawReply | ((seen: Seen) => RawReply),
  handler: Partial<HttpDefinition> = {},
  more: Omit<Parameters<typeof askServer>[0], 'handler'> = {},
) {
  await using server = await startHostile(always(reply))
  const url = `http://127.0.0.1:${server.port}/`
  const asked = await askServer({
    handler: { url, allowPrivate: true, ...handler },
    ...more,
  })
  return { ...asked, seen: server.seen }
}

test('a server is told the envelope, and what it says is the answer', async () => {
  const answer = { type: 'reject', reason: 'Not this folder.' }
  const { seen, ...asked } = await ask((one) => ({
    body: answerTo(one, answer),
  }))
  expect(asked).toMatchObject({ type: 'reject', reason: 'Not this folder.' })
  const { line, headers, body, run } = firstOf(seen)
  expect(line).toBe('POST / HTTP/1.1')
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'hookline-run': run,
    'hookline-timestamp': expect.stringMatching(/^\d{10}$/),
  })
  expect(headers).not.toHaveProperty('hookline-signature')
  expect(JSON.parse(body)).toMatchObject({
    protocol: 'hookline/1',
    point: 'tool.guard',
    run,
    input: { tool: 'bash', args: { command: 'rm -rf build' } },
  })
})

const silences: Readonly<Record<string, RawReply>> = {
  'a 204': { status: 204, headers: { 'content-length': '0' } },
  'an empty 200': {},
  'an empty 202 of any type': {
    status: 202,
    headers: { 'content-type': 'text/html' },
  },
  'a 200 with white space': { body: ' \n' },
}

for (const onFailure of ['closed', 'open'] as const) {
  for (const [name, reply] of Object.entries(silences)) {
    test(`F086 ${name} says nothing, which lets go on (${onFailure})`, async () => {
      const { type, record } = await ask(reply, {}, { hook: { onFailure } })
      expect([type, record.state]).toEqual(['proceed', 'completed'])
    })

    test(`F086 ${name} is a failure of a hook that must answer (${onFailure})`, async () => {
      const hook = { onFailure, mustAnswer: true }
      const { type, diagnostics } = await ask(reply, {}, { hook })
      expect(diagnostics).toContain('handler.missing')
      expect(type).toBe(onFailure === 'open' ? 'proceed' : 'reject')
    })
  }
}

test('variables that the definition names go into headers, and into nothing else', async () => {
  const headers = {
    authorization: `Bearer ${variable('TOKEN')}`,
    'x-both': `${variable('A')}-${variable('A')}$B`,
  }
  const env = { TOKEN: 'canary', A: 'a', B: 'b' }
  const { seen, ...asked } = await ask(
    (one) => ({ body: answerTo(one) }),
    { headers, env: ['TOKEN', 'A'] },
    { env },
  )
  expect(seen[0]?.headers).toMatchObject({
    authorization: 'Bearer canary',
    'x-both': 'a-a$B',
  })
  expect(seen[0]?.body).not.toContain('canary')
  expect(JSON.stringify(asked)).not.toContain('canary')
})

test.for<[string, Partial<HttpDefinition>, RegExp]>([
  ['a variable that is not set', { secretEnv: 'KEY' }, /"KEY" is not set/],
  [
    'a variable of a header that is not set',
    { headers: { a: variable('TOKEN') }, env: ['TOKEN'] },
    /"TOKEN" is not set/,
  ],
  [
    'a variable that is empty',
    { headers: { a: variable('EMPTY') }, env: ['EMPTY'] },
    /"EMPTY" is not set/,
  ],
  [
    'a variable that `env` does not name',
    { headers: { a: variable('GIVEN') } },
    /`env` does not name/,
  ],
  [
    'a variable of the prototype',
    { headers: { a: variable('toString') }, env: ['toString'] },
    /"toString" is not set/,
  ],
  [
    'replies that must be signed without a secret',
    { mustSign: true },
    /secretEnv/,
  ],
  ['a URL that is none', { url: 'canary' }, /no URL/],
  ['a URL with a password', { url: 'https://a:canary@b.test/' }, /password/],
  ['http to another machine', { url: 'http://judge.test/' }, /https/],
  ['an address in a private range', { url: 'https://10.1.2.3/' }, /private/],
  ['a header of ours', { headers: { 'Hookline-Run': 'x' } }, /hookline-run/],
  ['a header of the connection', { headers: { Host: 'x' } }, /host/],
])('%s is found when the handler is made', ([, definition, message]) => {
  const make = () => create(definition, { EMPTY: '', GIVEN: 'canary' })
  expect(make).toThrow(AgentError)
  expect(make).toThrow(message)
  expect(make).not.toThrow(/canary/)
})

test('F100 a variable that would make two headers of one is refused, and its value not repeated', () => {
  const headers = { authorization: `Bearer ${variable('TOKEN')}` }
  for (const TOKEN of ['canary\r\nx: y', 'canary\n', 'canary\u0000']) {
    const make = () => create({ headers, env: ['TOKEN'] }, { TOKEN })
    expect(make).toThrow(/header "authorization"/)
    expect(make).not.toThrow(/canary/)
  }
})
