import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { askServer } from './fixtures/ask-server.ts'
import {
  always,
  answerTo,
  firstOf,
  type RawReply,
  type Seen,
  startHostile,
} from './fixtures/hostile-server.ts'
import { signBody, verifySignature } from './signature.ts'

const secret = 'canary-of-the-secret'
const env = { SECRET: secret }

const seconds = (offset = 0) => String(Math.floor(Date.now() / 1_000) + offset)

/** A reply that is signed, with what it is signed for changed. */
function signedReply(seen: Seen, change: Change = {}): RawReply {
  const body = answerTo(seen)
  const timestamp = change.timestamp ?? seconds()
  const signed = { secret, run: seen.run, timestamp, body, ...change.signed }
  const headers = {
    'hookline-timestamp': timestamp,
    'hookline-signature': signBody(signed),
    ...change.headers,
  }
  return { headers, body: change.body ?? body }
}

interface Change {
  readonly timestamp?: string
  readonly signed?: { readonly run?: string; readonly secret?: string }
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Asking {
  readonly onFailure?: 'closed' | 'open'
  readonly mustSign?: boolean
}

/** Asks a server that has to sign what it says. */
async function askSigned(
  reply: (seen: Seen) => RawReply,
  { onFailure = 'closed', mustSign = true }: Asking = {},
) {
  await using server = await startHostile(always(reply))
  const url = `http://127.0.0.1:${server.port}/`
  const asked = await askServer({
    handler: { url, allowPrivate: true, secretEnv: 'SECRET', mustSign },
    hook: { onFailure },
    env,
  })
  expect(JSON.stringify([asked, server.seen])).not.toContain(secret)
  return { ...asked, seen: server.seen }
}

test('a request is signed over its timestamp, its run and its body, so that a server can tell', async () => {
  const { seen, record } = await askSigned((one) => signedReply(one))
  const { headers, body, run } = firstOf(seen)
  const timestamp = headers['hookline-timestamp'] ?? ''
  const signature = headers['hookline-signature'] ?? ''
  const signed = `${timestamp}.${run}.${body}`
  const hex = createHmac('sha256', secret).update(signed).digest('hex')
  expect(signature).toBe(`v1=${hex}`)
  const message = { secret, run, timestamp, body, signature }
  expect(verifySignature(message)).toBe('valid')
  expect(verifySignature({ ...message, body: Buffer.from(body) })).toBe('valid')
  expect(record.state).toBe('completed')
})

test('a signed reply need not name its run, and an empty one says nothing', async () => {
  const unnamed = await askSigned(({ run }) => {
    const body = '{"type":"reject","reason":"No."}'
    const timestamp = seconds()
    const signature = signBody({ secret, run, timestamp, body })
    const headers = {
      'hookline-timestamp': timestamp,
      'hookline-signature': signature,
    }
    return { headers, body }
  })
  expect(unnamed).toMatchObject({ type: 'reject', reason: 'No.' })
  const empty = await askSigned(({ run }) => {
    const timestamp = seconds()
    const signature = signBody({ secret, run, timestamp, body: '' })
    const headers = {
      'hookline-timestamp': timestamp,
      'hookline-signature': signature,
    }
    return { status: 200, headers }
  })
  expect([empty.type, empty.record.state]).toEqual(['proceed', 'completed'])
})

const badReplies: Readonly<Record<string, (seen: Seen) => RawReply>> = {
  'a reply without a signature': (seen) => ({ body: answerTo(seen) }),
  'an empty reply without a signature': () => ({}),
  'a reply signed with another secret': (seen) =>
    signedReply(seen, { signed: { secret: 'other' } }),
  'a reply signed for another run': (seen) =>
    signedReply(seen, { signed: { run: 'other/judge' } }),
  'a reply whose body was changed': (seen) =>
    signedReply(seen, { body: answerTo(seen, { type: 'proceed', more: 1 }) }),
  'a reply that is ten minutes old': (seen) =>
    signedReply(seen, { timestamp: seconds(-600) }),
  'a reply that is ten minutes ahead': (seen) =>
    signedReply(seen, { timestamp: seconds(600) }),
  'a reply with a newer timestamp than was signed': (seen) =>
    signedReply(seen, {
      headers: { 'hookline-timestamp': seconds(-1) },
      timestamp: seconds(-600),
    }),
  'a reply with half a signature': (seen) =>
    signedReply(seen, { headers: { 'hookline-signature': 'v1=00' } }),
  'a reply with an empty signature': (seen) =>
    signedReply(seen, { headers: { 'hookline-signature': '' } }),
  'a reply with a signature in another version': (seen) => {
    const { headers, ...rest } = signedReply(seen)
    const signature = headers?.['hookline-signature']?.replace('v1', 'v0') ?? ''
    return { ...rest, headers: { ...headers, 'hookline-signature': signature } }
  },
  'the request itself, sent back': ({ headers, body }) => ({
    headers: {
      'hookline-timestamp': headers['hookline-timestamp'] ?? '',
      'hookline-signature': headers['hookline-signature'] ?? '',
    },
    body,
  }),
}

for (const onFailure of ['closed', 'open'] as const) {
  for (const [name, reply] of Object.entries(badReplies)) {
    test(`F097 T40 ${name} is no answer (${onFailure})`, async () => {
      const asked = await askSigned(reply, { onFailure })
      const [code] = asked.diagnostics.filter((one) =>
        one.startsWith('handler'),
      )
      // What is signed by us is signed well, but it is no answer.
      const isOurs = name.startsWith('the request itself')
      expect(code).toBe(isOurs ? 'handler.invalid' : 'handler.signature')
      expect(asked.type).toBe(onFailure === 'open' ? 'proceed' : 'reject')
    })
  }
}

test('F097 T40 a reply that was right for one run is not right for the next', async () => {
  let first: RawReply | undefined
  await using server = await startHostile(
    always((seen) => {
      first ??= signedReply(seen)
      return first
    }),
  )
  const url = `http://127.0.0.1:${server.port}/`
  const handler = { url, allowPrivate: true, secretEnv: 'SECRET' }
  const ask = () => askServer({ handler: { ...handler, mustSign: true }, env })
  expect((await ask()).record.state).toBe('completed')
  const replayed = await ask()
  expect(replayed.type).toBe('reject')
  expect(replayed.diagnostics).toContain('handler.signature')
})

test('F097 a signature that need not be there has to be right where it is', async () => {
  const wrong = await askSigned(
    (seen) => signedReply(seen, { signed: { secret: 'other' } }),
    { mustSign: false },
  )
  expect(wrong.diagnostics).toContain('handler.signature')
  const none = await askSigned((seen) => ({ body: answerTo(seen) }), {
    mustSign: false,
  })
  expect(none.record.state).toBe('completed')
})

test('T40 a signature is good for five minutes in either direction, and no text of another form is one', () => {
  const nowMs = 1_800_000_000_000
  const at = (offset: number) => {
    const timestamp = String(nowMs / 1_000 + offset)
    const message = { secret, run: 'r', timestamp, body: '{}' }
    return verifySignature({ ...message, signature: signBody(message), nowMs })
  }
  expect([at(-300), at(0), at(300)]).toEqual(['valid', 'valid', 'valid'])
  expect([at(-301), at(301)]).toEqual(['expired', 'expired'])
  const message = { secret, run: 'r', timestamp: '1800000000', body: '{}' }
  const right = signBody(message)
  const forms = [
    '',
    'v1=',
    right.slice(0, -1),
    `${right}0`,
    `${right}, ${right}`,
  ]
  for (const signature of [...forms, right.toUpperCase(), right.slice(3)]) {
    const verdict = verifySignature({ ...message, signature, nowMs })
    expect([signature, verdict]).toEqual([signature, 'malformed'])
  }
  for (const timestamp of ['', 'now', '-1', '1e9', '1800000000.5', ' 1']) {
    const stamped = { ...message, timestamp }
    const signature = signBody(stamped)
    expect(verifySignature({ ...stamped, signature, nowMs })).toBe('malformed')
  }
})
