import { expect, test } from 'vitest'
import { HandlerFailure, type HandlerFailureCode } from '../handler-failure.ts'
import { type ReadAnswerOptions, readAnswer } from './read-answer.ts'

const run = 'r1'

function failureOf(
  text: string | Uint8Array,
  options: Partial<ReadAnswerOptions> = {},
): HandlerFailureCode | undefined {
  try {
    readAnswer(text, { run, ...options })
    return undefined
  } catch (error) {
    if (error instanceof HandlerFailure) return error.code
    throw error
  }
}

test.each([
  { type: 'proceed' },
  { type: 'transform', value: { a: [1, null] } },
  { type: 'replace', value: null },
  { type: 'reject', reason: 'no' },
  { type: 'respond', output: { content: [], isError: false } },
  { type: 'ask', question: 'really?' },
  { type: 'endTurn', reason: 'enough' },
  { type: 'keepGoing', feedback: 'go on' },
])('$type is read with what it carries, and nothing else', (answer) => {
  const expected = { answer, contributions: [], diagnostics: [] }
  expect(readAnswer(JSON.stringify(answer), { run })).toEqual(expected)
  const bytes = Buffer.from(JSON.stringify({ ...answer, run }))
  expect(readAnswer(bytes, { run, mustNameRun: true })).toEqual(expected)
})

test('contributions and diagnostics come along', () => {
  const contributions = [{ kind: 'context', value: { id: 'a' } }]
  const diagnostics = [{ code: 'slow', message: 'It took long.' }]
  const said = { type: 'proceed', contributions, diagnostics }
  expect(readAnswer(JSON.stringify(said), { run })).toEqual({
    answer: { type: 'proceed' },
    contributions,
    diagnostics,
  })
})

test.each<[string]>([
  ['{"type":"proceed","contributions":{}}'],
  ['{"type":"proceed","contributions":[1]}'],
  ['{"type":"proceed","contributions":[{"kind":"context"}]}'],
  ['{"type":"proceed","contributions":[{"kind":1,"value":1}]}'],
  ['{"type":"proceed","diagnostics":"x"}'],
  ['{"type":"proceed","diagnostics":[{"code":"x"}]}'],
  ['{"type":"proceed","diagnostics":[{"code":"x","message":1}]}'],
  ['{"type":"transform"}'],
  ['{"type":"transform","output":1}'],
  ['{"type":"replace","Value":1}'],
  ['{"type":"respond","value":1}'],
  ['{"type":"ask"}'],
  ['{"type":"ask","question":""}'],
  ['{"type":"ask","question":7}'],
  ['{"type":"endTurn","reason":" "}'],
  ['{"type":"keepGoing","feedback":null}'],
  ['{"type":["proceed"]}'],
  ['{"type":"toString"}'],
  ['{"type":"__proto__"}'],
])('%s is invalid', (text) => {
  expect(failureOf(text)).toBe('invalid')
})

test('T24 an answer for another run is none, whatever it says', () => {
  for (const type of ['proceed', 'reject']) {
    const other = JSON.stringify({ type, reason: 'x', run: 'r2' })
    expect(failureOf(other)).toBe('wrong-run')
    const unclean = `{"type":"${type}","run":"r2","number":1e999}`
    expect(failureOf(unclean)).toMatch(/wrong-run|invalid/)
    expect(failureOf(`{"type":"${type}","run":1}`)).toBe('wrong-run')
    expect(failureOf(`{"type":"${type}","run":null}`)).toBe('wrong-run')
  }
})

test('where the run has to be named, an answer without it is none', () => {
  expect(failureOf('{"type":"proceed"}', { mustNameRun: true })).toBe(
    'wrong-run',
  )
  expect(
    failureOf('{"type":"proceed","run":"r1"}', { mustNameRun: true }),
  ).toBe(undefined)
})

test.each(['', ' \r\n\t', '\ufeff', '\ufeff \n'])(
  'silence (%j) goes on, unless an answer is a must',
  (text) => {
    for (const given of [text, Buffer.from(text)]) {
      expect(readAnswer(given, { run }).answer).toEqual({ type: 'proceed' })
      expect(failureOf(given, { ifSilent: 'Say something.' })).toBe('missing')
    }
  },
)

test.each(['\u0000', '\u00a0', '\u2003', '\ufeff\ufeff', '\u000b'])(
  'what only looks like silence (%j) is invalid',
  (text) => {
    expect(failureOf(text)).toBe('invalid')
    expect(failureOf(Buffer.from(text))).toBe('invalid')
  },
)

test('unknown keys are counted, and only those of the answer', () => {
  const count = (text: string) => readAnswer(text, { run }).diagnostics
  expect(count('{"type":"proceed","reason":"x","a":1}')).toEqual([
    {
      code: 'unknown-keys',
      message: 'The answer has 2 keys that are not known; nothing reads them.',
    },
  ])
  expect(count('{"type":"transform","value":{"a":1},"run":"r1"}')).toEqual([])
})

test('what is too large says so, and limits can be set', () => {
  const text = JSON.stringify({ type: 'proceed', note: 'x'.repeat(1_048_576) })
  expect(failureOf(text)).toBe('too-large')
  expect(failureOf(text, { limits: { maxBytes: 2_000_000 } })).toBe(undefined)
  expect(failureOf(`{"type":"proceed","a":${'['.repeat(80)}`)).toBe('too-large')
})

test('an unclean reject is a reject; nothing else of it is taken', () => {
  const text = `{"type":"reject","reason":"no\\ud800","contributions":[{"kind":"context","value":1}]}`
  expect(readAnswer(text, { run })).toEqual({
    answer: { type: 'reject', reason: 'no\ufffd' },
    contributions: [],
    diagnostics: [expect.objectContaining({ code: 'unclean-reject' })],
  })
  expect(failureOf('{"type":"proceed","a":"\\ud800"}')).toBe('invalid')
})
