import { countCodePoints } from 'hookline'
import type { ModelError, TextEvent } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { ModelFailure } from '../../ports/model-failure.ts'
import { fromAiSdk } from '../ai-sdk.ts'
import { anthropicError, anthropicRefusal } from '../fixtures/anthropic-wire.ts'
import { ask, callOf, outline } from '../fixtures/asking.ts'
import { openAiError, openAiRefusal } from '../fixtures/openai-wire.ts'
import {
  anthropicV3,
  anthropicV4,
  compatible,
  openAiV3,
  openAiV4,
  type WireModel,
  wireModels,
} from '../fixtures/wire-models.ts'
import {
  brokenAfter,
  endedAfter,
  refused,
  streamed,
} from '../fixtures/wire-replies.ts'
import { startWireServer, type WireReply } from '../fixtures/wire-server.ts'

/** The failure of a call that is answered so, and what was told before it. */
async function failureOf(
  { connect }: WireModel,
  reply: WireReply,
): Promise<{ error: ModelError; told: readonly string[]; shown: string }> {
  await using server = await startWireServer(reply)
  const parts: TextEvent[] = []
  const model = fromAiSdk(connect(server.url))
  const options = callOf((part) => void parts.push(part))
  const failure = await Promise.resolve(
    model.generate(ask('A secret question.'), options),
  ).catch((thrown: unknown) => thrown)
  if (!(failure instanceof ModelFailure)) throw failure
  const shown = `${failure.stack} ${JSON.stringify(failure.cause)}`
  return { error: failure.error, told: outline(parts), shown }
}

const tooLong = { message: 'prompt is too long: 9 tokens > 8 maximum' }

describe.each([anthropicV4, anthropicV3])('$title', (wire) => {
  test.each([
    [429, 'rate_limit_error', {}, 'rate_limited', true],
    [529, 'overloaded_error', {}, 'overloaded', true],
    [500, 'api_error', {}, 'unavailable', true],
    [503, 'api_error', {}, 'unavailable', true],
    [401, 'authentication_error', {}, 'unauthorized', false],
    [403, 'permission_error', {}, 'unauthorized', false],
    [404, 'not_found_error', {}, 'invalid_request', false],
    [400, 'invalid_request_error', {}, 'invalid_request', false],
    [400, 'invalid_request_error', tooLong, 'context_too_long', false],
    [413, 'request_too_large', {}, 'context_too_long', false],
  ] as const)('HTTP %i, %s %o, is %s', async (...row) => {
    const [status, type, options, code, isRetryable] = row
    const reply = anthropicRefusal(status, type, options)
    const { error } = await failureOf(wire, reply)
    expect(error).toMatchObject({ code, isRetryable, httpStatus: status })
  })

  test('the wait that is asked for is told', async () => {
    const headers = { 'retry-after': '7' }
    const reply = anthropicRefusal(429, 'rate_limit_error', { headers })
    const { error } = await failureOf(wire, reply)
    expect(error.retryAfterMs).toBe(7000)
  })

  test('an error in the middle of a stream ends what was open', async () => {
    const [start, ping, open, text] = wire.events({ text: ['Hel', 'lo'] })
    const events = [start, ping, open, text].flatMap((event) => event ?? [])
    const reply = streamed([...events, anthropicError('overloaded_error')])
    const { error, told } = await failureOf(wire, reply)
    expect(error).toMatchObject({ code: 'overloaded', isRetryable: true })
    expect(told).toEqual(['[text', 'Hel', 'text]'])
  })

  test('an error at the start of a stream is known as well', async () => {
    const reply = streamed([anthropicError('overloaded_error')])
    const { error } = await failureOf(wire, reply)
    expect(error.code).toBe('overloaded')
  })
})

describe.each([openAiV4, openAiV3, compatible])('$title', (wire) => {
  test.each([
    [429, 'rate_limit_exceeded', 'rate_limited', true],
    [429, 'insufficient_quota', 'rate_limited', false],
    [502, 'server_error', 'unavailable', true],
    [401, 'invalid_api_key', 'unauthorized', false],
    [400, 'context_length_exceeded', 'context_too_long', false],
    [400, 'content_filter', 'content_filtered', false],
    [422, 'unprocessable', 'invalid_request', false],
  ] as const)('HTTP %i, %s, is %s', async (...row) => {
    const [status, name, code, isRetryable] = row
    const { error } = await failureOf(wire, openAiRefusal(status, name))
    expect(error).toMatchObject({ code, isRetryable, httpStatus: status })
  })

  test('a wait in milliseconds goes before one in seconds', async () => {
    const headers = { 'retry-after-ms': '250', 'retry-after': '1' }
    const reply = openAiRefusal(429, 'rate_limit_exceeded', { headers })
    const { error } = await failureOf(wire, reply)
    expect(error.retryAfterMs).toBe(250)
  })

  test('an error in the middle of a stream is a failure', async () => {
    const events = wire.events({ text: ['Hel', 'lo'] }).slice(0, 3)
    const reply = streamed([...events, openAiError('server_error')])
    const { error } = await failureOf(wire, reply)
    expect(error).toMatchObject({ code: 'unavailable', isRetryable: true })
  })
})

describe.each(wireModels)('$title', (wire) => {
  const events = wire.events({ text: ['Hel', 'lo', ' you'] })

  test('a stream that only ends is cut', async () => {
    const { error, told } = await failureOf(wire, endedAfter(4, events))
    expect(error).toMatchObject({ code: 'unavailable', isRetryable: true })
    expect(told[0]).toBe('[text')
    expect(told.at(-1)).toBe('text]')
  })

  test('a stream whose connection breaks is cut', async () => {
    const { error, told } = await failureOf(wire, brokenAfter(4, events))
    expect(error).toMatchObject({ code: 'unavailable', isRetryable: true })
    // What was on its way may be lost with the connection.
    expect([undefined, 'text]']).toContain(told.at(-1))
  })

  test('an answer that is not in the protocol is no answer', async () => {
    const reply = streamed([...events.slice(0, 3), { data: '<html>' }])
    const { error } = await failureOf(wire, reply)
    expect(error).toMatchObject({ code: 'unavailable', isRetryable: true })
  })

  test('a page of a proxy is known by its status', async () => {
    const reply = refused(502, '<html>Bad gateway</html>')
    const { error } = await failureOf(wire, reply)
    expect(error).toMatchObject({ code: 'unavailable', httpStatus: 502 })
    expect(error.message).not.toContain('<html>')
  })

  test('a server that is not there is unavailable', async () => {
    const server = await startWireServer()
    await server[Symbol.asyncDispose]()
    const model = fromAiSdk(wire.connect(server.url))
    const call = Promise.resolve(model.generate(ask('Hello.'), callOf()))
    await expect(call).rejects.toMatchObject({
      error: { code: 'unavailable', isRetryable: true },
    })
  })

  test('a failure is bounded and repeats neither keys nor the request', async () => {
    const message = `Bad key sk-test-of-nobody. ${'x'.repeat(9000)}`
    const isAnthropic = wire.title.startsWith('anthropic')
    const reply = isAnthropic
      ? anthropicRefusal(400, 'invalid_request_error', { message })
      : openAiRefusal(400, 'bad', { message })
    const { error, shown } = await failureOf(wire, reply)
    expect(error.message).toContain('Bad key [key]')
    expect(countCodePoints(error.message)).toBe(500)
    expect(shown).not.toContain('sk-test')
    expect(shown).not.toContain('secret question')
  })
})
