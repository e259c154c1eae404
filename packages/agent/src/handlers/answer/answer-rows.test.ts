import { defineHook, reject } from 'hookline'
import { toolPreCall } from 'hookline/lifecycle'
import { toolCall, tryHook } from 'hookline/testing'
import { expect, test } from 'vitest'
import { timeRatio } from '../../../../core/fixtures/time-ratio.ts'
import { type ReadAnswerOptions, readAnswer } from './read-answer.ts'

/** Whether it fits the point is for the engine to judge, as always. */
function answerIn(printed: string | Uint8Array, options: ReadAnswerOptions) {
  const { answer } = readAnswer(printed, options)
  return answer as unknown as ReturnType<typeof reject>
}

/** A gate whose answer is what a handler printed, under either policy. */
async function ends(
  printed: string | Uint8Array,
  options: Partial<ReadAnswerOptions> = {},
) {
  const tried = async (onFailure: 'open' | 'closed') => {
    const hook = defineHook({
      name: 'gate',
      on: toolPreCall,
      onFailure,
      writes: true,
      run: (_call, { run }) => answerIn(printed, { run, ...options }),
    })
    const call = toolCall('bash', { cmd: 'ls' })
    const { outcome, record } = await tryHook(hook, call)
    if (outcome instanceof Error) throw outcome
    return [outcome.type, record?.failedOpen]
  }
  return { open: await tried('open'), closed: await tried('closed') }
}

const failed = { open: ['proceed', true], closed: ['reject', false] }
const allowed = { open: ['proceed', false], closed: ['proceed', false] }
const denied = { open: ['reject', false], closed: ['reject', false] }

test('F027 silence goes on; where an answer is a must it is a failure', async () => {
  expect(await ends('')).toEqual(allowed)
  expect(await ends('\n')).toEqual(allowed)
  expect(await ends('', { ifSilent: 'Say something.' })).toEqual(failed)
})

test.each(['null', 'true', '42', '"allow"', '[]', '"proceed"', '{}'])(
  'F028 %s is no answer',
  async (printed) => expect(await ends(printed)).toEqual(failed),
)

test.each(['Allow', 'block ', 'approve', 'Proceed', 'proceed ', 'allow', ''])(
  'F029 the type %j is no answer',
  async (type) => expect(await ends(JSON.stringify({ type }))).toEqual(failed),
)

test.each<[string, string]>([
  ['none', '{"type":"reject"}'],
  ['a number', '{"type":"reject","reason":7}'],
  ['a long one', JSON.stringify(reject('x'.repeat(900_000)))],
  ['one with escapes', JSON.stringify(reject('\u001b[31mno\u0000\u202e'))],
  ['one with half a character', '{"type":"reject","reason":"no\\ud800"}'],
])('F031 a reject rejects whatever its reason is: %s', async (_name, printed) =>
  expect(await ends(printed)).toEqual(denied),
)

test('F032 unknown keys change nothing', async () => {
  expect(await ends('{"type":"proceed","shape":"round"}')).toEqual(allowed)
  expect(await ends('{"type":"reject","decision":"allow"}')).toEqual(denied)
})

test('F033 keys that reach a prototype allow nothing, and undo no reject', async () => {
  const keys = ['__proto__', 'constructor', 'prototype']
  for (const key of keys) {
    const rest = `"${key}":{"prototype":{"type":"proceed"},"polluted":1}`
    expect(await ends(`{"type":"proceed",${rest}}`)).toEqual(failed)
    expect(await ends(`{${rest}}`)).toEqual(failed)
    expect(await ends(`{"type":"reject",${rest}}`)).toEqual(denied)
  }
  expect(await ends('{"type":"proceed","toString":1,"0":2}')).toEqual(allowed)
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('F036 JSON of 10 000 levels is no answer', async () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  const printed = `{"type":"transform","value":{"a":${deep}}}`
  expect(await ends(printed)).toEqual(failed)
})

test('F037 a million keys are no answer, and found out long before they are parsed', async () => {
  const keys = Array.from({ length: 1_000_000 }, (_, key) => `"k${key}":1`)
  const printed = `{"type":"proceed","value":{${keys.join()}}}`
  const ratio = await timeRatio(
    async () => expect(await ends(printed)).toEqual(failed),
    () => JSON.parse(printed),
    0.2,
  )
  expect(ratio).toBeLessThanOrEqual(0.2)
})

test.each(['9007199254740993', '1e999', '-1e999', '-0', '-0.0'])(
  'F039 the number %s is no part of an answer, and undoes no reject',
  async (number) => {
    const value = `{"cmd":${number}}`
    expect(await ends(`{"type":"transform","value":${value}}`)).toEqual(failed)
    expect(await ends(`{"type":"reject","a":${number}}`)).toEqual(denied)
  },
)

test('F040 a byte order mark is left out; what is not UTF-8 is no answer', async () => {
  const proceeds = '{"type":"proceed"}'
  expect(await ends(Buffer.from(`\ufeff${proceeds}`))).toEqual(allowed)
  expect(await ends(Buffer.from(proceeds, 'utf16le'))).toEqual(failed)
  const broken = Buffer.concat([Buffer.from(proceeds), Buffer.from([0xff])])
  expect(await ends(broken)).toEqual(failed)
})

test('F046 an answer to another run, or to none where it has to be named, is none', async () => {
  expect(await ends('{"type":"proceed","run":"other"}')).toEqual(failed)
  expect(await ends('{"type":"proceed"}', { mustNameRun: true })).toEqual(
    failed,
  )
})

test('an answer that the point or the hook does not allow is none', async () => {
  expect(await ends('{"type":"keepGoing","feedback":"x"}')).toEqual(failed)
})
