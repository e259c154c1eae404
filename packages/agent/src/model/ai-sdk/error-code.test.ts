import { expect, test } from 'vitest'
import { ModelFailure } from '../../ports/model-failure.ts'
import { fromAiSdk } from '../ai-sdk.ts'
import { ask, callOf } from '../fixtures/asking.ts'
import { scriptedModel } from '../fixtures/scripted-stream.ts'
import { failureOf } from './failure.ts'

function errorOf(thrown: unknown) {
  const failure = failureOf(thrown)
  return failure instanceof ModelFailure ? failure.error : undefined
}

const withCode = (code: string) => Object.assign(new Error('x'), { code })

test.each([
  [new TypeError('fetch failed', { cause: withCode('ECONNREFUSED') })],
  [withCode('ECONNRESET')],
  [withCode('ENOTFOUND')],
  [new Error('socket hang up')],
  [{ type: 'api_error', message: 'Internal server error' }],
])('what does not reach the provider is unavailable: %o', (thrown) => {
  expect(errorOf(thrown)).toMatchObject({
    code: 'unavailable',
    isRetryable: true,
  })
})

test.each([
  [new DOMException('x', 'AbortError')],
  [new DOMException('x', 'TimeoutError')],
  [new TypeError('fetch failed', { cause: withCode('ETIMEDOUT') })],
  [withCode('UND_ERR_HEADERS_TIMEOUT')],
  [{ statusCode: 408, message: 'x' }],
])('what takes too long is a timeout: %o', (thrown) => {
  expect(errorOf(thrown)).toMatchObject({ code: 'timeout', isRetryable: true })
})

test.each([
  [{ error: { message: 'maximum context length is 8' } }, 'context_too_long'],
  [{ response: { error: { code: 'rate_limit' } } }, 'rate_limited'],
  ['overloaded', 'overloaded'],
  [undefined, 'unknown'],
  [new Error('Something else.'), 'unknown'],
  [{ name: 'AI_UnsupportedFunctionalityError' }, 'invalid_request'],
  [{ statusCode: 503, message: 'We are overloaded.' }, 'overloaded'],
  [{ statusCode: 504, code: 'gateway_timeout' }, 'unavailable'],
  [{ statusCode: 418, message: 'I am a teapot.' }, 'invalid_request'],
])('%o is %s', (thrown, code) => {
  expect(errorOf(thrown)?.code).toBe(code)
})

test('an error that goes round in circles is still an error', () => {
  const round: { error?: unknown; cause?: unknown } = {}
  round.error = round
  round.cause = round
  expect(errorOf(round)?.code).toBe('unknown')
})

test.each([
  'Bearer abc.def',
  'sk-ant-api03-abcdef',
  'AIzaSyA1234567890123456789012',
  'https://example.com/?key=hunter2',
  'eyJhbGciOi.eyJzdWIi.c2ln',
  '0123456789abcdef0123456789abcdef',
])('a key in a message is not repeated: %s', (key) => {
  const message = errorOf({
    statusCode: 400,
    message: `Bad: ${key} .`,
  })?.message
  expect(message).toContain('[key]')
  expect(message).not.toContain(key)
})

test('a refused key is not even described in the words of the provider', () => {
  const thrown = { statusCode: 401, message: 'Wrong password: hunter2' }
  expect(errorOf(thrown)?.message).toBe(
    'The provider did not accept the key (HTTP 401).',
  )
})

test('what is thrown at once is a failure like the others', async () => {
  const model = fromAiSdk({
    ...scriptedModel([]),
    doStream() {
      throw withCode('ECONNREFUSED')
    },
  })
  const call = Promise.resolve(model.generate(ask('?'), callOf()))
  await expect(call).rejects.toMatchObject({ error: { code: 'unavailable' } })
})

test('a model of another specification is refused', () => {
  const old = { ...scriptedModel([]), specificationVersion: 'v2' } as never
  expect(() => fromAiSdk(old)).toThrow(
    expect.objectContaining({ code: 'invalid-config' }),
  )
})
